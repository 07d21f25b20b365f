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
	jsonx.Members(raw, func(name string, value []byte) {
		switch name {
		case "elicitation":
			c.Elicitation = parseElicitation(value)
		case "sampling":
			c.Sampling = parseSampling(value)
		case "roots":
			c.Roots = declared(value)
		case "extensions":
			c.Extensions = objects(value)
		case "experimental":
			c.Experimental = objects(value)
		}
	})
	return c
}

func parseElicitation(raw []byte) *protocol.ElicitationCapability {
	var (
		e     protocol.ElicitationCapability
		named bool
	)
	object := jsonx.Members(raw, func(name string, value []byte) {
		switch name {
		case modeForm:
			e.Form, named = declared(value), true
		case modeURL:
			e.URL, named = declared(value), true
		}
	})
	if !object || named && e.Form == nil && e.URL == nil {
		return nil
	}
	return &e
}

func parseSampling(raw []byte) *protocol.SamplingCapability {
	var s protocol.SamplingCapability
	object := jsonx.Members(raw, func(name string, value []byte) {
		switch name {
		case "context":
			s.Context = declared(value)
		case "tools":
			s.Tools = declared(value)
		}
	})
	if !object {
		return nil
	}
	return &s
}

func declared(raw []byte) *protocol.Empty {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	return &protocol.Empty{}
}

func objects(raw []byte) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	jsonx.Members(raw, func(name string, value []byte) {
		if declared(value) == nil {
			return
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = value
	})
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
