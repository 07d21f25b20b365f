package core

import (
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	"github.com/parleymcp/parley/core/seal"
)

// Require returns the answer to a question, or an error to return: the
// straight-line style. The handler runs from the top on every round, and so
// does the code between its questions; Require returns at once what was settled
// in an earlier round and asks what was not. A declined or cancelled question
// is a [DeclinedError]; an answer that stays invalid after it was asked for
// twice more is an [InvalidAnswerError]. An answer counts only for the question
// as it was asked: a reworded one is asked again.
func (a Ask[T]) Require(ev *Event) (T, error) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	var zero T
	if err := ev.require(&a.spec.question); err != nil {
		return zero, err
	}
	content, err := ev.settledContent(&a.spec.question)
	if err != nil {
		return zero, err
	}
	v, violation := a.spec.decode(content)
	if violation != nil {
		return zero, ev.refuseState(&seal.OpenError{Reason: seal.ReasonEncoding})
	}
	return v, nil
}

// Binding is a question with the place of its answer, for [RequireAll].
type Binding interface {
	InputRequest
	bind(content json.RawMessage) bool
	optional() bool
}

type binding[T any] struct {
	Ask[T]

	dst   *T
	maybe bool
}

// Into binds the answer to dst.
func (a Ask[T]) Into(dst *T) Binding { return binding[T]{Ask: a, dst: dst} }

// Optional binds the answer to dst, which stays as it is if the user declines
// or cancels.
func (a Ask[T]) Optional(dst *T) Binding { return binding[T]{Ask: a, dst: dst, maybe: true} }

func (b binding[T]) optional() bool { return b.maybe }

func (b binding[T]) bind(content json.RawMessage) bool {
	v, violation := b.spec.decode(content)
	if violation == nil {
		*b.dst = v
	}
	return violation == nil
}

// RequireAll is [Ask.Require] for several independent questions in one round.
// Answers go where they are bound; the first declined one that is not
// [Ask.Optional] ends it.
func RequireAll(ev *Event, asks ...Binding) error {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	questions := make([]*question, len(asks))
	for i, b := range asks {
		questions[i] = b.asked()
	}
	open, err := ev.settleAll(questions)
	if err != nil {
		return err
	}
	for _, b := range asks {
		if slices.Contains(open, b.asked()) {
			continue
		}
		content, err := ev.settledContent(b.asked())
		if b.optional() && errors.Is(err, ErrDeclined) {
			continue
		}
		if err != nil {
			return err
		}
		if !b.bind(content) {
			return ev.refuseState(&seal.OpenError{Reason: seal.ReasonEncoding})
		}
	}
	return ev.askAll(open)
}

// require settles one question or asks it.
func (ev *Event) require(q *question) error {
	open, err := ev.settleAll([]*question{q})
	if err != nil {
		return err
	}
	return ev.askAll(open)
}

// settleAll settles what can be settled and returns the rest.
func (ev *Event) settleAll(questions []*question) ([]*question, error) {
	f, err := ev.flowing("a straight-line question")
	if err != nil {
		return nil, err
	}
	var open []*question
	for _, q := range questions {
		settled, err := ev.settle(f, q)
		if err != nil {
			return nil, err
		}
		if !settled {
			open = append(open, q)
		}
	}
	return open, nil
}

// askAll puts the questions that are not settled on the interim result.
func (ev *Event) askAll(open []*question) error {
	if len(open) == 0 {
		return nil
	}
	return ev.pose(open)
}

// settle finds the answer to q: in the journal, or in what the client has sent
// for a question that was pending under the same digest. It reports whether q
// is settled; if not, it is recorded as to be asked.
func (ev *Event) settle(f *flow, q *question) (bool, error) {
	if err := ev.usable(q); err != nil {
		return false, err
	}
	digest := q.digest()
	if before, ok := f.seen[q.key]; ok && before != digest {
		return false, ev.misuse("two different questions have the key %q", q.key)
	}
	f.seen[q.key] = digest
	if _, asked := f.asking[q.key]; asked {
		return false, nil
	}
	next := pending{Digest: digest}
	if s, ok := f.journal.Settled[q.key]; ok {
		if s.Digest == digest {
			s.Reworded = 0
			f.journal.Settled[q.key] = s
			return true, nil
		}
		next.Reworded = s.Reworded + 1
		delete(f.journal.Settled, q.key)
	} else if p, ok := f.journal.Pending[q.key]; ok {
		if p.Digest == digest {
			next = p
			done, err := ev.take(f, q, &next)
			if done || err != nil {
				return done, err
			}
		} else {
			next.Reworded = p.Reworded + 1
		}
	}
	if next.Reworded > maxRepeats {
		ev.note(slog.LevelError, "the question changes on every round", reasonUnstableQuestion, slog.String("key", q.key))
		return false, ev.misuse("the question %q had another wording three times in a row", q.key)
	}
	f.asking[q.key] = next
	return false, nil
}

// take judges the answer to a question that was pending as it is asked now.
func (ev *Event) take(f *flow, q *question, p *pending) (bool, error) {
	raw, answered := ev.call.Responses[q.key]
	if !answered {
		return false, nil
	}
	state, content, violation := q.judge(raw)
	switch state {
	case malformed:
		return false, ev.fail(badAnswer(), reasonAnswerMalformed, q.key)
	case Invalid:
		ev.count(reasonAnswerInvalid)
		problem := problemOf(violation)
		if p.Invalid++; p.Invalid > maxRepeats {
			return false, &InvalidAnswerError{Key: q.key, Problem: problem}
		}
		if ev.problems == nil {
			ev.problems = map[string]Problem{}
		}
		ev.problems[q.key] = problem
		return false, nil
	}
	if state == Accepted {
		content = q.normal(content) // what the form does not have makes no other answer
	}
	f.journal.Settled[q.key] = settled{Digest: p.Digest, State: state, Content: content, Reworded: p.Reworded}
	return true, nil
}

// settledContent is a settled answer, which counts as read from now on, or why
// there is none.
func (ev *Event) settledContent(q *question) (json.RawMessage, error) {
	s := ev.flow.journal.Settled[q.key]
	ev.flow.answers = append(ev.flow.answers, q.key)
	if s.State != Accepted {
		return nil, &DeclinedError{Key: q.key, Cancelled: s.State == Cancelled}
	}
	return s.Content, nil
}
