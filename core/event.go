package core

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Event is one request as its handler sees it. It is valid until the handler
// returns, and safe for concurrent use by goroutines that the handler waits
// for; later calls do nothing, or return [ErrDone]. Values of the web framework
// come through the handler's ctx.
type Event struct {
	ctx  context.Context //nolint:containedctx // an event is a request: ctx ends with it and names its log records
	host *Host
	call *Call
	kind Kind
	name string // of the feature

	mu       sync.Mutex
	caps     *ClientCapabilities
	progress float64
	done     bool

	style    style
	problems map[string]Problem // invalid answers that were read, by key
	open     []Request          // what is asked of the client
	state    string             // sealed, for the interim result
	opened   *opened
	flow     *flow
	claimed  *[32]byte // of the replay store, for this round
	failure  *failure  // of the request itself; nothing the handler returns undoes it
}

// TraceContext is the W3C trace context of the request, as received and
// unchecked; empty where it was not sent.
type TraceContext struct{ Parent, State, Baggage string }

func newEvent(ctx context.Context, h *Host, c *Call, kind Kind, name string) *Event {
	return &Event{ctx: ctx, host: h, call: c, kind: kind, name: name, progress: math.Inf(-1)}
}

// Method is the request's method, such as tools/call.
func (ev *Event) Method() string { return ev.call.Method }

// Target is the name of the tool or prompt, or the resource's URI.
func (ev *Event) Target() string { return ev.call.Target }

// Arguments are the arguments as they were received; nil when there are none.
// Do not change them.
func (ev *Event) Arguments() json.RawMessage { return ev.call.Arguments }

// Version is the revision of the protocol that is spoken on this request.
func (ev *Event) Version() string { return ev.call.Version }

// Principal is who is calling, verified on this request.
func (ev *Event) Principal() Principal { return ev.call.Principal }

// Scopes are what the caller's credentials were granted, on this request: for
// decisions that depend on the arguments. What a feature always needs is said by
// the option [Scopes]. Do not change them.
func (ev *Event) Scopes() []string { return ev.call.Scopes }

// HasScope reports whether the caller's credentials were granted a scope.
func (ev *Event) HasScope(scope string) bool { return slices.Contains(ev.call.Scopes, scope) }

// Trace is the request's trace context.
func (ev *Event) Trace() TraceContext {
	if ev.call.Trace == nil {
		return TraceContext{}
	}
	return *ev.call.Trace
}

// Header returns the first value of a header of the HTTP request.
func (ev *Event) Header(name string) string {
	if ev.call.Header == nil {
		return ""
	}
	return ev.call.Header.Get(name)
}

// Client is how the client names itself: for logs, never for a decision. Its
// members are empty if it did not.
func (ev *Event) Client() Implementation {
	var info Implementation
	if len(ev.call.Client) > 0 && jsonx.Unmarshal(ev.call.Client, &info) != nil {
		return Implementation{}
	}
	return info
}

// Capabilities are what the client declared. To decide whether it can be
// asked, use [Event.CanRequest]: it knows what each question needs.
func (ev *Event) Capabilities() ClientCapabilities {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	return ev.capabilities()
}

func (ev *Event) capabilities() ClientCapabilities {
	if ev.caps == nil {
		ev.caps = new(declaredTo(ev.call.Version, parseCapabilities(ev.call.Capabilities)))
	}
	return *ev.caps
}

// Progress tells the client how far the call is: done of total, in any unit;
// total 0 means unknown, message may be empty. It does nothing if the client
// did not ask for progress, and drops a value that does not rise, or that is no
// number (MCP 2026-07-28, basic/utilities/progress).
func (ev *Event) Progress(done, total float64, message string) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if ev.done || ev.call.Notifier == nil || ev.call.ProgressToken == nil {
		return
	}
	if !(done > ev.progress) || math.IsInf(done, 0) || math.IsNaN(total) || math.IsInf(total, 0) {
		ev.log(slog.LevelDebug, "progress dropped: it does not rise",
			slog.String("feature", ev.name), slog.Float64("progress", done))
		return
	}
	ev.progress = done
	ev.notify(protocol.NotificationProgress, &progressParams{
		Token: ev.call.ProgressToken, Progress: done, Total: total, Message: message,
	})
}

type progressParams struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress float64         `json:"progress"`
	Total    float64         `json:"total,omitzero"`
	Message  string          `json:"message,omitzero"`
}

// notify holds ev.mu, so that notifications leave in the order of the calls.
func (ev *Event) notify(method string, params any) {
	if err := ev.call.Notifier.Notify(method, params); err != nil {
		ev.log(slog.LevelDebug, "notification not sent",
			slog.String("feature", ev.name), slog.String("method", method), slog.Any("error", err))
	}
}

// log writes a record that says who was calling, as a fingerprint.
func (ev *Event) log(level slog.Level, msg string, attrs ...slog.Attr) {
	log := ev.logger()
	if !log.Enabled(ev.ctx, level) {
		return
	}
	if !ev.call.Principal.IsAnonymous() {
		attrs = append(attrs, slog.String("principal", ev.call.Principal.Fingerprint()))
	}
	log.LogAttrs(ev.ctx, level, msg, attrs...)
}

func (ev *Event) logger() *slog.Logger {
	if ev.host.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return ev.host.Logger
}

func (ev *Event) now() time.Time {
	if ev.host.Now == nil {
		return time.Now()
	}
	return ev.host.Now()
}
