package core

import (
	"log/slog"

	"github.com/parleymcp/parley/core/protocol"
)

// Reasons by which the log and the metrics name what was refused or went
// wrong. They are stable; those of a state that does not open are seal's.
const (
	reasonAnswerMalformed   = "answer_malformed"
	reasonAnswerInvalid     = "answer_invalid"
	reasonAnswerUnsolicited = "answer_unsolicited"
	reasonCapabilityRefused = "capability_refused"
	reasonPauseSwallowed    = "pause_swallowed"
	reasonPauseReplaced     = "pause_replaced"
	reasonMisuse            = "misuse"
	reasonUnstableQuestion  = "unstable_question"
)

func (ev *Event) count(reason string) {
	if ev.host.Count != nil {
		ev.host.Count(reason)
	}
}

// note logs and counts a reason. attrs never hold a token, an answer or a
// principal.
func (ev *Event) note(level slog.Level, msg, reason string, attrs ...slog.Attr) {
	ev.count(reason)
	all := append([]slog.Attr{
		slog.String("reason", reason), slog.String("method", ev.call.Method), slog.String("feature", ev.name),
	}, attrs...)
	if ev.opened != nil {
		all = append(all, slog.String("flow", ev.opened.flowID()))
	}
	ev.logger().LogAttrs(ev.ctx, level, msg, all...)
}

// failure is what makes the request fail whatever its handler returns.
type failure struct {
	err        *Error
	badRequest bool
}

// fail makes the request fail by its own fault; the first failure counts.
func (ev *Event) fail(err *Error, reason, key string) error {
	attrs := []slog.Attr{}
	if key != "" {
		attrs = append(attrs, slog.String("key", key))
	}
	ev.note(slog.LevelWarn, "request refused", reason, attrs...)
	if ev.failure == nil {
		ev.failure = &failure{err: err, badRequest: true}
	}
	return err
}

// Texts that clients see. They tell nothing about the server's inside.
const (
	textInternal     = "Internal error"
	textBadAnswer    = "Invalid input response"
	textInvalidState = "Invalid request state"
	textCannotAsk    = "This call needs input from the user, which clients can be asked for as of MCP 2026-07-28"
	textCannotMethod = "This method cannot ask for input"
	textCannotChoose = "This call asks for several choices at once, which clients know as of MCP 2025-11-25"
	textNotDeclared  = "This call needs input from the user, and the client did not declare "
	textCapability   = "Missing required client capability"
	textToolFailed   = "The tool failed."
)

func internalError() *Error { return &Error{Code: protocol.CodeInternalError, Message: textInternal} }

func badAnswer() *Error { return &Error{Code: protocol.CodeInvalidParams, Message: textBadAnswer} }

// InvalidState is the answer to every requestState that does not open, the same
// whatever failed: which check it was would help somebody who probes the
// format. Transports use it for a state that no handler sees.
func InvalidState() *Error {
	return &Error{
		Code: protocol.CodeInvalidParams, Message: textInvalidState,
		Data: map[string]string{"reason": "invalid_request_state"},
	}
}
