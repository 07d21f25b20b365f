package core

import (
	"strings"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// This file is what asking means to clients of the revisions before
// 2026-07-28, which a transport can ask over a way back of its own.

// declaredTo is what declared capabilities mean in a revision. 2025-06-18 has
// no sub-capabilities: its elicitation is by form, its sampling has no tools
// and every context.
func declaredTo(version string, c ClientCapabilities) ClientCapabilities {
	if version >= protocol.Version20251125 {
		return c
	}
	if c.Elicitation != nil {
		c.Elicitation = &protocol.ElicitationCapability{}
	}
	if c.Sampling != nil {
		c.Sampling = &protocol.SamplingCapability{Context: &protocol.Empty{}}
	}
	return c
}

// offersMany reports whether q has a field with several choices at once.
func (q *question) offersMany() bool {
	if q.method != protocol.MethodElicit || q.mode != modeForm || q.broken() != nil {
		return false
	}
	var p struct {
		Schema struct {
			Properties map[string]struct {
				Type string `json:"type"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	}
	if jsonx.Unmarshal(q.wire(""), &p) != nil {
		return false // raw params of another shape, which the client judges
	}
	for _, property := range p.Schema.Properties {
		if property.Type == "array" {
			return true
		}
	}
	return false
}

// listed are capabilities as a text names them.
func listed(c ClientCapabilities) string {
	var names []string
	add := func(declared bool, name string) {
		if declared {
			names = append(names, name)
		}
	}
	if e := c.Elicitation; e != nil {
		add(e.Form != nil, "elicitation by form")
		add(e.URL != nil, "elicitation by URL")
	}
	if s := c.Sampling; s != nil {
		add(s.Tools == nil && s.Context == nil, "sampling")
		add(s.Tools != nil, "sampling with tools")
		add(s.Context != nil, "sampling with context")
	}
	add(c.Roots != nil, "roots")
	return strings.Join(names, ", ")
}
