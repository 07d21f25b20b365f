package core

import (
	"encoding/json"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// parseCapabilities reads what a client declared. Only a JSON object declares:
// true, [] and null do not, wherever they stand. An elicitation object with
// neither form nor url means form; members of the client's own do not count.
func parseCapabilities(raw json.RawMessage) ClientCapabilities {
	var c ClientCapabilities
	top := members(raw)
	if e := members(top["elicitation"]); e != nil {
		_, hasForm := e["form"]
		_, hasURL := e["url"]
		mode := &protocol.ElicitationCapability{Form: declared(e["form"]), URL: declared(e["url"])}
		if mode.Form != nil || mode.URL != nil || !hasForm && !hasURL {
			c.Elicitation = mode
		}
	}
	if s := members(top["sampling"]); s != nil {
		c.Sampling = &protocol.SamplingCapability{Context: declared(s["context"]), Tools: declared(s["tools"])}
	}
	c.Roots = declared(top["roots"])
	c.Extensions = objects(top["extensions"])
	c.Experimental = objects(top["experimental"])
	return c
}

// members returns the members of an object, nil for anything else.
func members(raw json.RawMessage) map[string]json.RawMessage {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	out := map[string]json.RawMessage{}
	if jsonx.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

func declared(raw json.RawMessage) *protocol.Empty {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	return &protocol.Empty{}
}

func objects(raw json.RawMessage) map[string]json.RawMessage {
	out := members(raw)
	for name, value := range out {
		if declared(value) == nil {
			delete(out, name)
		}
	}
	return out
}

// missing returns what of needs c lacks, and whether that is anything.
func missing(c, needs ClientCapabilities) (ClientCapabilities, bool) {
	var out ClientCapabilities
	lacks := false
	if e := needs.Elicitation; e != nil {
		form := c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
		url := c.Elicitation != nil && c.Elicitation.URL != nil
		if e.Form != nil && !form || e.URL != nil && !url {
			out.Elicitation, lacks = e, true
		}
	}
	if s := needs.Sampling; s != nil {
		if c.Sampling == nil || s.Tools != nil && c.Sampling.Tools == nil || s.Context != nil && c.Sampling.Context == nil {
			out.Sampling, lacks = s, true
		}
	}
	if needs.Roots != nil && c.Roots == nil {
		out.Roots, lacks = needs.Roots, true
	}
	return out, lacks
}

// join adds b to a, for one error that names everything at once.
func join(a, b ClientCapabilities) ClientCapabilities {
	if b.Elicitation != nil {
		e := protocol.ElicitationCapability{}
		if a.Elicitation != nil {
			e = *a.Elicitation
		}
		e.Form, e.URL = either(e.Form, b.Elicitation.Form), either(e.URL, b.Elicitation.URL)
		a.Elicitation = &e
	}
	if b.Sampling != nil {
		s := protocol.SamplingCapability{}
		if a.Sampling != nil {
			s = *a.Sampling
		}
		s.Tools, s.Context = either(s.Tools, b.Sampling.Tools), either(s.Context, b.Sampling.Context)
		a.Sampling = &s
	}
	a.Roots = either(a.Roots, b.Roots)
	return a
}

func either(a, b *protocol.Empty) *protocol.Empty {
	if a != nil {
		return a
	}
	return b
}
