package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
)

// Anybody can send requests that are refused, so the records of refusals are
// limited: a reason may be logged so often at once, and then so often again.
const (
	noticeBurst    = 10
	noticeInterval = time.Second
)

// noticer counts refusals, and logs as many of each reason as an operator can
// read.
type noticer struct {
	log     *slog.Logger
	metrics Metrics // nil: nobody counts

	mu      sync.Mutex
	reasons map[string]*bucket
}

// bucket is what a reason may still log.
type bucket struct {
	tokens     int
	last       time.Time
	suppressed int
}

func newNoticer(log *slog.Logger, metrics Metrics) *noticer {
	if log == nil {
		log = slog.Default()
	}
	return &noticer{log: log, metrics: metrics, reasons: make(map[string]*bucket)}
}

// refused counts and logs a refusal. Of what a client sent, attrs hold only
// what an operator has to see to put it right. who is known where the refusal
// came after the caller was.
func (n *noticer) refused(ctx context.Context, r *refusal, who core.Principal, attrs ...slog.Attr) {
	if n.metrics != nil {
		n.metrics.Refused(r.reason)
	}
	if !n.log.Enabled(ctx, r.level) {
		return
	}
	suppressed, ok := n.take(r.reason)
	if !ok {
		return
	}
	all := append(make([]slog.Attr, 0, len(attrs)+4), slog.String("reason", r.reason), slog.Int("status", r.status))
	all = append(all, attrs...)
	all = append(all, caller(who)...)
	if suppressed > 0 {
		all = append(all, slog.Int("suppressed", suppressed))
	}
	n.log.LogAttrs(ctx, r.level, "request refused: "+r.message, all...)
}

// caller is what the log says of somebody who has a name.
func caller(who core.Principal) []slog.Attr {
	if !who.Valid() || who.IsAnonymous() {
		return nil
	}
	return []slog.Attr{slog.String("principal", who.Fingerprint())}
}

// count is told of what handlers and their clients do, see [Metrics].
func (n *noticer) count(reason string) {
	if n.metrics != nil {
		n.metrics.Event(reason)
	}
}

// expired counts and logs that a stream has ended with the credentials of its
// caller.
func (n *noticer) expired(ctx context.Context, who string) {
	n.count(reasonTokenExpired)
	if !n.log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	if suppressed, ok := n.take(reasonTokenExpired); ok {
		n.log.LogAttrs(ctx, slog.LevelInfo, "stream ended: the caller's credentials have expired",
			slog.String("reason", reasonTokenExpired), slog.String("principal", who), slog.Int("suppressed", suppressed))
	}
}

// reasonTokenExpired names the end of a stream for the log and the metrics.
const reasonTokenExpired = "token_expired"

// take says whether the reason may be logged now, and how many records of it
// were suppressed before.
func (n *noticer) take(reason string) (suppressed int, ok bool) {
	now := time.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	b := n.reasons[reason]
	if b == nil {
		b = &bucket{tokens: noticeBurst, last: now}
		n.reasons[reason] = b
	}
	if fresh := int(now.Sub(b.last) / noticeInterval); fresh > 0 {
		b.tokens = min(b.tokens+fresh, noticeBurst)
		b.last = b.last.Add(time.Duration(fresh) * noticeInterval)
	}
	if b.tokens == 0 {
		b.suppressed++
		return 0, false
	}
	b.tokens--
	suppressed, b.suppressed = b.suppressed, 0
	return suppressed, true
}

// clip keeps what a client sent from filling the log.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
