package core

import (
	"errors"
	"log/slog"

	"github.com/parleymcp/parley/core/protocol"
)

// InputRequired asks: return its error, and the client gets an interim result
// with the questions and retries the call with the answers (MCP 2026-07-28,
// basic/patterns/mrtr).
//
//	return "", ev.InputRequired(askName)
//
// The error is [ErrInputRequired] and only a receipt: what was asked lives on
// the event, so wrapping or dropping it does not change it. Called twice, it
// asks all of it at once. Any other error says why nothing can be asked; it is
// [ErrCannotAsk] if this client cannot be, and then a handler may go on without
// the answer.
func (ev *Event) InputRequired(asks ...InputRequest) error {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if err := ev.enter(styleReturn, "InputRequired"); err != nil {
		return err
	}
	return ev.pause(asks, "")
}

// CanRequest reports whether this client can be asked all of asks: the verdict
// of [Event.InputRequired] without its error.
func (ev *Event) CanRequest(asks ...InputRequest) bool {
	return len(ev.Supported(asks...)) == len(asks)
}

// Supported returns those of asks that this client can be asked, in their
// order.
func (ev *Event) Supported(asks ...InputRequest) []InputRequest {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	var out []InputRequest
	for _, ask := range asks {
		if q := ask.asked(); q.broken() == nil && ev.admit([]*question{q}) == nil {
			out = append(out, ask)
		}
	}
	return out
}

// pause asks in the return style and with typed state.
func (ev *Event) pause(asks []InputRequest, state string) error {
	if len(asks) == 0 && state == "" {
		return ev.misuse("nothing was asked: an interim result needs a question or a state")
	}
	questions := make([]*question, len(asks))
	seen := map[string]bool{}
	for i, ask := range asks {
		q := ask.asked()
		if err := ev.usable(q); err != nil {
			return err
		}
		if seen[q.key] {
			return ev.misuse("two questions have the key %q", q.key)
		}
		seen[q.key] = true
		questions[i] = q
	}
	err := ev.pose(questions)
	if pauseIn(err) != nil {
		ev.state = state
	}
	return err
}

// usable is misuse for a mistake of the program in q, and the error for one of
// the call's data.
func (ev *Event) usable(q *question) error {
	err := q.broken()
	if q.isMistake(err) {
		return ev.misuse("%v", err)
	}
	return err
}

// pose is the only way onto an interim result, in every style: it lets nothing
// through that the wire could not carry or this client not answer.
func (ev *Event) pose(questions []*question) error {
	if err := ev.admit(questions); err != nil {
		attrs := []slog.Attr{slog.Any("error", err)}
		if ev.call.Version < protocol.FirstModern && !ev.call.CanAsk {
			attrs = append(attrs, slog.String("option", "Legacy.Sessions")) // which lets older clients be asked
		}
		ev.note(slog.LevelInfo, "cannot ask", reasonCapabilityRefused, attrs...)
		return err
	}
	for _, q := range questions {
		if err := ev.ask(q); err != nil {
			return err
		}
	}
	return &pauseError{ev: ev}
}

// ask puts q on the interim result, once.
func (ev *Event) ask(q *question) error {
	note := ""
	if p, ok := ev.problems[q.key]; ok {
		note = p.String()
	}
	params := q.wire(note)
	for _, r := range ev.open {
		if r.Key == q.key {
			if r.Method != q.method || string(r.Params) != string(params) {
				return ev.misuse("two questions have the key %q", q.key)
			}
			return nil
		}
	}
	ev.open = append(ev.open, Request{Key: q.key, Method: q.method, Params: params})
	return nil
}

// admit says whether this request may be answered with questions at all, and
// whether its client can answer these.
func (ev *Event) admit(questions []*question) error {
	switch ev.call.Method {
	case protocol.MethodToolsCall, protocol.MethodPromptsGet, protocol.MethodResourcesRead:
	default:
		return &cannotAskError{wire: &Error{Code: protocol.CodeInternalError, Message: textCannotMethod}}
	}
	if !ev.call.CanAsk {
		return ev.cannotAsk(textCannotAsk)
	}
	var lacking ClientCapabilities
	lacks := false
	for _, q := range questions {
		if m, yes := missing(ev.capabilities(), q.needs); yes {
			lacking, lacks = join(lacking, m), true
		}
		if ev.call.Version < protocol.Version20251125 && q.offersMany() {
			return ev.cannotAsk(textCannotChoose)
		}
	}
	switch {
	case !lacks:
		return nil
	case ev.call.Version < protocol.FirstModern:
		return ev.cannotAsk(textNotDeclared + listed(lacking))
	}
	return &cannotAskError{wire: &Error{
		Code: protocol.CodeMissingClientCapability, Message: textCapability,
		Data: map[string]any{"requiredCapabilities": lacking},
	}}
}

// cannotAsk refuses in the way of the revisions that have no code for it: a
// model reads why, and every other caller gets an internal error.
func (ev *Event) cannotAsk(text string) error {
	if ev.kind == KindTool {
		return &cannotAskError{text: text + "."}
	}
	return &cannotAskError{wire: &Error{Code: protocol.CodeInternalError, Message: text}}
}

// cannotAskError is the gate's refusal: an [Error] for the wire, or a text for
// the model.
type cannotAskError struct {
	wire *Error
	text string
}

func (e *cannotAskError) Error() string {
	if e.wire != nil {
		return e.wire.Error()
	}
	return "parley: " + e.text
}

func (*cannotAskError) Is(target error) bool { return target == ErrCannotAsk }

// Unwrap makes the wire error the one that is found in the chain.
func (e *cannotAskError) Unwrap() error {
	if e.wire == nil {
		return nil
	}
	return e.wire
}

// pauseError is the receipt for questions that are on an event.
type pauseError struct{ ev *Event }

func (e *pauseError) Error() string {
	return "parley: input required for " + e.ev.name
}

func (*pauseError) Is(target error) bool { return target == ErrInputRequired }

func pauseIn(err error) *pauseError {
	p, _ := errors.AsType[*pauseError](err)
	return p
}
