package server

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
	"github.com/parleymcp/parley/core/server/internal/session"
	"github.com/parleymcp/parley/internal/jsonx"
)

// maxClient is how much a session keeps of what a client says of itself, and of
// what it can, in bytes each.
const maxClient = 16 << 10

// owner is whom a session of p belongs to.
func owner(p core.Principal) session.Owner {
	return session.Owner{Issuer: p.Issuer, Subject: p.Subject, Tenant: p.Tenant, Client: p.Client}
}

// initialize answers the handshake of the older revisions (MCP 2025-11-25,
// basic/lifecycle). A version that is not served is answered with the newest
// that is, and the client decides. A session id that came along belongs to the
// session before.
func (x *exchange) initialize(ctx context.Context, problem *refusal) *Response {
	served := x.srv.cfg.Legacy.served()
	if len(served) == 0 {
		return x.noHandshake(ctx)
	}
	x.legacy = true
	x.json, x.sse = headers.Accept(x.req.Header.Values("Accept"))
	p := &x.msg.Params
	version, ok := envelope.Text(p.Get(envelope.ParamProtocolVersion))
	capabilities, info := p.Get(envelope.ParamCapabilities), p.Get(envelope.ParamClientInfo)
	switch {
	case !x.json && !x.sse:
		return x.refuse(ctx, refuseAccept)
	case problem != nil:
		return x.refuse(ctx, problem)
	case !ok, capabilities != nil && capabilities[0] != '{', info != nil && info[0] != '{':
		return x.refuse(ctx, refuseInitialize)
	}
	if !x.srv.servesLegacy(version) {
		version = served[0]
	}
	x.call.Version = version
	if x.srv.sessions == nil {
		return x.reply(x.initialized())
	}
	if len(info) > maxClient {
		info = nil // it is for logs
	}
	if len(capabilities) > maxClient {
		return x.refuse(ctx, refuseCapabilities)
	}
	s, err := x.srv.sessions.Create(owner(x.call.Principal), session.Client{
		Version: version, Info: info, Capabilities: capabilities,
	})
	switch {
	case errors.Is(err, session.ErrClosed):
		return x.refuse(ctx, refuseClosing)
	case err != nil:
		return x.refuse(ctx, refuseSessions, slog.Any("error", err))
	}
	x.session = s
	resp := x.reply(x.initialized())
	resp.Header = append(slices.Clip(resp.Header), Field{headers.SessionID, s.ID()})
	return resp
}

// initialized is the result of initialize.
func (x *exchange) initialized() message {
	out := jsonx.AppendString([]byte(`"protocolVersion":`), x.call.Version)
	// Booleans and strings: nothing in it can fail to encode.
	capabilities, _ := jsonx.Marshal(x.legacyCapabilities())
	out = append(append(out, `,"capabilities":`...), capabilities...)
	out = append(append(out, ','), x.srv.older.serverInfo...)
	if x.srv.cfg.Instructions != "" {
		out = jsonx.AppendString(append(out, `,"instructions":`...), x.srv.cfg.Instructions)
	}
	return x.encoder().result(x.msg.ID, out)
}

// legacyCapabilities are what is served in older revisions: without a session
// there is no stream on which a change could be announced.
func (x *exchange) legacyCapabilities() protocol.ServerCapabilities {
	c := x.snap.capabilities()
	if x.srv.sessions != nil {
		return c
	}
	for _, list := range []*protocol.ListCapability{c.Tools, c.Prompts, c.Resources} {
		if list != nil {
			*list = protocol.ListCapability{}
		}
	}
	return c
}
