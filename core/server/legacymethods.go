package server

import (
	"context"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// legacyMethods are those of the revisions before 2026-07-28, but for
// initialize, which has rules of its own.
var legacyMethods = map[string]method{
	protocol.MethodPing:                  {serve: (*exchange).ping},
	protocol.MethodToolsList:             {serve: listing(core.KindTool, "tools")},
	protocol.MethodPromptsList:           {serve: listing(core.KindPrompt, "prompts")},
	protocol.MethodResourcesList:         {serve: listing(core.KindResource, "resources")},
	protocol.MethodResourceTemplatesList: {serve: listing(core.KindTemplate, "resourceTemplates")},
	protocol.MethodToolsCall:             {serve: (*exchange).callTool, named: nameOf},
	protocol.MethodPromptsGet:            {serve: (*exchange).getPrompt, named: nameOf},
	protocol.MethodResourcesRead:         {serve: (*exchange).readResource, named: uriOf},
	protocol.MethodComplete:              {serve: (*exchange).complete},
	protocol.MethodSetLevel:              {serve: (*exchange).setLevel},
	protocol.MethodSubscribe:             {serve: (*exchange).subscribe, named: uriOf},
	protocol.MethodUnsubscribe:           {serve: (*exchange).unsubscribe, named: uriOf},
}

// answerLegacy answers a request whose revision, session and form of answer are
// known. problem is what is wrong with its params, nil for nothing.
func (x *exchange) answerLegacy(ctx context.Context, problem *refusal) *Response {
	m, known := legacyMethods[x.msg.Method]
	switch {
	case !known, !x.advertisesLegacy():
		return x.refuse(ctx, refuseMethod)
	case problem != nil:
		return x.refuse(ctx, problem)
	}
	if m.named != nil {
		x.call.Target, _ = envelope.Text(m.named(&x.msg.Params)) // the method judges what is none
	}
	return m.serve(x, ctx)
}

// advertisesLegacy reports whether the method belongs to what initialize has
// declared.
func (x *exchange) advertisesLegacy() bool {
	switch x.msg.Method {
	case protocol.MethodPing:
		return true
	case protocol.MethodSetLevel:
		return x.snap.capabilities().Logging != nil
	case protocol.MethodSubscribe, protocol.MethodUnsubscribe:
		return x.session != nil && x.snap.resources()
	}
	return x.snap.advertises(x.msg.Method)
}

func (x *exchange) ping(context.Context) *Response {
	return x.reply(x.encoder().result(x.msg.ID, nil))
}

// setLevel answers logging/setLevel (MCP 2025-11-25, server/utilities/logging).
// Without a session there is nobody to remember it for.
func (x *exchange) setLevel(ctx context.Context) *Response {
	level := envelope.LogLevel(x.msg.Params.Get(envelope.ParamLevel))
	if level == "" {
		return x.refuse(ctx, refuseLevel)
	}
	if x.session != nil {
		x.session.SetLevel(level)
	}
	return x.reply(x.encoder().result(x.msg.ID, nil))
}

// subscribe answers resources/subscribe (MCP 2025-11-25, server/resources).
func (x *exchange) subscribe(ctx context.Context) *Response {
	if _, resp := x.findResource(ctx); resp != nil {
		return resp
	}
	if !x.session.News().Watch(x.call.Target, maxSubscribed, maxSubscribedBytes) {
		return x.refuse(ctx, refuseManySubscribed)
	}
	return x.reply(x.encoder().result(x.msg.ID, nil))
}

// unsubscribe answers resources/unsubscribe; what is not subscribed to stays
// so.
func (x *exchange) unsubscribe(ctx context.Context) *Response {
	if !x.namesURI() {
		return x.refuse(ctx, refuseNoURI)
	}
	x.session.News().Unwatch(x.call.Target)
	return x.reply(x.encoder().result(x.msg.ID, nil))
}
