package core

import (
	"errors"
	"fmt"

	"github.com/parleymcp/parley/core/protocol"
)

// Error is a JSON-RPC error that goes over the wire as it is: nothing of the
// server's inside belongs in Message or Data. Returned from a handler, alone or
// anywhere in a chain, it becomes the answer; a plain error of a tool becomes a
// result with isError instead, so that the model can react to it. The codes
// −32020 to −32099 belong to the specification (MCP 2026-07-28, basic: errors).
//
// Do not embed it: the field Error would hide the method.
type Error struct {
	Code    int
	Message string
	Data    any // nil: left out
}

// Error returns the message with its code.
func (e *Error) Error() string { return fmt.Sprintf("parley: %s (%d)", e.Message, e.Code) }

// InvalidParams is the error −32602 with a text for the client.
func InvalidParams(format string, args ...any) error {
	return &Error{Code: protocol.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// ResourceNotFound is the error for a resource that does not exist, to be
// returned by the handler of a template: −32602 with data.uri, or −32002 to
// clients before 2026-07-28.
func ResourceNotFound(uri string) error {
	return &Error{
		Code: protocol.CodeInvalidParams, Message: "Resource not found",
		Data: map[string]string{"uri": uri},
	}
}

// Errors that a handler can tell apart with errors.Is.
var (
	// ErrInputRequired is in the chain of the error that [Event.InputRequired]
	// and its like return for an interim result. Return it; nothing failed.
	ErrInputRequired = errors.New("parley: input required")

	// ErrDeclined is in the chain of a [DeclinedError].
	ErrDeclined = errors.New("parley: declined")

	// ErrCannotAsk says that this client cannot be asked: an older revision
	// without a way back, a method that may not ask, or a capability that was
	// not declared. A handler may go on without the answer.
	ErrCannotAsk = errors.New("parley: this client cannot be asked")

	// ErrMisuse is a mistake in the handler: two styles of asking in one call,
	// one key for two questions. The call fails with −32603 whatever the handler
	// does, and the text is in the log.
	ErrMisuse = errors.New("parley: misuse")

	// ErrDone is returned by an event's methods after its handler has returned.
	ErrDone = errors.New("parley: the handler has returned")
)

// DeclinedError says which question the user declined or closed. Unhandled, it
// becomes an isError result of a tool, and −32602 for prompts and resources.
type DeclinedError struct {
	Key       string
	Cancelled bool // closed without a choice
}

// Error is a sentence for the model or the client.
func (e *DeclinedError) Error() string {
	if e.Cancelled {
		return fmt.Sprintf("The question %q was cancelled by the user.", e.Key)
	}
	return fmt.Sprintf("The question %q was declined by the user.", e.Key)
}

// Is matches [ErrDeclined].
func (*DeclinedError) Is(target error) bool { return target == ErrDeclined }

// InvalidAnswerError says that a question was answered wrongly too often.
// Unhandled, it becomes an isError result of a tool, and −32603 for prompts and
// resources.
type InvalidAnswerError struct {
	Key     string
	Problem Problem
}

// Error is a sentence for the model or the client.
func (e *InvalidAnswerError) Error() string {
	return fmt.Sprintf("The answer to %q is not valid: %s.", e.Key, e.Problem)
}
