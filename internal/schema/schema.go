package schema

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Schema is a compiled JSON Schema: the text that clients see, and the check.
// It is immutable and safe for concurrent use.
type Schema struct {
	text       jsonx.RawMessage
	plan       *node     // of a Go type
	given      *document // of JSON
	headers    []Header
	object     bool
	references bool
}

// ForInput infers the schema of tool arguments (MCP 2026-07-28, server/tools).
// t is a struct, a map[string]T, or a pointer to one. The error names every
// field that has no schema and every tag that is wrong.
func ForInput(t reflect.Type) (*Schema, error) {
	if t == nil {
		return nil, fmt.Errorf("parley: %s has no arguments; they are a struct or a map", typeName(t))
	}
	s, err := inferred(t, forInput)
	if err == nil && !s.object {
		err = fmt.Errorf("parley: %s is no object, which arguments are; use a struct, a map or core.InputSchema", t)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ForOutput infers the schema of structured content. Its root may be any type.
func ForOutput(t reflect.Type) (*Schema, error) {
	if t == nil {
		return nil, fmt.Errorf("parley: %s has no schema", typeName(t))
	}
	return inferred(t, forOutput)
}

func inferred(t reflect.Type, u use) (*Schema, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem() // a nil result is an error before it is a value
	}
	plan, headers, err := build(t, u)
	if err != nil {
		return nil, err
	}
	return &Schema{
		text: plan.text(), plan: plan, headers: headers,
		object: plan.kind == objectKind || plan.kind == mapKind,
	}, nil
}

// ParseInput compiles the schema of tool arguments given as JSON. It must be
// 2020-12, or draft-07 if $schema says so, have "type": "object" at its root
// and refer to itself only; its depth is at most 32, its subschemas 1024, its
// size 256 KiB. It goes to clients as it is, on one line, except that boolean
// members of properties become {} and {"not":{}}: a boolean there makes clients
// drop the whole list of tools. The error names everything that is wrong.
func ParseInput(raw []byte) (*Schema, error) { return parsed(raw, forInput) }

// ParseOutput is [ParseInput] for structured content: the root may have any
// type, and annotations of headers mean nothing.
func ParseOutput(raw []byte) (*Schema, error) { return parsed(raw, forOutput) }

func parsed(raw []byte, u use) (*Schema, error) {
	d, err := parseDocument(raw, u)
	if err != nil {
		return nil, err
	}
	return &Schema{
		text: d.text, given: d, headers: d.headers.list,
		object: d.root.Type == "object", references: len(d.refs) > 0,
	}, nil
}

// JSON returns the schema on one line. It must not be written to.
func (s *Schema) JSON() jsonx.RawMessage { return s.text }

// HasReferences reports whether the schema refers to parts of itself, so that
// it cannot be moved into another one.
func (s *Schema) HasReferences() bool { return s.references }

// IsObject reports whether the root has the type object and no other.
func (s *Schema) IsObject() bool { return s.object }

// Headers returns the x-mcp-header annotations in the order of the properties.
func (s *Schema) Headers() []Header { return s.headers }

// Check holds value to the schema and returns nil if it conforms. value is one
// JSON value, already known to be valid and to repeat no member name. Members
// that the schema does not have are ignored unless it forbids them; names match
// exactly. The check of an inferred schema allocates nothing unless it fails,
// the formats email and uri excepted.
func (s *Schema) Check(value []byte) *Violation {
	if s.plan == nil {
		return s.given.check(value)
	}
	c := checker{scanner: scanner{data: value}}
	return s.plan.check(&c)
}

// Decode checks value as Check does, under the same conditions, and decodes it
// into dst, a pointer to a zero value of the type that an inferred schema is of.
// Integers may be written as 3.0 or 1e2, which encoding/json alone would refuse.
// For a given schema dst is any pointer; what conforms may still not fit it,
// which is a violation, too.
func (s *Schema) Decode(value []byte, dst any) *Violation {
	if s.plan != nil {
		return s.plan.decode(value, dst)
	}
	if v := s.given.check(value); v != nil {
		return v
	}
	return decode(apply(value, oddIntegers(value)), dst, jsonx.UnmarshalUserOnce)
}

func (n *node) decode(value []byte, dst any) *Violation {
	c := checker{scanner: scanner{data: value}, decoding: true}
	if v := n.check(&c); v != nil {
		return v
	}
	quick := jsonx.UnmarshalUserOnce
	if n.spelled {
		quick = jsonx.UnmarshalUserUnique
	}
	return decode(apply(value, c.edits), dst, quick)
}

// oddIntegers returns the edits that write every integer plainly.
func oddIntegers(value []byte) []edit {
	var edits []edit
	s := scanner{data: value}
	s.each(func(raw []byte) bool {
		if v, how := parseInteger(raw); how == otherInteger {
			edits = append(edits, edit{from: s.pos - len(raw), to: s.pos, text: v.append(nil)})
		}
		return true
	})
	return edits
}

// decode takes the quick way first: the other one reads value twice, which was
// 8 900 of the 72 000 instructions of a call with ten fields.
func decode(value []byte, dst any, quick func([]byte, any) error) *Violation {
	if quick(value, dst) == nil {
		return nil
	}
	reflect.ValueOf(dst).Elem().SetZero()
	if jsonx.UnmarshalUser(value, dst) == nil {
		return nil
	}
	t := reflect.TypeOf(dst).Elem()
	pointer := jsonx.Where(value, reflect.New(t).Interface())
	return &Violation{Field: fieldAt(t, pointer), Rule: isRefused}
}

// fieldAt turns a JSON pointer into a value of type t into a field's name.
func fieldAt(t reflect.Type, pointer string) string {
	path := ""
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Struct:
			name := strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			member, ok := memberType(t, name)
			if !ok {
				return path
			}
			path, t = join(path, name), member
		case reflect.Slice, reflect.Array:
			path, t = path+"["+token+"]", t.Elem()
		case reflect.Map:
			path, t = join(path, "*"), t.Elem()
		default:
			return path
		}
	}
	return path
}

func memberType(t reflect.Type, name string) (reflect.Type, bool) {
	fields, _ := structFields(t)
	for _, f := range fields {
		if f.name == name {
			return f.Type, true
		}
	}
	return nil, false
}
