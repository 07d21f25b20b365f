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

// request decides which era a request belongs to. Its version alone proves
// that, in the header or in _meta; what else a client sends does not. problem
// is what is wrong with the params, nil for nothing.
func (x *exchange) request(ctx context.Context, problem *refusal) *Response {
	var (
		v   named
		err error
	)
	v.header, v.present, err = headers.Single(x.req.Header, headers.ProtocolVersion)
	if err != nil {
		return x.refuseHeader(ctx, refuseVersionHeader, err)
	}
	v.meta, v.missing = x.msg.Params.Meta.Version()
	switch {
	case v.present && envelope.Modern(v.header), v.missing == "" && envelope.Modern(v.meta):
		return x.modern(ctx, v, problem)
	case x.msg.Method == protocol.MethodInitialize:
		// Clients show this text to their user, and try again on the code.
		requested, _ := envelope.Text(x.msg.Params.ProtocolVersion)
		return x.unsupported(ctx, textHandshake+strings.Join(x.srv.versions, ", "), requested)
	case v.present:
		return x.unsupported(ctx, textVersion, v.header)
	}
	return x.refuseWith(ctx, refuseVersionHeader, textNoVersion, nil)
}

// serves reports whether requests of a version are answered.
func (s *Server) serves(version string) bool { return slices.Contains(s.versions, version) }

// unsupported is the answer that tells a client which versions it may try.
func (x *exchange) unsupported(ctx context.Context, text, requested string) *Response {
	return x.refuseWith(ctx, refuseVersion, text, map[string]any{
		"supported": x.srv.versions, "requested": requested,
	})
}
