package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/parleymcp/parley/internal/jsonx"
)

// field is a member of a struct as encoding/json sees it, those of embedded
// structs included.
type field struct {
	reflect.StructField
	name       string // of the member
	path       string // Go names from the struct, as "Base.ID"
	index      []int
	tagged     bool // the name is from a tag
	optional   bool // omitempty or omitzero
	viaPointer bool // a member of an embedded pointer, which may be nil
}

// structFields returns the members of t in the order they are written in, by
// the rules of encoding/json, and what is wrong with them. What encoding/json
// passes over in silence, two members of one name, is wrong here.
func structFields(t reflect.Type) ([]field, []error) {
	c := collector{root: t}
	c.collect(field{}, t, []reflect.Type{t})
	return c.dominant(), c.problems
}

type collector struct {
	root     reflect.Type
	all      []field
	problems []error
}

func (c *collector) problem(f field, format string, args ...any) {
	c.problems = append(c.problems, fieldProblem(c.root, f.path, f.Type, format, args...))
}

func (c *collector) collect(outer field, t reflect.Type, within []reflect.Type) {
	for i := range t.NumField() {
		f := field{StructField: t.Field(i), viaPointer: outer.viaPointer}
		f.index = append(slices.Clone(outer.index), i)
		f.path = join(outer.path, f.Name)
		tag := f.Tag.Get("json")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		c.readTag(&f, tag)
		if embedded, ok := f.embedded(); ok {
			c.embed(f, embedded, within)
			continue
		}
		if f.IsExported() {
			c.all = append(c.all, f)
		}
	}
}

// embedded returns the struct whose members f brings in, if it is such a field.
func (f *field) embedded() (reflect.Type, bool) {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t, f.Anonymous && !f.tagged && t.Kind() == reflect.Struct
}

func (c *collector) embed(f field, t reflect.Type, within []reflect.Type) {
	marshals, pointer, parses := jsonx.OwnText(t)
	switch {
	case slices.Contains(within, t):
		c.problem(f, "embeds itself; use core.InputSchema or core.OutputSchema")
		return
	case jsonx.OwnJSON(t) || marshals || pointer || parses:
		c.problem(f, "is embedded and encodes itself; give it a JSON name")
		return
	case f.Type.Kind() == reflect.Pointer && !f.IsExported():
		c.problem(f, "is an embedded pointer to an unexported struct, which cannot be decoded")
		return
	}
	f.viaPointer = f.viaPointer || f.Type.Kind() == reflect.Pointer
	c.collect(f, t, append(slices.Clone(within), t))
}

func (c *collector) readTag(f *field, tag string) {
	name, options, _ := strings.Cut(tag, ",")
	f.name = f.Name
	if name != "" {
		f.name, f.tagged = name, true
		if !plainName(name) {
			c.problem(*f, "has the JSON name %q; letters, digits and !#$%%&()*+-./:;<=>?@[]^_{|}~ and space are allowed", name)
		}
	}
	if options == "" {
		return
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty", "omitzero":
			f.optional = true
		case "string":
			c.problem(*f, "has the JSON option string, which no schema describes; use core.InputSchema or core.OutputSchema")
		default:
			c.problem(*f, "has the JSON option %q; omitempty and omitzero are allowed", option)
		}
	}
}

// plainName is what encoding/json takes as a name in a tag.
func plainName(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// dominant drops the fields that others of the same name hide: the shallowest
// wins, and at one depth the only tagged one.
func (c *collector) dominant() []field {
	byName := map[string][]field{}
	for _, f := range c.all {
		byName[f.name] = append(byName[f.name], f)
	}
	var out []field
	for _, f := range c.all {
		rivals := byName[f.name]
		if !slices.ContainsFunc(rivals, func(g field) bool { return g.hides(&f) }) {
			out = append(out, f)
		}
	}
	seen := map[string]string{}
	for _, f := range out {
		if other, ok := seen[f.name]; ok {
			c.problem(f, "has the same JSON name %q as %s, so that encoding/json drops both", f.name, other)
		}
		seen[f.name] = f.path
	}
	return out
}

func (f *field) hides(g *field) bool {
	if len(f.index) != len(g.index) {
		return len(f.index) < len(g.index)
	}
	return f.tagged && !g.tagged
}

// fieldProblem names the type, the field and the field's type.
func fieldProblem(root reflect.Type, path string, t reflect.Type, format string, args ...any) error {
	name := join(typeName(root), path)
	text := fmt.Sprintf(format, args...)
	if path == "" {
		return fmt.Errorf("parley: %s %s", name, text)
	}
	return fmt.Errorf("parley: field %s of type %s %s", name, t, text)
}

func typeName(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	return t.String()
}
