package server

import (
	"context"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
	"github.com/parleymcp/parley/core/server/internal/session"
)

// This file is about messages that nobody answers: notifications, and the
// answers of clients.

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
	id := x.msg.Params.Get(envelope.ParamRequestID)
	if x.session != nil && x.msg.Method == protocol.NotificationCancelled && id != nil {
		x.session.Cancel(id, errCancelled)
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
	by := session.Credentials{Scopes: x.call.Scopes, Expires: x.expires}
	if x.session != nil && !x.session.Answer(x.msg.ID, x.msg.Result, x.msg.Error, by) {
		x.srv.notices.count("answer_unsolicited")
	}
}

func (x *exchange) accepted() *Response {
	return &Response{Status: 202, WriteTimeout: x.srv.cfg.WriteTimeout}
}
