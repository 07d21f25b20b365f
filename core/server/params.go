package server

import (
	"context"

	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
	"github.com/parleymcp/parley/internal/jsonx"
)

// mirrored is an argument of a tool that a client repeats in a header.
type mirrored struct {
	header string // as net/http stores it
	path   []string
	typ    string
}

func mirroredBy(e *entry) []mirrored {
	var out []mirrored
	for _, h := range e.Headers {
		out = append(out, mirrored{headers.ParamName(h.Name), h.Path, h.Type})
	}
	return out
}

// checkParams compares the Mcp-Param-* headers of a tool with its arguments
// (MCP 2026-07-28, basic/transports: x-mcp-header). Headers that no argument
// declares are nobody's.
func (x *exchange) checkParams(ctx context.Context, e *entry) *Response {
	if x.legacy {
		return nil // which has no such headers
	}
	for i := range e.mirrored {
		m := &e.mirrored[i]
		arg, comparing := argument(x.msg.Params.Get(envelope.ParamArguments), m.path)
		if !comparing {
			continue // fails as an argument
		}
		if err := headers.Param(x.req.Header, m.header, m.typ, arg); err != nil {
			return x.refuseHeader(ctx, refuseParamHeader, err)
		}
	}
	return nil
}

// argument is the raw value at a path of property names, nil for none. It is
// false where something on the way is neither an object nor absent.
func argument(raw []byte, path []string) (value []byte, ok bool) {
	for _, name := range path {
		switch {
		case raw == nil, string(raw) == "null":
			return nil, true
		case raw[0] != '{':
			return nil, false
		}
		raw = member(raw, name)
	}
	return raw, true
}

// member is the raw value of a member of an object, nil for none. The object
// has been parsed before, so nothing in it can fail to read.
func member(object []byte, name string) (value []byte) {
	jsonx.Members(object, func(key string, raw []byte) {
		if key == name {
			value = raw
		}
	})
	return value
}
