package core

import (
	"encoding/json"
	"fmt"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// Ask is one question to the user or the client, and the way to read its
// answer: key, kind and the Go type of the answer are one value, so that asking
// under one name and reading under another does not compile. It is immutable,
// declared once, usually as a package variable, and safe for concurrent use.
// What depends on a call is derived from it by [Ask.Messagef] and
// [Ask.Choices].
type Ask[T any] struct{ spec *spec[T] }

// InputRequest is anything that can be asked: an [Ask] of any type.
type InputRequest interface {
	// Key is the name under which the question is asked and answered.
	Key() string
	asked() *question
}

// spec is a question with the Go type of its answer.
type spec[T any] struct {
	question

	decode func(content []byte) (T, *schema.Violation)
	encode func(T) (json.RawMessage, error)
}

// question is what of an ask does not depend on the answer's type.
type question struct {
	key     string
	method  string
	mode    string          // of elicitation/create: "form" or "url"
	message string          // form and URL
	schema  *schema.Form    // form; nil if given as raw params
	url     string          // URL
	lasting []byte          // of a link: what stays the same while its token changes
	params  json.RawMessage // every other kind, and raw ones: as they are sent
	needs   ClientCapabilities

	check  func(content []byte) *schema.Violation // of an accepted answer
	normal func(content []byte) []byte            // what of a form's content counts

	mistake error // made while deriving: the program's
	failure error // made by the data of this call, such as an empty list
}

func newAsk[T any](q question, decode func([]byte) (T, *schema.Violation), encode func(T) (json.RawMessage, error)) Ask[T] {
	if q.key == "" || len(q.key) > maxKey {
		panic(fmt.Sprintf("parley: the key %q of an ask must have 1 to %d bytes", q.key, maxKey))
	}
	s := &spec[T]{question: q, decode: decode, encode: encode}
	s.judgeBy(decode, encode)
	return Ask[T]{spec: s}
}

// maxKey is the longest key of an answer that a server accepts, in bytes.
const maxKey = 128

// Key is the name under which the question is asked and answered.
func (a Ask[T]) Key() string { return a.spec.key }

func (a Ask[T]) asked() *question { return &a.spec.question }

// Messagef derives an ask with another text; key and answer type stay. It is
// for elicitation, by form or URL. A text is not part of what an answer is
// matched by in the return style; in a straight-line flow a reworded question
// is asked again.
func (a Ask[T]) Messagef(format string, args ...any) Ask[T] {
	s := *a.spec
	if s.mode == "" || s.params != nil {
		s.mistake = fmt.Errorf("Messagef on the ask %q, which has no message", s.key)
	}
	s.message = fmt.Sprintf(format, args...)
	return Ask[T]{spec: &s}
}

// Choices derives an ask whose field, tagged enum:"*", offers the given
// choices. It is for forms. No choice at all is an error of the call, reported
// by whatever asks.
func (a Ask[T]) Choices(field string, choices ...Choice) Ask[T] {
	s := *a.spec
	switch {
	case s.schema == nil:
		s.mistake = fmt.Errorf("Choices on the ask %q, which is no form", s.key)
	case len(choices) == 0:
		s.failure = fmt.Errorf("parley: there is nothing to choose from for %q", s.key)
	default:
		form, err := s.schema.WithChoices(field, wireChoices(choices))
		if err != nil {
			s.mistake = err
			break
		}
		s.useForm(form)
	}
	return Ask[T]{spec: &s}
}

func (s *spec[T]) useForm(form *schema.Form) {
	s.schema = form
	s.decode = func(content []byte) (T, *schema.Violation) {
		var v T
		violation := form.Decode(content, &v)
		return v, violation
	}
	s.encode = func(v T) (json.RawMessage, error) { return form.Encode(v) }
	s.judgeBy(s.decode, s.encode)
}

// judgeBy derives what does not depend on the answer's type.
func (s *spec[T]) judgeBy(decode func([]byte) (T, *schema.Violation), encode func(T) (json.RawMessage, error)) {
	s.check = func(content []byte) *schema.Violation {
		_, v := decode(content)
		return v
	}
	s.normal = func(content []byte) []byte {
		v, violation := decode(content)
		raw, err := encode(v)
		if violation != nil || err != nil || raw == nil {
			return content
		}
		return raw
	}
}

// Encode returns the inputResponses entry of a client that accepts with v: for
// tests of handlers and for fixtures.
func (a Ask[T]) Encode(v T) (json.RawMessage, error) {
	if err := a.spec.broken(); err != nil {
		return nil, err
	}
	return a.spec.encodeAnswer(v)
}

func (s *spec[T]) encodeAnswer(v T) (json.RawMessage, error) {
	content, err := s.encode(v)
	if err != nil || s.method != protocol.MethodElicit || s.params != nil {
		return content, err
	}
	if content == nil {
		return json.RawMessage(`{"action":"accept"}`), nil
	}
	return json.RawMessage(`{"action":"accept","content":` + string(content) + `}`), nil
}

// broken is the error, if any, that keeps q from being asked or read.
func (q *question) broken() error {
	if q.mistake != nil {
		return q.mistake
	}
	if q.schema != nil && q.failure == nil {
		if open := q.schema.Unresolved(); len(open) > 0 {
			return fmt.Errorf("the field %q of the ask %q is tagged enum:\"*\" and has no choices: derive the ask with Choices", open[0], q.key)
		}
	}
	return q.failure
}

// isMistake tells the program's errors from those of the call's data.
func (q *question) isMistake(err error) bool { return err != nil && err != q.failure } //nolint:errorlint // identity is what is asked

// wire is the embedded request's params. note is added to the message: why the
// answer to the same question was not valid. It is no part of what the
// question's digest covers.
func (q *question) wire(note string) json.RawMessage {
	if q.params != nil {
		return q.params
	}
	message := q.message
	if note != "" {
		message += " (" + note + ")"
	}
	out := append([]byte(`{"mode":"`), q.mode...)
	out = append(out, `","message":`...)
	out = jsonx.AppendString(out, message)
	if q.mode == modeURL {
		out = append(out, `,"url":`...)
		out = jsonx.AppendString(out, q.url)
	} else {
		out = append(out, `,"requestedSchema":`...)
		out = append(out, q.schema.JSON()...)
	}
	return append(out, '}')
}

const (
	modeForm = "form"
	modeURL  = "url"
)
