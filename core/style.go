package core

import (
	"fmt"
	"log/slog"
)

// style is how a handler asks. The first call it makes decides; a second style
// in the same call is misuse, so that the first test of a handler shows it.
type style uint8

const (
	styleUnset  style = iota
	styleReturn       // Answer and InputRequired
	styleState        // State.Open, Answer, State.InputRequired
	styleFlow         // Require, Memo, Confirm, Commit
)

func (s style) String() string {
	return [...]string{"none", "return", "typed state", "straight line"}[s]
}

// enter decides the style, or finds that it was decided otherwise.
func (ev *Event) enter(s style, doing string) error {
	if ev.done {
		return ErrDone
	}
	if ev.style == styleUnset {
		ev.style = s
	}
	if ev.style != s {
		return ev.misuse("%s in a call of the %s style", doing, ev.style)
	}
	return nil
}

// misuse makes the call fail with −32603 whatever the handler returns; the text
// is for the log and, in a unit test, for the author.
func (ev *Event) misuse(format string, args ...any) error {
	err := &misuseError{text: fmt.Sprintf(format, args...)}
	ev.note(slog.LevelError, "misuse by the handler", reasonMisuse, slog.String("error", err.text))
	if ev.failure == nil {
		ev.failure = &failure{err: internalError()}
	}
	if ev.host.Misused != nil {
		ev.host.Misused(err)
	}
	return err
}

type misuseError struct{ text string }

func (e *misuseError) Error() string { return "parley: misuse: " + e.text }

func (*misuseError) Is(target error) bool { return target == ErrMisuse }
