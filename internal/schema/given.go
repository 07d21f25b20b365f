package schema

import (
	"errors"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// check has the library judge value and finds out what its error is about.
func (d *document) check(value []byte) *Violation {
	if !d.growth.affordable(value) {
		return broken("is too large and too deep for this schema to be checked")
	}
	s := scanner{data: value}
	if !s.each(func(raw []byte) bool { return finite(raw, 64) }) {
		return broken(tooLarge)
	}
	s.pos = 0
	instance := s.exact()
	err := d.resolved.Validate(instance)
	if err == nil {
		return nil
	}
	return d.explain(err, instance)
}

// explain makes the library's error a violation. The chain of errors names the
// subschemas on the way to the one that failed; the last names the keyword. No
// other part of their texts is used: they quote the value.
func (d *document) explain(err error, instance any) *Violation {
	var steps []step
	pointer, ofName := "", false
	for inner := errors.Unwrap(err); inner != nil; err, inner = inner, errors.Unwrap(inner) {
		at, ok := d.failedAt(err, inner)
		if !ok {
			break
		}
		if s, moved := d.stepBetween(pointer, at); moved {
			steps = append(steps, s)
		}
		ofName = ofName || at == pointer+"/propertyNames"
		pointer = at
	}
	f := failure{schema: d.places[pointer], keyword: keywordOf(err.Error())}
	if ofName {
		return &Violation{Field: unlocated(steps), Rule: "has a member whose name the schema does not allow"}
	}
	f.alone = alone(f.schema)
	field, value, found := f.locate(instance, steps, "")
	if !found {
		field, value = unlocated(steps), nil
	}
	name, rule := f.rule(value, found)
	return &Violation{Field: join(field, name), Rule: rule}
}

// failedAt returns the pointer in "validating <place>: " before inner.
func (d *document) failedAt(err, inner error) (string, bool) {
	text, ok := strings.CutSuffix(err.Error(), ": "+inner.Error())
	if !ok {
		return "", false
	}
	at := strings.TrimPrefix(text, "validating ")
	if at == "root" {
		return "", true
	}
	if name, named := strings.CutPrefix(at, "#"); named { // draft-07, where $id is the name
		at, ok = d.anchors[name]
		return at, ok
	}
	_, ok = d.places[at]
	return at, ok
}

// step is one move into a value.
type step struct {
	name  string // of the member
	index int    // of the element
	list  bool   // into a list, else into an object
	any   bool   // any member, or any element from index on
}

// stepBetween tells from the places of two schemas how one led to the other:
// into a part of the value, or with the same value.
func (d *document) stepBetween(from, to string) (step, bool) {
	rest, ok := strings.CutPrefix(to, from+"/")
	if !ok {
		return step{}, false // a reference
	}
	keyword, key, _ := strings.Cut(rest, "/")
	if strings.Contains(key, "/") {
		return step{}, false // a reference into what is below
	}
	switch keyword {
	case "properties":
		return step{name: unescapePointer(key)}, true
	case "items", "prefixItems":
		if key == "" {
			return step{list: true, any: true, index: len(d.places[from].PrefixItems)}, true
		}
		return step{list: true, index: number([]byte(key), 0, len(key))}, true
	case "additionalItems":
		return step{list: true, any: true, index: len(d.places[from].ItemsArray)}, true
	case "unevaluatedItems":
		return step{list: true, any: true}, true
	case "additionalProperties", "unevaluatedProperties", "patternProperties":
		return step{any: true}, true
	}
	return step{}, false
}

// failure is what the library found.
type failure struct {
	schema  *jsonschema.Schema
	keyword string
	alone   *jsonschema.Resolved // the failing schema's own keywords
}

// locate goes the steps into value. Where the library does not tell which
// element it was, it is the first that breaks the rule.
func (f *failure) locate(value any, steps []step, field string) (string, any, bool) {
	if len(steps) == 0 {
		return field, value, true
	}
	s, rest := steps[0], steps[1:]
	switch v := value.(type) {
	case map[string]any:
		return f.locateMember(v, s, rest, field)
	case []any:
		if !s.list {
			break
		}
		if !s.any {
			if s.index < 0 || s.index >= len(v) {
				break
			}
			return f.locate(v[s.index], rest, atIndex(field, s.index))
		}
		for i := s.index; i < len(v); i++ {
			if at, inner, ok := f.locate(v[i], rest, atIndex(field, i)); ok && f.fails(inner) {
				return at, inner, true
			}
		}
	}
	return "", nil, false
}

func (f *failure) locateMember(object map[string]any, s step, rest []step, field string) (string, any, bool) {
	if s.list {
		return "", nil, false
	}
	if !s.any {
		inner, ok := object[s.name]
		if !ok {
			return "", nil, false
		}
		return f.locate(inner, rest, join(field, s.name))
	}
	for _, member := range object {
		// The name is the client's: "*" for whichever it is.
		if at, inner, ok := f.locate(member, rest, join(field, "*")); ok && f.fails(inner) {
			return at, inner, true
		}
	}
	return "", nil, false
}

// fails reports whether value breaks the keyword, judged on its own.
func (f *failure) fails(value any) bool { return f.alone != nil && f.alone.Validate(value) != nil }

// alone is s without the keywords that lead to other schemas.
func alone(s *jsonschema.Schema) *jsonschema.Resolved {
	if s == nil {
		return nil
	}
	resolved, err := (&jsonschema.Schema{
		Type: s.Type, Types: s.Types, Enum: s.Enum, Const: s.Const, MultipleOf: s.MultipleOf,
		Minimum: s.Minimum, Maximum: s.Maximum,
		ExclusiveMinimum: s.ExclusiveMinimum, ExclusiveMaximum: s.ExclusiveMaximum,
		MinLength: s.MinLength, MaxLength: s.MaxLength, Pattern: s.Pattern,
		MinItems: s.MinItems, MaxItems: s.MaxItems, UniqueItems: s.UniqueItems,
		MinProperties: s.MinProperties, MaxProperties: s.MaxProperties, Required: s.Required,
	}).Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

func atIndex(field string, i int) string {
	v := broken("")
	return join(field, v.at(i).Field)
}

// unlocated is the field of steps whose elements cannot be told.
func unlocated(steps []step) string {
	field := ""
	for _, s := range steps {
		switch {
		case s.list && s.any:
			field += "[]"
		case s.list:
			field = atIndex(field, s.index)
		case s.any:
			field = join(field, "*")
		default:
			field = join(field, s.name)
		}
	}
	return field
}

// keywordOf is the keyword that the text of a failure starts with.
func keywordOf(text string) string {
	if strings.HasPrefix(text, "unexpected additional properties") {
		return "additionalProperties"
	}
	keyword, _, _ := strings.Cut(text, ":")
	keyword, _, _ = strings.Cut(keyword, "[")
	if !slices.Contains(failingKeywords, keyword) {
		return ""
	}
	return keyword
}
