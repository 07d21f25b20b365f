package server

import (
	"context"
	"errors"
	"log/slog"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
	"github.com/parleymcp/parley/core/server/internal/origin"
)

// HTTP methods of the protocol, the last two only with sessions; net/http need
// not be linked for their names.
const (
	methodPost   = "POST"
	methodGet    = "GET"
	methodDelete = "DELETE"
)

// serve checks what is the same for every revision of the protocol, cheapest
// and safest first: who asks, from where, in which form. The order is fixed
// (MCP 2026-07-28, basic/transports).
func (x *exchange) serve(ctx context.Context) *Response {
	r := x.req
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
	msg, err := envelope.Parse(body)
	x.msg = msg
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

// notification takes a notification. In the modern era nothing is done with
// it: one that cancels names a request by an id that its sender chose, which
// could be somebody else's; a client cancels by closing the response. In a
// session the ids are the session's own.
func (x *exchange) notification(ctx context.Context) *Response {
	v, resp := x.readVersion(ctx)
	switch {
	case resp != nil:
		return resp
	case v.present && !x.srv.serves(v.header):
		return x.unsupported(ctx, textVersion, v.header)
	case v.modern(), x.srv.cfg.Legacy.Off:
		return x.accepted()
	case !v.present && x.req.Header.Get(headers.SessionID) == "":
		return x.accepted() // of no version, so also of one that is not served
	}
	if resp := x.enterLegacy(ctx, v); resp != nil {
		return resp
	}
	x.cancelled()
	return x.accepted()
}

// cancelled cancels the request of the session that the notification names. One
// that names nothing that runs is ignored.
func (x *exchange) cancelled() {
	if x.session != nil && x.msg.Method == protocol.NotificationCancelled && x.msg.Params.RequestID != nil {
		x.session.Cancel(x.msg.Params.RequestID, errCancelled)
	}
}

// response takes an answer to a request of the server's, which only sessions
// have.
func (x *exchange) response(ctx context.Context) *Response {
	v, resp := x.readVersion(ctx)
	switch {
	case resp != nil:
		return resp
	case v.modern(), x.srv.cfg.Legacy.Off:
		return x.refuse(ctx, refuseResponse)
	}
	if resp := x.enterLegacy(ctx, v); resp != nil {
		return resp
	}
	x.answered()
	return x.accepted()
}

// answered hands the answer to the call that waits for it. What nobody waits
// for, or no longer, is dropped.
func (x *exchange) answered() {
	if x.session == nil || x.session.Answer(x.msg.ID, x.msg.Result, x.msg.Error) {
		return
	}
	if x.srv.cfg.Metrics != nil {
		x.srv.cfg.Metrics.Event("answer_unsolicited")
	}
}

func (x *exchange) accepted() *Response {
	return &Response{Status: 202, WriteTimeout: x.srv.cfg.WriteTimeout}
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
	verdict := x.srv.origin.Check(r.Host, r.Header.Values("Origin"), r.LocalAddr)
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
		slog.String("local", r.LocalAddr))
}

// identify asks who is calling. Somebody who is nobody is turned away like one
// without a token, or the two would share what is sealed for them.
func (x *exchange) identify(ctx context.Context) *Response {
	if x.srv.cfg.Principal == nil {
		x.principal = core.Anonymous
		return nil
	}
	p, err := x.srv.cfg.Principal(ctx, x.req.Header)
	if err == nil && !p.Valid() {
		err = errNobody
	}
	if err != nil {
		return x.refuse(ctx, refusePrincipal, slog.Any("error", err))
	}
	x.principal = p
	return nil
}

var errNobody = errors.New("parley: Config.Principal returned a principal without issuer or subject")
