package schema

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Form is what an elicitation asks for (MCP 2026-07-28, ElicitRequestFormParams):
// the requestedSchema and the reading of what comes back. It is immutable and
// safe for concurrent use.
type Form struct {
	typ  reflect.Type // nil: a selection
	root *node
	text jsonx.RawMessage
}

// NewForm makes a form of the struct t: a flat one of strings, integers,
// floating-point numbers, booleans, [time.Time], and strings or slices of
// strings tagged enum. A pointer, omitempty or omitzero makes a field optional.
// The error names every field that is wrong.
func NewForm(t reflect.Type) (*Form, error) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("parley: %s is no form; a form is a struct", typeName(t))
	}
	root, _, err := build(t, forForm)
	if err != nil {
		return nil, err
	}
	if root.kind != objectKind {
		return nil, fmt.Errorf("parley: %s is no form; its methods make it one text", t)
	}
	return &Form{typ: t, root: root, text: root.text()}, nil
}

// formField reports whether f may be in a form, and says so if not.
func (b *builder) formField(s spot, f field) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, choices := f.Tag.Lookup("enum")
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if own, _, parses := jsonx.OwnText(t); own || parses || t == numberType {
			break
		}
		return true
	case reflect.Slice:
		if e := t.Elem(); e.Kind() == reflect.String {
			if own, _, parses := jsonx.OwnText(e); own || parses {
				break
			}
			if choices {
				return true
			}
			b.problem(s, "is a list without choices; a form has slices of strings with enum only")
			return false
		}
	case reflect.Struct:
		if t == timeType {
			return true
		}
	default:
	}
	b.problem(s, "cannot be in a form; allowed are strings, integers, floats, booleans, time.Time, slices of strings with enum, and pointers to these")
	return false
}

// JSON returns the requestedSchema on one line: properties in the order of the
// fields, required always a list. It must not be written to. A field that is
// [Form.Unresolved] has no choices in it.
func (f *Form) JSON() jsonx.RawMessage { return f.text }

// Decode checks the content of an accepted answer and decodes it into dst, a
// pointer to a zero value of the form's type. Absent or null content is {}.
//
// A required member must be there; null for an optional one counts as absent.
// Members the form does not have are dropped, defaults are not filled in. A
// multiple choice may name one value twice: JSON Schema has no rule against it
// in what clients are sent. Nothing is decoded unless everything conforms.
//
// For a selection, dst may be a *string for the chosen value alone.
func (f *Form) Decode(content []byte, dst any) *Violation {
	content = emptied(content)
	chosen, ok := dst.(*string)
	if !ok || f.typ != nil {
		return f.root.decode(content, dst)
	}
	if v := f.root.check(&checker{scanner: scanner{data: content}}); v != nil {
		return v
	}
	*chosen = f.chosen(content)
	return nil
}

// emptied makes absent and null content the empty object.
func emptied(content []byte) []byte {
	s := scanner{data: content}
	if c := s.peek(); c == 0 || c == 'n' {
		return []byte("{}")
	}
	return content
}

// chosen is the value in the answer to a selection.
func (f *Form) chosen(content []byte) string {
	c := checker{scanner: scanner{data: content}}
	c.peek()
	c.pos++
	for c.more('}') {
		if f.root.find(&c, 0) < 0 {
			c.skip()
			continue
		}
		c.peek()
		quoted, _ := c.str()
		value, _ := jsonx.Unquote(quoted)
		return value
	}
	return ""
}

// Encode returns the content that a client would accept v with: a value of the
// form's type or a pointer to one, for a selection the chosen string. Absent
// optional members are left out. It is an error if v breaks the form.
func (f *Form) Encode(v any) (jsonx.RawMessage, error) {
	content, err := f.encode(v)
	if err != nil {
		return nil, err
	}
	if v := f.root.check(&checker{scanner: scanner{data: content}}); v != nil {
		return nil, v
	}
	return content, nil
}

func (f *Form) encode(v any) ([]byte, error) {
	if f.typ == nil {
		value := reflect.ValueOf(v)
		if value.Kind() != reflect.String {
			return nil, fmt.Errorf("parley: %T is no string, which the answer to a selection is", v)
		}
		w := writer{}
		w.open('{')
		w.key(f.root.props[0].name)
		w.string(value.String())
		w.close('}')
		return w.buf, nil
	}
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	if !value.IsValid() || value.Type() != f.typ {
		return nil, fmt.Errorf("parley: %T is not %s, the form's type", v, f.typ)
	}
	content, err := jsonx.MarshalUser(value.Interface())
	if err != nil {
		return nil, errors.Join(errors.New("parley: the form's value cannot be encoded"), err)
	}
	return withoutNull(content), nil
}

// withoutNull drops the members of object that are null.
func withoutNull(object []byte) []byte {
	s := scanner{data: object, pos: 1}
	w := writer{}
	w.open('{')
	for s.more('}') {
		from := s.pos
		s.name()
		if s.peek() == 'n' {
			s.skip()
			continue
		}
		s.skip()
		w.raw(string(object[from:s.pos]))
	}
	w.close('}')
	return w.buf
}
