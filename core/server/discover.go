package server

import (
	"context"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// discovered is the members of the result of server/discover, for one
// snapshot (MCP 2026-07-28, server/discover).
type discovered []byte

func (x *exchange) discover(context.Context) *Response {
	return x.reply(x.encoder().result(x.msg.ID, x.snap.discover))
}

func (s *Server) discovered(snap *snapshot) discovered {
	out := append([]byte(`"supportedVersions":[`), s.quotedVersions()...)
	// Booleans and strings: nothing in it can fail to encode.
	capabilities, _ := jsonx.Marshal(snap.capabilities())
	out = append(append(out, `],"capabilities":`...), capabilities...)
	if s.cfg.Instructions != "" {
		out = jsonx.AppendString(append(out, `,"instructions":`...), s.cfg.Instructions)
	}
	return s.listHint(append(out, ','))
}

func (s *Server) quotedVersions() []byte {
	var out []byte
	for i, v := range s.versions {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendString(out, v)
	}
	return out
}

// capabilities are what is served, and nothing else. A stateless server can
// deliver changes on subscriptions/listen, and log on the stream of a call.
func (s *snapshot) capabilities() protocol.ServerCapabilities {
	var c protocol.ServerCapabilities
	if s.served[core.KindTool] {
		c.Tools = &protocol.ListCapability{ListChanged: true}
	}
	if s.served[core.KindPrompt] {
		c.Prompts = &protocol.ListCapability{ListChanged: true}
	}
	if s.resources() {
		c.Resources = &protocol.ListCapability{ListChanged: true, Subscribe: true}
	}
	if s.completions {
		c.Completions = &protocol.Empty{}
	}
	if c.Tools != nil || c.Prompts != nil || c.Resources != nil {
		c.Logging = &protocol.Empty{}
	}
	return c
}

func (s *snapshot) resources() bool {
	return s.served[core.KindResource] || s.served[core.KindTemplate]
}

// advertises reports whether a method belongs to a capability that is served.
func (s *snapshot) advertises(method string) bool {
	switch method {
	case protocol.MethodToolsList, protocol.MethodToolsCall:
		return s.served[core.KindTool]
	case protocol.MethodPromptsList, protocol.MethodPromptsGet:
		return s.served[core.KindPrompt]
	case protocol.MethodResourcesList, protocol.MethodResourceTemplatesList, protocol.MethodResourcesRead:
		return s.resources()
	case protocol.MethodComplete:
		return s.completions
	case protocol.MethodDiscover, protocol.MethodListen:
		return true
	}
	return false
}
