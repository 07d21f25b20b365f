package server

import (
	"context"
	"errors"
	"slices"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/legacy"
)

// errCancelled is the cause of the context of a handler whose client sent
// notifications/cancelled for its request.
var errCancelled = errors.New("parley: the client cancelled the request")

// defaultLogLevel is what a client that has not set a level is sent.
const defaultLogLevel = "info"

// describeClient fills in what older revisions say once for a session, and not
// with each request.
func (x *exchange) describeClient(c *core.Call) {
	c.ProgressToken = x.msg.Params.Meta.Progress()
	c.LogLevel = defaultLogLevel
	if x.session == nil {
		return
	}
	client := x.session.Client()
	c.Client, c.Capabilities = client.Info, client.Capabilities
	if level := x.session.Level(); level != "" {
		c.LogLevel = level
	}
	// Elicitation came with 2025-06-18, and questions travel on the stream.
	c.CanAsk = x.call.Version >= protocol.Version20250618 && x.sse && x.req.CanStream
}

// outlive is the beginning of a call in older revisions: it goes on when its
// client loses the connection, until the client cancels it or the session ends.
// The function must be called at its end.
func (x *exchange) outlive(ctx context.Context, e *entry) (context.Context, func()) {
	st := &stream{srv: x.srv, open: x.open, ctx: follower{request: ctx, outlives: !x.srv.cfg.Legacy.CancelOnDisconnect}}
	call := &st.ctx
	ended := func() {}
	if x.session != nil {
		ended = x.session.Begin(x.msg.ID, call.end)
	}
	if x.sse && x.req.CanStream {
		if x.session != nil {
			st.kept = x.session.Open(e.Scopes...)
			if x.call.Version >= protocol.Version20251125 {
				st.prime = prime(st.kept, 0)
			}
		}
		x.srv.keepAlive.expect(st)
		x.stream, x.call.Notifier = st, x
	} else if x.session != nil {
		x.call.Notifier = x
	}
	return call, func() {
		ended()
		call.end(nil)
	}
}

// notifySession sends a notification about a request whose answer is no stream
// on the stream of the session, if that is open.
func (x *exchange) notifySession(method string, raw []byte) {
	if own := x.session.Own(); own.Taken() {
		own.Append(notification(method, raw).event())
		x.session.News().Nudge()
	}
}

// silence ends a request that its client has cancelled: there is no response,
// and HTTP needs one.
func (x *exchange) silence() *Response {
	if !x.sse {
		return x.accepted()
	}
	resp := x.srv.eventStream()
	resp.Body = comment
	return resp
}

// legacyTool is a tool's result as the client's revision knows it; r is the
// handler's and stays as it is.
func (x *exchange) legacyTool(e *entry, r *core.ToolResult) *core.ToolResult {
	if !x.legacy {
		return r
	}
	older := *r
	older.StructuredContent = legacy.Structured(r.StructuredContent, e.shape)
	if x.call.Version < protocol.Version20250618 {
		older.Content = slices.Clone(r.Content)
		for i, c := range older.Content {
			older.Content[i] = legacy.Content(x.call.Version, c)
		}
	}
	return &older
}

// legacyPrompt is the same for a prompt's.
func (x *exchange) legacyPrompt(r *core.PromptResult) *core.PromptResult {
	if !x.legacy || x.call.Version >= protocol.Version20250618 {
		return r
	}
	older := *r
	older.Messages = slices.Clone(r.Messages)
	for i, m := range older.Messages {
		older.Messages[i].Content = legacy.Content(x.call.Version, m.Content)
	}
	return &older
}
