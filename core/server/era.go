package server

import (
	"context"
	"slices"
	"strings"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
)

// named is the version as a request names it, twice.
type named struct {
	header  string
	present bool // the header
	meta    string
	missing string // why _meta names none; empty: it does
}

// modern reports whether the message belongs to the stateless era. Its version
// alone proves that, in the header or in _meta; what else a client sends does
// not.
func (v *named) modern() bool {
	return v.present && envelope.Modern(v.header) || v.missing == "" && envelope.Modern(v.meta)
}

// readVersion reads the version that the message names.
func (x *exchange) readVersion(ctx context.Context) (v named, resp *Response) {
	var err error
	v.header, v.present, err = headers.Single(x.req.Header, headers.ProtocolVersion)
	if err != nil {
		return v, x.refuseHeader(ctx, refuseVersionHeader, err)
	}
	v.meta, v.missing = x.msg.Params.Meta.Version()
	return v, nil
}

// request decides which era a request belongs to. problem is what is wrong with
// the params, nil for nothing.
func (x *exchange) request(ctx context.Context, problem *refusal) *Response {
	v, resp := x.readVersion(ctx)
	if resp != nil {
		return resp
	}
	switch {
	case v.modern():
		return x.modern(ctx, v, problem)
	case x.msg.Method == protocol.MethodInitialize:
		return x.initialize(ctx, problem)
	}
	if resp := x.enterLegacy(ctx, v); resp != nil {
		return resp
	}
	x.json, x.sse = headers.Accept(x.req.Header.Values("Accept"))
	if !x.json && !x.sse {
		return x.refuse(ctx, refuseAccept)
	}
	return x.answerLegacy(ctx, problem)
}

// enterLegacy finds the revision of a message that is not modern, and its
// session where there are any. A session id without a session behind it is told
// so by its status alone, which is what makes clients begin anew.
func (x *exchange) enterLegacy(ctx context.Context, v named) *Response {
	version := protocol.Version20250326
	if v.present {
		version = v.header
	}
	id, present, err := headers.Single(x.req.Header, headers.SessionID)
	switch {
	case x.srv.cfg.Legacy.Off:
	case err != nil:
		return x.refuseHeader(ctx, refuseNoSession, err)
	case present:
		if x.srv.sessions != nil {
			x.session = x.srv.sessions.Enter(id, owner(x.call.Principal))
		}
		if x.session == nil {
			x.msg.ID = []byte("null")
			return x.refuse(ctx, refuseSession)
		}
	}
	switch {
	case x.srv.servesLegacy(version):
	case v.present:
		return x.unsupported(ctx, textVersion, v.header)
	case x.session == nil: // a session has its version
		return x.refuseWith(ctx, refuseVersionHeader, textNoVersion, nil)
	}
	if x.session != nil {
		version = x.session.Version()
	} else if x.srv.sessions != nil && x.msg.Kind != envelope.Notification && x.msg.Kind != envelope.Response {
		return x.refuse(ctx, refuseNoSession)
	}
	x.call.Version, x.legacy = version, true
	return nil
}

// serves reports whether requests of a version are answered.
func (s *Server) serves(version string) bool { return slices.Contains(s.versions, version) }

func (s *Server) servesLegacy(version string) bool {
	return version < protocol.FirstModern && s.serves(version)
}

// unsupported is the answer that tells a client which versions it may try.
func (x *exchange) unsupported(ctx context.Context, text, requested string) *Response {
	return x.refuseWith(ctx, refuseVersion, text, map[string]any{
		"supported": x.srv.versions, "requested": requested,
	})
}

// noHandshake is what a client that begins with initialize is told by a server
// without the older revisions. Clients show the text to their user, and try
// again on the code.
func (x *exchange) noHandshake(ctx context.Context) *Response {
	requested, _ := envelope.Text(x.msg.Params.Get(envelope.ParamProtocolVersion))
	return x.unsupported(ctx, textHandshake+strings.Join(x.srv.versions, ", "), requested)
}
