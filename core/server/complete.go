package server

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/internal/jsonx"
)

// maxCompletions is how many values a completion may have (MCP 2026-07-28,
// server/utilities/completion).
const maxCompletions = 100

// reference is what a completion is for: the argument of a prompt, or the
// variable of a resource template.
type reference struct {
	Type string  `json:"type"`
	Name *string `json:"name"`
	URI  *string `json:"uri"`
}

// complete reports whether the reference names what its type needs.
func (r *reference) complete() bool {
	switch r.Type {
	case "":
		return false
	case refPrompt:
		return r.Name != nil
	case refResource:
		return r.URI != nil
	}
	return true
}

// Types of references.
const (
	refPrompt   = "ref/prompt"
	refResource = "ref/resource"
)

// complete answers completion/complete. An argument that nobody completes has
// no values, since a client asks without knowing.
func (x *exchange) complete(ctx context.Context) *Response {
	var (
		p        = &x.msg.Params
		ref      reference
		argument struct {
			Name  *string `json:"name"`
			Value *string `json:"value"`
		}
		known struct {
			Arguments json.RawMessage `json:"arguments"`
		}
	)
	switch {
	case p.Get(envelope.ParamRef) == nil, jsonx.Unmarshal(p.Get(envelope.ParamRef), &ref) != nil, !ref.complete(),
		p.Get(envelope.ParamArgument) == nil, jsonx.Unmarshal(p.Get(envelope.ParamArgument), &argument) != nil,
		argument.Name == nil, argument.Value == nil:
		return x.refuse(ctx, refuseCompletion)
	case p.Get(envelope.ParamContext) != nil && jsonx.Unmarshal(p.Get(envelope.ParamContext), &known) != nil:
		return x.refuse(ctx, refuseContext)
	}
	if known.Arguments != nil && string(known.Arguments) != "null" {
		var values map[string]*string
		if jsonx.Unmarshal(known.Arguments, &values) != nil || slices.Contains(slices.Collect(maps.Values(values)), nil) {
			return x.refuse(ctx, refuseContext)
		}
		x.call.Arguments = known.Arguments
	}
	e := x.referenced(ref)
	if e == nil || !x.sees(e) || !x.granted(e) {
		return x.refuse(ctx, refuseReference)
	}
	if !slices.Contains(e.Completes, *argument.Name) {
		return x.reply(x.encoder().result(x.msg.ID, completion(nil)))
	}
	return x.run(ctx, e, func(ctx context.Context, h *core.Host, f core.Feature, c *core.Call) core.Outcome {
		return core.RunCompleter(ctx, h, f, c, *argument.Name, *argument.Value)
	})
}

// referenced is the entry that a reference names. That of a resource may be a
// template as it is listed, or a URI.
func (x *exchange) referenced(ref reference) *entry {
	switch ref.Type {
	case refPrompt:
		x.call.Target = *ref.Name
		return x.snap.byName[core.KindPrompt][x.call.Target]
	case refResource:
		x.call.Target = *ref.URI
		if e := x.snap.byName[core.KindTemplate][x.call.Target]; e != nil {
			return e
		}
		return x.snap.resource(x.call.Target)
	}
	return nil
}

// completion is the members of a completion's result. How many there are in
// all is known only where they were cut.
func completion(values []string) []byte {
	out := []byte(`"completion":{"values":[`)
	for i, v := range values[:min(len(values), maxCompletions)] {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendString(out, v)
	}
	out = append(out, ']')
	if len(values) > maxCompletions {
		out = strconv.AppendInt(append(out, `,"total":`...), int64(len(values)), 10)
		out = append(out, `,"hasMore":true`...)
	}
	return append(out, `},`...)
}
