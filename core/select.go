package core

import (
	"encoding/json"
	"fmt"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// Selection asks for one element of a list that is known only during a call.
// It cannot be asked until [Selection.From] has given it that list.
type Selection[T any] struct {
	key, message string
	choice       func(T) Choice
}

// Select declares a question whose answer is one of a list. choice says how an
// element is sent and shown; its values must be unique within a list. On the
// wire it is a form with one required property, named by the key.
func Select[T any](key, message string, choice func(T) Choice) Selection[T] {
	if key == "" || len(key) > maxKey || choice == nil {
		panic(fmt.Sprintf("parley: Select %q needs a key of 1 to %d bytes and a choice function", key, maxKey))
	}
	return Selection[T]{key: key, message: message, choice: choice}
}

// Key is the name under which the question is asked and answered.
func (s Selection[T]) Key() string { return s.key }

// From derives the ask for this call's list. The answer is an element of items
// as they are now; a value that is not among them is [Invalid]. An empty list
// is an error of the call, two elements of one value a mistake, both reported
// by whatever uses the ask.
func (s Selection[T]) From(items []T) Ask[T] {
	q := question{
		key: s.key, method: protocol.MethodElicit, mode: modeForm, message: s.message, needs: needForm,
	}
	choices := make([]schema.Choice, len(items))
	byValue := make(map[string]T, len(items))
	for i, item := range items {
		choices[i] = schema.Choice(s.choice(item))
		byValue[choices[i].Value] = item
	}
	switch {
	case len(items) == 0:
		q.failure = fmt.Errorf("parley: there is nothing to choose from for %q", s.key)
	case len(byValue) != len(items):
		q.mistake = fmt.Errorf("two elements of the list for %q have the same value", s.key)
	default:
		form, err := schema.NewSelection(s.key, "", choices)
		if err != nil {
			q.mistake = err
			break
		}
		q.schema = form
	}
	return newAsk(q, func(content []byte) (T, *schema.Violation) {
		var value string
		violation := q.schema.Decode(content, &value)
		return byValue[value], violation
	}, s.encodeContent)
}

// Encode returns the inputResponses entry of a client that chooses v.
func (s Selection[T]) Encode(v T) (json.RawMessage, error) {
	content, err := s.encodeContent(v)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(`{"action":"accept","content":` + string(content) + `}`), nil
}

func (s Selection[T]) encodeContent(v T) (json.RawMessage, error) {
	return jsonx.Marshal(map[string]string{s.key: s.choice(v).Value})
}
