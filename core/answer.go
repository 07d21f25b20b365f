package core

import (
	"encoding/json"
	"errors"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// AnswerState says what became of a question.
type AnswerState int

// The five states of an answer. Missing and Invalid are the ones to ask
// (again); Declined and Cancelled are answers.
const (
	Missing   AnswerState = iota // not asked yet, or not answered
	Accepted                     // answered, and valid against what was asked
	Declined                     // the user said no
	Cancelled                    // the user closed it without a choice
	Invalid                      // accepted with content that breaks what was asked
)

// String is the state's name.
func (s AnswerState) String() string {
	return [...]string{"Missing", "Accepted", "Declined", "Cancelled", "Invalid"}[s]
}

// Answer is what became of a question. Value counts only if State is Accepted,
// Problem only if it is Invalid.
type Answer[T any] struct {
	State   AnswerState
	Value   T
	Problem Problem
}

// Problem says which field of an answer breaks which rule. It never carries
// the value. If the question is asked again, its text is added to the message.
type Problem struct{ Field, Rule string }

// String is the problem in a form to show.
func (p Problem) String() string {
	if p.Field == "" {
		return p.Rule
	}
	return p.Field + " " + p.Rule
}

func problemOf(v *schema.Violation) Problem { return Problem{Field: v.Field, Rule: v.Rule} }

// Answer reads the answer of the round that has just come in, in the return
// style: found by key, checked against this ask. Answers do not accumulate; an
// earlier round's are gone unless they were put into typed state. An entry that
// is no answer at all fails the request with −32602 whatever the handler does
// then; the result is Invalid meanwhile.
func (a Ask[T]) Answer(ev *Event) Answer[T] {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	state, content, problem := ev.read(&a.spec.question)
	out := Answer[T]{State: state, Problem: problem}
	if state == Accepted {
		out.Value, _ = a.spec.decode(content)
	}
	return out
}

// Accepted is the short form for a question whose refusal does not matter: it
// does not tell a missing, a declined, a cancelled and an invalid answer apart.
// Asking again whenever it says no asks a user who declined for ever; use
// [Ask.Answer] for that.
func (a Ask[T]) Accepted(ev *Event) (T, bool) {
	answer := a.Answer(ev)
	return answer.Value, answer.State == Accepted
}

// Missing returns those of asks that have no valid answer yet, in their order.
// A declined or cancelled one has.
func (ev *Event) Missing(asks ...InputRequest) []InputRequest {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	var out []InputRequest
	for _, ask := range asks {
		if state, _, _ := ev.read(ask.asked()); state == Missing || state == Invalid {
			out = append(out, ask)
		}
	}
	return out
}

// Response returns the client's raw entry for a key. It is whatever the client
// sent, unchecked: for questions asked with [Raw] parameters, and for tests.
func (ev *Event) Response(key string) (json.RawMessage, bool) {
	raw, ok := ev.call.Responses[key]
	return raw, ok
}

// read judges the entry for q in the return style and with typed state.
func (ev *Event) read(q *question) (AnswerState, json.RawMessage, Problem) {
	if ev.done {
		return Missing, nil, Problem{}
	}
	if ev.style == styleUnset {
		ev.style = styleReturn
	}
	if ev.style == styleFlow {
		_ = ev.misuse("the answer to %q is read with Answer in a straight-line flow", q.key)
		return Missing, nil, Problem{}
	}
	if ev.usable(q) != nil {
		return Missing, nil, Problem{} // whoever asks it gets the error
	}
	raw, ok := ev.call.Responses[q.key]
	if !ok {
		return Missing, nil, Problem{}
	}
	if ev.opened != nil && !ev.opened.hasAsked(q.key) {
		ev.count(reasonAnswerUnsolicited)
		return Missing, nil, Problem{}
	}
	state, content, violation := q.judge(raw)
	switch state {
	case malformed:
		_ = ev.fail(badAnswer(), reasonAnswerMalformed, q.key)
		return Invalid, nil, Problem{}
	case Invalid:
		problem := problemOf(violation)
		if ev.problems == nil {
			ev.problems = map[string]Problem{}
		}
		ev.problems[q.key] = problem
		ev.count(reasonAnswerInvalid)
		return Invalid, nil, problem
	}
	return state, content, Problem{}
}

// malformed is what [question.judge] says of an entry that is no answer to its
// kind of question; it is no state that a handler sees.
const malformed AnswerState = -1

// judge says what an entry of inputResponses is as an answer to q, and returns
// an accepted answer's content.
func (q *question) judge(raw json.RawMessage) (AnswerState, json.RawMessage, *schema.Violation) {
	if q.method != protocol.MethodElicit {
		if !looksLike(q.method, raw) || q.check(raw) != nil {
			return malformed, nil, nil
		}
		return Accepted, raw, nil
	}
	var action, content []byte
	jsonx.Members(raw, func(name string, value []byte) {
		switch name {
		case "action":
			action = value
		case "content":
			content = value
		}
	})
	said, _ := jsonx.Unquote(action) // "" if it is no string
	switch said {
	case "decline":
		return Declined, nil, nil
	case "cancel":
		return Cancelled, nil, nil
	case "accept":
		return q.judgeContent(raw, content)
	}
	return malformed, nil, nil
}

// judgeContent judges what was accepted.
func (q *question) judgeContent(raw, content json.RawMessage) (AnswerState, json.RawMessage, *schema.Violation) {
	if q.mode == modeURL {
		if q.params != nil { // raw: the whole entry is the value
			return Accepted, raw, nil
		}
		return Accepted, nil, nil
	}
	if content == nil || string(content) == "null" {
		content = json.RawMessage("{}")
	}
	if !flat(content) {
		return malformed, nil, nil
	}
	if q.params != nil {
		return Accepted, raw, nil
	}
	if v := q.check(content); v != nil {
		return Invalid, nil, v
	}
	return Accepted, content, nil
}

// looksLike tells a result of one method from that of another, and from a
// wrapper around it.
func looksLike(method string, raw json.RawMessage) bool {
	var content, role, model, roots byte
	jsonx.Members(raw, func(name string, value []byte) {
		switch name {
		case "content":
			content = value[0]
		case "role":
			role = value[0]
		case "model":
			model = value[0]
		case "roots":
			roots = value[0]
		}
	})
	if method == protocol.MethodListRoots {
		return roots == '['
	}
	return role == '"' && model == '"' && (content == '{' || content == '[')
}

// flat reports whether content is an object of strings, numbers, booleans and
// lists of strings: what a form can be filled with.
func flat(content json.RawMessage) bool {
	ok := true
	object := jsonx.Members(content, func(_ string, value []byte) {
		switch value[0] {
		case '{', 'n':
			ok = false
		case '[':
			ok = ok && listOfStrings(value)
		}
	})
	return object && ok
}

func listOfStrings(raw []byte) bool {
	return jsonx.Walk(raw, func(d *jsonx.Decoder) error {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			tok, err := d.ReadToken()
			if err != nil {
				return err
			}
			if tok.Kind() != '"' {
				return errNoString
			}
		}
		return nil
	}) == nil
}

var errNoString = errors.New("parley: not a string")
