package server

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// Outcomes of calls, as [Metrics] names them.
const (
	outcomeComplete  = "complete"
	outcomeInterim   = "input_required"
	outcomeToolError = "tool_error"
	outcomeError     = "error"
	outcomeGone      = "gone"
)

// encode makes a message of what a handler came to, with the status it has
// while nothing else has been written. What cannot be encoded is the handler's
// fault; the log says what it is, the client learns no more than that.
func (x *exchange) encode(ctx context.Context, e *entry, out core.Outcome) (status int, m message, outcome string) {
	if out.Error != nil {
		return x.encodeError(ctx, e, out)
	}
	m, outcome, err := x.encodeResult(e, out)
	if err == nil {
		return 200, m, outcome
	}
	x.unencodable(ctx, e, err)
	m, _ = failure(x.msg.ID, refuseInternal.code, refuseInternal.message, nil)
	return 200, m, outcomeError
}

func (x *exchange) encodeResult(e *entry, out core.Outcome) (m message, outcome string, err error) {
	enc := x.encoder()
	if out.Interim != nil {
		m, err = enc.interimResult(x.msg.ID, out.Interim)
		return m, outcomeInterim, err
	}
	outcome = outcomeComplete
	switch r := out.Result.(type) {
	case string:
		m = enc.text(x.msg.ID, r)
	case *core.ToolResult:
		if r.IsError {
			outcome = outcomeToolError
		}
		m, err = enc.tool(x.msg.ID, x.legacyTool(e, r))
	case *core.PromptResult:
		m, err = enc.prompt(x.msg.ID, x.legacyPrompt(r))
	case *core.ResourceResult:
		m, err = enc.resource(x.msg.ID, r, x.cacheHint(e))
	case *core.Completion:
		m = enc.result(x.msg.ID, completion(r.Values))
	default:
		err = fmt.Errorf("parley: a handler's outcome is a %T", out.Result)
	}
	return m, outcome, err
}

// cacheHint is the resource's own, but what came of answers or of a state
// belongs to that request alone.
func (x *exchange) cacheHint(e *entry) core.CacheHint {
	if x.msg.Params.Get(envelope.ParamInputResponses) != nil || x.msg.Params.Get(envelope.ParamRequestState) != nil {
		return core.CacheHint{}
	}
	return e.Cache
}

// encodeError is a JSON-RPC error of a handler or of its request. A missing
// capability is the one that a handler can return to move the status.
func (x *exchange) encodeError(ctx context.Context, e *entry, out core.Outcome) (status int, m message, outcome string) {
	m, err := failure(x.msg.ID, out.Error.Code, out.Error.Message, out.Error.Data)
	if err != nil {
		x.unencodable(ctx, e, err)
	}
	if !x.legacy && (out.BadRequest || out.Error.Code == protocol.CodeMissingClientCapability) {
		return 400, m, outcomeError
	}
	return 200, m, outcomeError
}

func (x *exchange) unencodable(ctx context.Context, e *entry, err error) {
	attrs := append(caller(x.call.Principal),
		slog.String("method", x.msg.Method), slog.String("feature", e.Name), slog.Any("error", err))
	x.srv.notices.log.LogAttrs(ctx, slog.LevelError, "the handler's result cannot be encoded", attrs...)
}
