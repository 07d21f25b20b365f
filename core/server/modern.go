package server

import (
	"context"
	"errors"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
)

// method is how a method of the modern era is answered.
type method struct {
	serve func(*exchange, context.Context) *Response

	// named is the member of params that Mcp-Name repeats, nil for none.
	named func(*envelope.Params) []byte
}

func nameOf(p *envelope.Params) []byte { return p.Get(envelope.ParamName) }
func uriOf(p *envelope.Params) []byte  { return p.Get(envelope.ParamURI) }

// methods are those of MCP 2026-07-28. Every other one is not found, those
// among them that older revisions have.
var methods = map[string]method{
	protocol.MethodDiscover:              {serve: (*exchange).discover},
	protocol.MethodToolsList:             {serve: listing(core.KindTool, "tools")},
	protocol.MethodPromptsList:           {serve: listing(core.KindPrompt, "prompts")},
	protocol.MethodResourcesList:         {serve: listing(core.KindResource, "resources")},
	protocol.MethodResourceTemplatesList: {serve: listing(core.KindTemplate, "resourceTemplates")},
	protocol.MethodToolsCall:             {serve: (*exchange).callTool, named: nameOf},
	protocol.MethodPromptsGet:            {serve: (*exchange).getPrompt, named: nameOf},
	protocol.MethodResourcesRead:         {serve: (*exchange).readResource, named: uriOf},
	protocol.MethodComplete:              {serve: (*exchange).complete},
	protocol.MethodListen:                {serve: (*exchange).listen},
}

// modern checks a request of the stateless era, in the order that the
// specification and the tests of clients expect, and answers it.
func (x *exchange) modern(ctx context.Context, v named, problem *refusal) *Response {
	switch {
	case !v.present:
		return x.refuseWith(ctx, refuseVersionHeader, textNoVersion, nil)
	case v.missing != "" && problem != nil:
		return x.refuse(ctx, problem)
	case v.missing != "":
		return x.refuseWith(ctx, refuseParams, v.missing, nil)
	case v.meta != v.header:
		return x.refuseWith(ctx, refuseVersionHeader, textVersionDiffers, nil)
	case !x.srv.serves(v.header):
		return x.unsupported(ctx, textVersion, v.header)
	}
	x.call.Version = v.header
	if text := x.msg.Params.Meta.Problem(); text != "" {
		return x.refuseWith(ctx, refuseParams, text, nil)
	}
	m, known := methods[x.msg.Method]
	if resp := x.checkNames(ctx, m); resp != nil {
		return resp
	}
	if !known || !x.snap.advertises(x.msg.Method) {
		return x.refuse(ctx, refuseMethod)
	}
	x.json, x.sse = headers.Accept(x.req.Header.Values("Accept"))
	switch {
	case !x.json && !x.sse:
		return x.refuse(ctx, refuseAccept)
	case problem != nil:
		return x.refuse(ctx, problem)
	}
	return m.serve(x, ctx)
}

// checkNames compares Mcp-Method and Mcp-Name with the body, so that whoever
// routes by the headers and whoever acts on the body see the same request.
func (x *exchange) checkNames(ctx context.Context, m method) *Response {
	method, present, err := headers.Single(x.req.Header, headers.Method)
	switch {
	case err != nil:
		return x.refuseHeader(ctx, refuseMethodHeader, err)
	case !present:
		return x.refuseWith(ctx, refuseMethodHeader, textNoMethod, nil)
	case method != x.msg.Method:
		return x.refuseWith(ctx, refuseMethodHeader, textMethodDiffers, nil)
	case m.named == nil:
		return nil
	}
	name, present, err := headers.Decoded(x.req.Header, headers.Name)
	if err != nil {
		return x.refuseHeader(ctx, refuseNameHeader, err)
	}
	want, ok := envelope.TextLike(m.named(&x.msg.Params), name)
	switch {
	case !ok: // params have the fault, and are judged after the method
		return nil
	case !present:
		return x.refuseWith(ctx, refuseNameHeader, textNoName, nil)
	case name != want:
		return x.refuseWith(ctx, refuseNameHeader, textNameDiffers, nil)
	}
	x.call.Target = want
	return nil
}

// refuseHeader names the header and what is wrong with it.
func (x *exchange) refuseHeader(ctx context.Context, r *refusal, err error) *Response {
	text := r.message
	if e, ok := errors.AsType[*headers.Error](err); ok {
		text = "Header " + e.Header + " " + e.Reason
	}
	return x.refuseWith(ctx, r, text, nil)
}

func listing(kind core.Kind, member string) func(*exchange, context.Context) *Response {
	return func(x *exchange, ctx context.Context) *Response { return x.listed(ctx, kind, member) }
}
