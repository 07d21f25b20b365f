package schema

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parleymcp/parley/internal/jsonx"
)

// The keywords that hold subschemas, and where the library keeps these.
var (
	singleKeywords = map[string]func(*jsonschema.Schema) *jsonschema.Schema{
		"additionalItems":       func(s *jsonschema.Schema) *jsonschema.Schema { return s.AdditionalItems },
		"additionalProperties":  func(s *jsonschema.Schema) *jsonschema.Schema { return s.AdditionalProperties },
		"contains":              func(s *jsonschema.Schema) *jsonschema.Schema { return s.Contains },
		"contentSchema":         func(s *jsonschema.Schema) *jsonschema.Schema { return s.ContentSchema },
		"else":                  func(s *jsonschema.Schema) *jsonschema.Schema { return s.Else },
		"if":                    func(s *jsonschema.Schema) *jsonschema.Schema { return s.If },
		"items":                 func(s *jsonschema.Schema) *jsonschema.Schema { return s.Items },
		"not":                   func(s *jsonschema.Schema) *jsonschema.Schema { return s.Not },
		"propertyNames":         func(s *jsonschema.Schema) *jsonschema.Schema { return s.PropertyNames },
		"then":                  func(s *jsonschema.Schema) *jsonschema.Schema { return s.Then },
		"unevaluatedItems":      func(s *jsonschema.Schema) *jsonschema.Schema { return s.UnevaluatedItems },
		"unevaluatedProperties": func(s *jsonschema.Schema) *jsonschema.Schema { return s.UnevaluatedProperties },
	}
	listKeywords = map[string]func(*jsonschema.Schema) []*jsonschema.Schema{
		"allOf":       func(s *jsonschema.Schema) []*jsonschema.Schema { return s.AllOf },
		"anyOf":       func(s *jsonschema.Schema) []*jsonschema.Schema { return s.AnyOf },
		"items":       func(s *jsonschema.Schema) []*jsonschema.Schema { return s.ItemsArray },
		"oneOf":       func(s *jsonschema.Schema) []*jsonschema.Schema { return s.OneOf },
		"prefixItems": func(s *jsonschema.Schema) []*jsonschema.Schema { return s.PrefixItems },
	}
	mapKeywords = map[string]func(*jsonschema.Schema) map[string]*jsonschema.Schema{
		"$defs":             func(s *jsonschema.Schema) map[string]*jsonschema.Schema { return s.Defs },
		"definitions":       func(s *jsonschema.Schema) map[string]*jsonschema.Schema { return s.Definitions },
		"dependencies":      func(s *jsonschema.Schema) map[string]*jsonschema.Schema { return s.DependencySchemas },
		"dependentSchemas":  func(s *jsonschema.Schema) map[string]*jsonschema.Schema { return s.DependentSchemas },
		"patternProperties": func(s *jsonschema.Schema) map[string]*jsonschema.Schema { return s.PatternProperties },
		"properties":        func(s *jsonschema.Schema) map[string]*jsonschema.Schema { return s.Properties },
	}
)

// inPlaceKeywords apply their subschemas to the value itself.
var inPlaceKeywords = []string{
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies",
}

// knownKeywords are those that the library or this package acts on.
var knownKeywords = func() map[string]bool {
	known := map[string]bool{"type": true, "items": true, "dependencies": true, "x-mcp-header": true}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[jsonschema.Schema]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			known[name] = true
		}
	}
	return known
}()

// place is where a subschema is.
type place struct {
	pointer string
	depth   int
	names   []string // properties from the root
	aside   bool     // not reached through properties alone
}

func (p place) in(keyword string, key ...string) place {
	q := place{pointer: p.pointer + "/" + keyword, depth: p.depth + 1, aside: true}
	for _, k := range key {
		q.pointer += "/" + escapePointer(k)
	}
	if keyword == "properties" {
		q.aside, q.names = p.aside, append(slices.Clone(p.names), key...)
	}
	return q
}

// subschema reads the schema that comes next, which the library knows as lib.
func (d *document) subschema(lib *jsonschema.Schema, p place) {
	c := d.peek()
	switch {
	case len(d.places) >= maxSubschemas:
		d.problem("", "it has more than %d subschemas", maxSubschemas)
	case p.depth > maxDepth:
		d.problem("", "its subschemas nest deeper than %d", maxDepth)
	case c != '{' && c != 't' && c != 'f' || lib == nil:
		d.problem(p.pointer, "a schema is an object, true or false")
	case c == '{':
		d.places[p.pointer] = lib
		d.members(lib, p)
		return
	default:
		d.places[p.pointer] = lib
	}
	d.skip()
}

func (d *document) members(lib *jsonschema.Schema, p place) {
	d.pos++
	for d.more('}') {
		quoted, _ := d.name()
		keyword, _ := jsonx.Unquote(quoted)
		d.peek()
		from := d.pos
		d.member(lib, p, keyword)
		if d.pos == from {
			d.skip()
		}
	}
}

// member looks at one keyword. What it does not step over is skipped.
func (d *document) member(lib *jsonschema.Schema, p place, keyword string) {
	next := d.peek()
	if child, ok := singleKeywords[keyword]; ok && next != '[' {
		d.child(child(lib), p, p.in(keyword))
		return
	}
	if children, ok := listKeywords[keyword]; ok && next == '[' {
		if keyword == "items" && d.dialect == draft2020 {
			d.problem(p.pointer, "a list of items is of draft-07; in 2020-12 it is called prefixItems")
		}
		d.list(children(lib), p, keyword)
		return
	}
	if children, ok := mapKeywords[keyword]; ok && next == '{' {
		d.dictionary(children(lib), p, keyword)
		return
	}
	switch keyword {
	case "$schema", "$id", "$ref", "$dynamicRef", "$anchor", "$dynamicAnchor":
		d.identify(p, keyword)
	case "type":
		d.typeNames(lib, p)
	case "const":
		lib.Const = new(d.exact())
	case "enum":
		if list, ok := d.exact().([]any); ok {
			lib.Enum = list
		}
	case "x-mcp-header":
		d.annotate(lib, p)
	default:
		d.unknown(p, keyword)
	}
}

func (d *document) child(lib *jsonschema.Schema, p, at place) {
	keyword, key, _ := strings.Cut(strings.TrimPrefix(at.pointer[len(p.pointer):], "/"), "/")
	if slices.Contains(inPlaceKeywords, keyword) {
		d.inPlace[p.pointer] = append(d.inPlace[p.pointer], at.pointer)
	} else {
		d.descents[p.pointer] = append(d.descents[p.pointer], descent{keyword: keyword, key: key, child: at.pointer})
	}
	d.subschema(lib, at)
}

func (d *document) list(children []*jsonschema.Schema, p place, keyword string) {
	d.pos++
	for i := 0; d.more(']'); i++ {
		var lib *jsonschema.Schema
		if i < len(children) {
			lib = children[i]
		}
		d.child(lib, p, p.in(keyword, strconv.Itoa(i)))
	}
}

func (d *document) dictionary(children map[string]*jsonschema.Schema, p place, keyword string) {
	d.pos++
	for d.more('}') {
		quoted, _ := d.name()
		key, _ := jsonx.Unquote(quoted)
		c := d.peek()
		if keyword == "dependencies" && c == '[' { // names, not a schema
			d.skip()
			continue
		}
		from := d.pos
		d.child(children[key], p, p.in(keyword, key))
		if keyword == "properties" && (c == 't' || c == 'f') {
			text := "{}"
			if c == 'f' {
				text = `{"not":{}}`
			}
			d.edits = append(d.edits, edit{from: from, to: d.pos, text: []byte(text)})
		}
	}
}

// identify looks at a keyword that names the schema or refers to one.
func (d *document) identify(p place, keyword string) {
	if d.peek() != '"' {
		d.problem(p.pointer, "%s is a string", keyword)
		return
	}
	quoted, _ := d.str()
	value, _ := jsonx.Unquote(quoted)
	switch keyword {
	case "$schema":
		dialect, ok := dialects[value]
		if !ok {
			d.problem(p.pointer, "$schema is %q; allowed are %s and %s", value, draft2020, draft07)
		} else if p.pointer != "" && dialect != d.dialect {
			d.problem(p.pointer, "$schema is %q, another than the root's", value)
		}
	case "$id":
		name, isAnchor := strings.CutPrefix(value, "#")
		switch {
		case p.pointer == "":
		case isAnchor && d.dialect == draft07:
			d.anchors[name] = p.pointer
		default:
			d.problem(p.pointer, "$id %q; only the root may have one, since references stay within the document", value)
		}
	case "$anchor", "$dynamicAnchor":
		d.anchors[value] = p.pointer
	default:
		if !strings.HasPrefix(value, "#") {
			d.problem(p.pointer, "%s is %q; references stay within the document and start with #", keyword, value)
			return
		}
		d.refs[p.pointer] = append(d.refs[p.pointer], value)
	}
}

// target is the pointer of what ref refers to.
func (d *document) target(ref string) (string, bool) {
	fragment, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil {
		return "", false
	}
	if fragment != "" && fragment[0] != '/' {
		pointer, ok := d.anchors[fragment]
		return pointer, ok
	}
	_, ok := d.places[fragment]
	return fragment, ok
}

func (d *document) typeNames(lib *jsonschema.Schema, p place) {
	names := lib.Types
	if names == nil {
		names = []string{lib.Type}
	}
	for _, name := range names {
		if _, ok := typeRules[name]; !ok {
			d.problem(p.pointer, "type is %q; allowed are string, number, integer, boolean, array, object, null", name)
		}
	}
}

func (d *document) annotate(lib *jsonschema.Schema, p place) {
	if d.use != forInput {
		return
	}
	if d.peek() != '"' {
		d.problem(p.pointer, "x-mcp-header is a string")
		return
	}
	quoted, _ := d.str()
	name, _ := jsonx.Unquote(quoted)
	if problem := headerProblem(name, lib.Type, p.aside || len(p.names) == 0); problem != "" {
		d.problem(p.pointer, "property %s %s", strings.Join(p.names, "."), problem)
		return
	}
	d.headers.list = append(d.headers.list, Header{Name: name, Path: p.names, Type: lib.Type})
}

// unknown lets a keyword pass that the library does not know, unless it is one
// that it knows in another case: it would act on that.
func (d *document) unknown(p place, keyword string) {
	if knownKeywords[keyword] {
		return
	}
	for known := range knownKeywords {
		if strings.EqualFold(known, keyword) {
			d.problem(p.pointer, "the keyword %q is spelled %q", keyword, known)
		}
	}
}
