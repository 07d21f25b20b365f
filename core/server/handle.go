package server

import (
	"context"
	"log/slog"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
	"github.com/parleymcp/parley/core/server/internal/origin"
)

// HTTP methods of the protocol, GET and DELETE only with sessions, and of
// metadata; net/http need not be linked for their names.
const (
	methodPost    = "POST"
	methodGet     = "GET"
	methodDelete  = "DELETE"
	methodHead    = "HEAD"
	methodOptions = "OPTIONS"
)

// serve checks what is the same for every revision of the protocol, cheapest
// and safest first: who asks, from where, in which form. The order is fixed
// (MCP 2026-07-28, basic/transports).
func (x *exchange) serve(ctx context.Context) *Response {
	r := x.req
	if resp := x.describe(ctx); resp != nil {
		return resp
	}
	if resp := x.checkOrigin(ctx); resp != nil {
		return resp
	}
	get, del := r.Method == methodGet, r.Method == methodDelete
	if r.Method != methodPost && (!get && !del || x.srv.sessions == nil) {
		return x.refuseHTTP(ctx)
	}
	if resp := x.identify(ctx); resp != nil {
		return resp
	}
	switch {
	case get:
		return x.hear(ctx)
	case del:
		return x.endSession(ctx)
	}
	if !headers.JSONContentType(r.Header.Values("Content-Type")) {
		return x.refuse(ctx, refuseContentType)
	}
	if !headers.Identity(r.Header.Values("Content-Encoding")) {
		return x.refuse(ctx, refuseEncoding)
	}
	body, why := readBody(r, x.srv.cfg.MaxBody)
	if why != nil {
		return x.refuse(ctx, why, slog.Int64("announced", r.ContentLength))
	}
	return x.message(ctx, body)
}

// message tells what kind of message a body is. A problem with the params of a
// request is kept for later: its version comes first.
func (x *exchange) message(ctx context.Context, body []byte) *Response {
	err := x.msg.Parse(body)
	var problem *refusal
	if err != nil {
		problem = fromEnvelope(err)
		if problem.code != protocol.CodeInvalidParams {
			return x.refuse(ctx, problem)
		}
	}
	switch x.msg.Kind {
	case envelope.Notification:
		return x.notification(ctx)
	case envelope.Response:
		return x.response(ctx)
	}
	if !x.enter() {
		return x.refuse(ctx, refuseClosing)
	}
	x.snap = x.srv.registry.Load()
	x.host = x.srv.host.Load()
	if x.msg.Kind == envelope.Batch {
		return x.batch(ctx)
	}
	return x.request(ctx, problem)
}

// refuseHTTP refuses the HTTP method.
func (x *exchange) refuseHTTP(ctx context.Context) *Response {
	if x.srv.sessions != nil {
		return x.refuse(ctx, refuseHTTPMethods)
	}
	return x.refuse(ctx, refuseHTTPMethod)
}

// checkOrigin keeps web pages out that may not call this server, whatever the
// HTTP method. The log says which option would let the request in; the client
// learns nothing from it.
func (x *exchange) checkOrigin(ctx context.Context) *Response {
	r := x.req
	verdict := x.srv.origin.Check(r.Host, r.Header.Values("Origin"), origin.Loopback(r.LocalAddr))
	if verdict.Allowed() {
		return nil
	}
	why := *refuseOrigin
	why.reason = verdict.Reason()
	if verdict == origin.HostNotAllowed || verdict == origin.HostNotLoopback {
		why.message = textHost
	}
	return x.refuse(ctx, &why,
		slog.String("advice", verdict.Advice()), slog.String("option", verdict.Option()),
		slog.String("origin", clip(r.Header.Get("Origin"))), slog.String("host", clip(r.Host)),
		slog.Any("local", r.LocalAddr))
}
