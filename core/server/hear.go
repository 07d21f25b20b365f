package server

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/headers"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/core/server/internal/session"
	"github.com/parleymcp/parley/internal/jsonx"
)

// reconnect is how long a client should wait before it comes back for the rest
// of a stream.
const reconnect = 2 * time.Second

// prime is an event without a message: it gives the client an id to come back
// with before anything has happened (MCP 2025-11-25, basic/transports).
func prime(st *session.Stream, after uint64) []byte {
	return []byte("id: " + st.EventID(after) + "\nretry: " + strconv.FormatInt(reconnect.Milliseconds(), 10) + "\ndata: \n\n")
}

// enterSession is for the HTTP methods that have no body.
func (x *exchange) enterSession(ctx context.Context) *Response {
	v, resp := x.readVersion(ctx)
	switch {
	case resp != nil:
		return resp
	case v.modern(): // which has neither
		return x.refuseHTTP(ctx)
	}
	return x.enterLegacy(ctx, v)
}

// endSession answers DELETE.
func (x *exchange) endSession(ctx context.Context) *Response {
	if resp := x.enterSession(ctx); resp != nil {
		return resp
	}
	x.srv.sessions.End(x.session)
	return &Response{Status: 204, WriteTimeout: x.srv.cfg.WriteTimeout}
}

// hear answers GET: the stream of the session, or with Last-Event-ID the rest
// of any of its streams (MCP 2025-11-25, basic/transports).
func (x *exchange) hear(ctx context.Context) *Response {
	if resp := x.enterSession(ctx); resp != nil {
		return resp
	}
	if _, x.sse = headers.Accept(x.req.Header.Values("Accept")); !x.sse {
		return x.refuse(ctx, refuseNotStream)
	}
	if !x.req.CanStream {
		return x.refuseHTTP(ctx)
	}
	from, resuming, err := headers.Single(x.req.Header, headers.LastEventID)
	if err != nil {
		return x.refuseHeader(ctx, refuseEventID, err)
	}
	own := x.session.Own()
	h := &hearer{
		srv: x.srv, session: x.session, stream: own, fresh: !resuming, prime: x.call.Version >= protocol.Version20251125,
		scopes: x.call.Scopes, until: x.expires,
	}
	if !x.expires.IsZero() {
		h.who = x.call.Principal.Fingerprint() // for the record of its end
	}
	if resuming {
		if h.stream, h.after = x.session.Find(from); h.stream == nil {
			return x.refuse(ctx, refuseEventID)
		}
		if !covers(x.call.Scopes, h.stream.Needs) {
			return x.insufficient(ctx, h.stream.Needs)
		}
		h.rest = h.stream != own
	}
	if !x.srv.audience.enter() {
		return x.refuse(ctx, refuseClosing)
	}
	h.turn = h.stream.Turn()
	x.session = nil // the stream leaves it
	return x.goOn(ctx, h)
}

// hearer is a stream that a client of an older revision opened by GET.
type hearer struct {
	srv     *Server
	session *session.Session
	stream  *session.Stream
	turn    uint64 // among the readers of the stream
	after   uint64 // number of the last event that was sent
	rest    bool   // of a call's stream; else it is the session's own
	fresh   bool   // begins with what nobody was sent yet, and not after an event
	prime   bool   // begins with an id, if it is fresh

	scopes []string  // of the caller's credentials
	until  time.Time // when these end; zero: never
	who    string    // his fingerprint, if they do
}

func (h *hearer) mute(ctx context.Context) *Response {
	x := &exchange{srv: h.srv}
	return x.refuseHTTP(ctx)
}

// run writes what is kept of the stream, and then what comes, until the client
// leaves, his credentials expire, another connection takes the stream over, or
// it has ended.
func (h *hearer) run(ctx context.Context, open func() (Sink, error)) (err error) {
	defer h.srv.audience.leave()
	defer h.session.Leave()
	defer h.srv.survive(&err)
	if !h.until.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, h.until, errExpired)
		defer cancel()
	}
	ctx, done := h.stream.Take(ctx, h.turn)
	defer done()
	defer func() {
		if errors.Is(context.Cause(ctx), errExpired) {
			h.srv.notices.expired(ctx, h.who)
		}
	}()
	sink, err := open()
	if err != nil {
		return err
	}
	for out := h.hello(); ; {
		if len(out) > 0 && sink.Send(out) != nil {
			return ErrClientGone
		}
		events, last, ended := h.stream.Since(ctx, h.after)
		h.after = last
		switch {
		case len(events) > 0 && sink.Send(events) != nil:
			return ErrClientGone
		case ended:
			return nil
		}
		var more bool
		if h.rest {
			out, more = h.remainder(ctx)
		} else {
			out, more = h.news(ctx)
		}
		if !more {
			return nil
		}
	}
}

// hello is what the stream begins with, whoever read it before.
func (h *hearer) hello() []byte {
	if !h.fresh {
		return comment
	}
	h.after = h.stream.Read()
	if !h.prime {
		return comment
	}
	return prime(h.stream, h.after)
}

// news waits for what changes. What it puts on the stream is kept there; what
// it returns is only written.
func (h *hearer) news(ctx context.Context) (out []byte, more bool) {
	news, err := h.session.News().Next(ctx)
	if err != nil || news.End {
		h.session.News().Nudge() // the next reader, whose ring this one may have heard
		return nil, false
	}
	for _, c := range changes {
		if news.Lists&c.kind != 0 {
			h.stream.Append(notification(c.method, []byte(`{}`)).event())
		}
	}
	for _, uri := range news.Updated {
		if !h.srv.hears(h.scopes, uri) {
			continue
		}
		params := append(jsonx.AppendString([]byte(`{"uri":`), uri), '}')
		h.stream.Append(notification(protocol.NotificationResourceUpdated, params).event())
	}
	if ctx.Err() != nil { // taken over meanwhile: it is for the other connection to write
		h.session.News().Nudge()
		return nil, false
	}
	if news.Beat {
		out = comment
	}
	return out, true
}

// remainder waits for what a call still says.
func (h *hearer) remainder(ctx context.Context) (out []byte, more bool) {
	beat := time.NewTimer(h.srv.cfg.KeepAlive)
	defer beat.Stop()
	select {
	case <-h.stream.Wake():
		return nil, ctx.Err() == nil
	case <-beat.C:
		return comment, true
	case <-ctx.Done():
		return nil, false
	}
}

// changes are the lists that can change, with what is sent when they have.
var changes = []struct {
	kind   hub.Kind
	method string
}{
	{hub.Tools, protocol.NotificationToolsListChanged},
	{hub.Prompts, protocol.NotificationPromptsListChanged},
	{hub.Resources, protocol.NotificationResourcesListChanged},
}
