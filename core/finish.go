package core

import (
	"errors"
	"log/slog"

	"github.com/parleymcp/parley/core/protocol"
)

// toolText is an error of ours that the model reads as it is.
type toolText string

func (e toolText) Error() string { return string(e) }

// finish decides how the call ends. The first that applies: a failure of the
// request itself, which nothing the handler returns can undo; the handler's own
// error; open questions; the value. convert makes the value a result.
func (ev *Event) finish(value any, err error, convert func(*Event, any) (any, error)) Outcome {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	defer func() { ev.done = true }()
	out := ev.decide(value, err, convert)
	ev.settleRound(out)
	return out
}

func (ev *Event) decide(value any, err error, convert func(*Event, any) (any, error)) Outcome {
	pause := pauseIn(err)
	if pause != nil && pause.ev != ev && ev.failure == nil {
		_ = ev.misuse("the error of another request's InputRequired was returned")
	}
	switch {
	case ev.failure != nil:
		return Outcome{Error: ev.failure.err, BadRequest: ev.failure.badRequest}
	case err != nil && pause == nil:
		if ev.paused() {
			ev.note(slog.LevelWarn, "the handler asked and returned another error", reasonPauseReplaced)
		}
		out := ev.failed(err)
		out.Cause = err
		return out
	case ev.paused():
		if err == nil {
			ev.note(slog.LevelWarn, "the handler asked and dropped the error", reasonPauseSwallowed)
		}
		return ev.interim()
	}
	result, err := convert(ev, value)
	if err != nil {
		ev.log(slog.LevelError, "the handler's result cannot be sent",
			slog.String("method", ev.call.Method), slog.String("feature", ev.name), slog.Any("error", err))
		return Outcome{Error: internalError(), Cause: err}
	}
	return Outcome{Result: result}
}

// interim is the result with the open questions. A flow's journal is sealed
// only now: every question of the round is known.
func (ev *Event) interim() Outcome {
	if ev.flow != nil {
		token, err := ev.sealFlow()
		switch {
		case ev.failure != nil:
			return Outcome{Error: ev.failure.err, BadRequest: ev.failure.badRequest}
		case err != nil:
			return ev.failed(err)
		}
		ev.state = token
	}
	return Outcome{Interim: &Interim{Requests: ev.open, State: ev.state}}
}

func (ev *Event) paused() bool { return len(ev.open) > 0 || ev.state != "" }

// failed is what a handler's error becomes: a JSON-RPC error if one is in its
// chain; for tools a result that the model can react to; else an internal
// error.
func (ev *Event) failed(err error) Outcome {
	if wire, ok := errors.AsType[*Error](err); ok {
		if wire == nil {
			_ = ev.misuse("a nil *core.Error was returned as an error")
			return Outcome{Error: internalError()}
		}
		return Outcome{Error: ev.legacyCode(wire)}
	}
	ours := ourText(err)
	level, text := slog.LevelWarn, "the handler returned an error"
	if ev.kind == KindTool {
		level = slog.LevelInfo // the model reads it, and may put it right
	}
	if ours != "" {
		level, text = slog.LevelDebug, "the call was refused" // arguments, a decline, a client that cannot be asked
	} else if ev.ctx.Err() != nil {
		level = slog.LevelDebug // the client has gone, and whoever likes can go often
	}
	ev.log(level, text,
		slog.String("method", ev.call.Method), slog.String("feature", ev.name), slog.Any("error", err))
	if ev.kind == KindTool {
		shown := err.Error()
		switch {
		case ours != "":
			shown = ours
		case ev.host.RedactErrors:
			shown = textToolFailed
		}
		return Outcome{Result: &ToolResult{Content: []Content{Text(shown)}, IsError: true}}
	}
	if errors.Is(err, ErrDeclined) {
		return Outcome{Error: &Error{Code: protocol.CodeInvalidParams, Message: ours}}
	}
	return Outcome{Error: internalError()}
}

// ourText is the text of an error that is the library's, "" for the
// application's.
func ourText(err error) string {
	if e, ok := errors.AsType[toolText](err); ok {
		return string(e)
	}
	if e, ok := errors.AsType[*cannotAskError](err); ok {
		return e.text
	}
	if e, ok := errors.AsType[*DeclinedError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*InvalidAnswerError](err); ok {
		return e.Error()
	}
	return ""
}

// legacyCode gives a missing resource the code that clients before 2026-07-28
// know.
func (ev *Event) legacyCode(err *Error) *Error {
	data, ok := err.Data.(map[string]string)
	if ok && err.Code == protocol.CodeInvalidParams && data["uri"] != "" && ev.call.Version < protocol.FirstModern {
		return &Error{Code: protocol.CodeLegacyResourceNotFound, Message: err.Message, Data: err.Data}
	}
	return err
}
