package server

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/internal/jsonx"
)

// callTool answers tools/call (MCP 2026-07-28, server/tools).
func (x *exchange) callTool(ctx context.Context) *Response {
	return x.callNamed(ctx, core.KindTool, refuseTool)
}

// getPrompt answers prompts/get (MCP 2026-07-28, server/prompts).
func (x *exchange) getPrompt(ctx context.Context) *Response {
	return x.callNamed(ctx, core.KindPrompt, refusePrompt)
}

func (x *exchange) callNamed(ctx context.Context, kind core.Kind, unknown *refusal) *Response {
	if name := x.msg.Params.Get(envelope.ParamName); name == nil || name[0] != '"' {
		return x.refuse(ctx, refuseNoName)
	}
	if args := x.msg.Params.Get(envelope.ParamArguments); args != nil && args[0] != '{' {
		return x.refuse(ctx, refuseArguments)
	}
	if resp := x.readAnswers(ctx); resp != nil {
		return resp
	}
	e := x.snap.byName[kind][x.call.Target]
	if e == nil || !x.sees(e) {
		return x.refuse(ctx, unknown)
	}
	if resp := x.admit(ctx, e); resp != nil {
		return resp
	}
	if resp := x.checkParams(ctx, e); resp != nil {
		return resp
	}
	x.call.Arguments = x.msg.Params.Get(envelope.ParamArguments)
	return x.run(ctx, e, core.Run)
}

// readResource answers resources/read (MCP 2026-07-28, server/resources).
func (x *exchange) readResource(ctx context.Context) *Response {
	e, resp := x.findResource(ctx)
	if resp != nil {
		return resp
	}
	return x.run(ctx, e, core.Run)
}

// findResource is the entry of the URI in the params, for a caller who may use
// it.
func (x *exchange) findResource(ctx context.Context) (*entry, *Response) {
	if !x.namesURI() {
		return nil, x.refuse(ctx, refuseNoURI)
	}
	if resp := x.readAnswers(ctx); resp != nil {
		return nil, resp
	}
	e := x.snap.resource(x.call.Target)
	if e == nil || !x.sees(e) {
		why := refuseResource
		if x.legacy {
			why = refuseLegacyResource
		}
		return nil, x.refuseWith(ctx, why, why.message, map[string]string{"uri": x.call.Target})
	}
	return e, x.admit(ctx, e)
}

func (x *exchange) namesURI() bool {
	uri := x.msg.Params.Get(envelope.ParamURI)
	return uri != nil && uri[0] == '"'
}

// resource is the entry that serves a URI: the resource of that URI, else the
// first registered template that matches. Who is asking has no influence on
// it, so what is hidden is not served by something else.
func (s *snapshot) resource(uri string) *entry {
	if e := s.byName[core.KindResource][uri]; e != nil {
		return e
	}
	for _, e := range s.lists[core.KindTemplate].entries {
		if e.Match(uri) {
			return e
		}
	}
	return nil
}

// readAnswers takes what a client answers to an interim result. The state is
// looked at only as far as its size: which check refused one is for nobody to
// know.
func (x *exchange) readAnswers(ctx context.Context) *Response {
	p := &x.msg.Params
	if x.legacy {
		return nil // there they are nobody's members
	}
	if raw := p.Get(envelope.ParamInputResponses); raw != nil {
		responses, err := envelope.InputResponses(raw)
		if err != nil {
			return x.refuse(ctx, fromEnvelope(err))
		}
		x.call.Responses = responses
	}
	raw := p.Get(envelope.ParamRequestState)
	if raw == nil {
		return nil
	}
	// An escape makes at most one byte of six.
	if len(raw) > 6*seal.MaxToken+2 {
		return x.refuseState(ctx, seal.ReasonOversize)
	}
	state, ok := envelope.Text(raw)
	switch {
	case !ok:
		return x.refuseState(ctx, seal.ReasonEncoding)
	case len(state) > seal.MaxToken:
		return x.refuseState(ctx, seal.ReasonOversize)
	}
	x.call.State = &state
	return nil
}

func (x *exchange) refuseState(ctx context.Context, reason seal.Reason) *Response {
	x.srv.notices.count(string(reason))
	why := *refuseState
	why.reason = string(reason)
	answer := core.InvalidState()
	return x.refuseWith(ctx, &why, answer.Message, answer.Data, slog.String("method", x.msg.Method))
}

// run calls a feature and answers with what comes of it.
func (x *exchange) run(ctx context.Context, e *entry, f runner) *Response {
	m := &x.msg.Params.Meta
	c := &x.call
	c.Method, c.Header = x.msg.Method, x.req.Header
	c.ProgressToken = m.Get(envelope.MetaProgressToken)
	if x.legacy {
		x.describeClient(c)
	} else {
		c.CanAsk = true
		c.Client, c.Capabilities = m.Get(envelope.MetaClientInfo), m.Get(envelope.MetaClientCapabilities)
		c.LogLevel = envelope.LogLevel(m.Get(envelope.MetaLogLevel))
	}
	c.Trace = trace(m)
	if x.req.Open != nil {
		return x.perform(ctx, e, f)
	}
	return x.detached(ctx, e, f)
}

// trace is the trace context, nil where there is none.
func trace(m *envelope.Meta) *core.TraceContext {
	parent, state, baggage := m.Get(envelope.MetaTraceparent), m.Get(envelope.MetaTracestate), m.Get(envelope.MetaBaggage)
	if parent == nil && state == nil && baggage == nil {
		return nil
	}
	var t core.TraceContext
	t.Parent, _ = envelope.Text(parent)
	t.State, _ = envelope.Text(state)
	t.Baggage, _ = envelope.Text(baggage)
	return &t
}

// runner is core.Run, or core.RunCompleter with its arguments.
type runner func(ctx context.Context, h *core.Host, f core.Feature, c *core.Call) core.Outcome

// perform runs the handler on this goroutine. The answer stays JSON until
// something has been written before it.
func (x *exchange) perform(ctx context.Context, e *entry, f runner) *Response { //nolint:contextcheck // see follower: it ends with ctx
	switch {
	case x.legacy:
		var ended func()
		ctx, ended = x.outlive(ctx, e)
		defer ended()
	case x.sse && x.req.CanStream:
		x.stream = &stream{srv: x.srv, open: x.open, ctx: follower{request: ctx}}
		x.srv.keepAlive.expect(x.stream)
		x.call.Notifier = x
		ctx = &x.stream.ctx
	case ctx.Done() != nil:
		f := &follower{request: ctx}
		ctx = f
		defer f.end(nil)
	}
	metrics := x.srv.cfg.Metrics
	var began time.Time
	if metrics != nil {
		began = time.Now()
	}
	out := f(ctx, x.host, e.feature, &x.call)
	if x.legacy && out.Interim != nil {
		out = x.bridge(ctx, e, f, out)
	}
	status, answer, outcome := x.encode(ctx, e, out)
	cancelled := x.legacy && errors.Is(context.Cause(ctx), errCancelled)
	if cancelled {
		answer, outcome = nil, outcomeGone
	}
	var written, gone bool
	if x.stream != nil {
		written = x.stream.end(answer)
		gone = x.stream.left
	} else {
		gone = abandoned(ctx)
	}
	if metrics != nil {
		if gone {
			outcome = outcomeGone
		}
		metrics.Call(x.call.Method, e.Name, outcome, time.Since(began))
	}
	switch {
	case written, gone:
		return nil
	case cancelled:
		return x.silence()
	case status == 200:
		return x.reply(answer)
	}
	return x.respond(status, answer)
}

// Notify writes a notification about this request: on its stream, or on that of
// its session.
func (x *exchange) Notify(method string, params any) error {
	raw, err := jsonx.Marshal(params)
	if err != nil {
		return err
	}
	switch {
	case x.stream == nil:
		x.notifySession(method, raw)
		return nil
	case !x.legacy:
	case errors.Is(context.Cause(&x.stream.ctx), errCancelled):
		return errCancelled // nobody waits for it any more
	case method == protocol.NotificationProgress && !x.rises(raw):
		return nil
	}
	return x.stream.send(notification(method, raw).event())
}
