package schema

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
)

const (
	// maxDepth and maxSubschemas are the caps on every schema, inferred or given.
	maxDepth      = 32
	maxSubschemas = 1024
)

// use is what a plan is made for.
type use uint8

const (
	forInput use = iota
	forOutput
	forForm
)

var (
	timeType   = reflect.TypeFor[time.Time]()
	rawType    = reflect.TypeFor[jsonx.RawMessage]()
	numberType = reflect.TypeFor[jsonx.Number]()
)

// builder makes a plan of a Go type and collects everything that is wrong.
type builder struct {
	use      use
	root     reflect.Type
	within   []reflect.Type // from the root to here: what comes again is recursive
	nodes    int
	problems []error
	headers  headerSet
}

// spot is the place that is being built.
type spot struct {
	path    string // Go names, for problems
	t       reflect.Type
	names   []string // of members, for headers
	aside   bool     // within a list or map, where no header annotation may be
	pointer bool     // reached through a pointer
}

func build(t reflect.Type, u use) (*node, []Header, error) {
	b := builder{use: u, root: t}
	n := b.node(spot{t: t})
	b.headers.finish(&b.problems)
	if len(b.problems) > 0 {
		return nil, nil, errors.Join(b.problems...)
	}
	spelled, free := n.keeps()
	n.spelled = spelled && !free
	return n, b.headers.list, nil
}

func (b *builder) problem(s spot, format string, args ...any) {
	b.problems = append(b.problems, fieldProblem(b.root, s.path, s.t, format, args...))
}

// instead says what to do about a type that has no schema.
func (b *builder) instead() string {
	if b.use == forOutput {
		return "use core.OutputSchema"
	}
	return "use core.InputSchema"
}

func (b *builder) node(s spot) *node {
	n := &node{maxLen: -1, maxItems: -1, form: b.use == forForm}
	for s.t.Kind() == reflect.Pointer {
		s.t, s.pointer = s.t.Elem(), true
		n.nullable = b.use == forOutput
	}
	b.nodes++
	switch {
	case b.nodes == maxSubschemas+1:
		b.problem(s, "makes more than %d subschemas; %s", maxSubschemas, b.instead())
	case len(b.within) > maxDepth:
		b.problem(s, "nests deeper than %d; %s", maxDepth, b.instead())
	case slices.Contains(b.within, s.t):
		b.problem(s, "is recursive; %s", b.instead())
	case b.nodes <= maxSubschemas:
		b.within = append(b.within, s.t)
		if !b.special(n, s) {
			b.plain(n, s)
		}
		b.within = b.within[:len(b.within)-1]
	}
	return n
}

// special builds the types whose JSON their methods decide.
func (b *builder) special(n *node, s spot) bool {
	marshals, pointerMarshals, unmarshals := jsonx.OwnText(s.t)
	marshals = marshals || s.pointer && pointerMarshals
	switch {
	case s.t == timeType:
		n.kind, n.format = textKind, dateTimeFormat
	case s.t == rawType:
		n.kind = anyKind
		n.nullable = false
	case s.t == numberType:
		b.problem(s, "is a json.Number, which is no JSON number here; use int64, float64 or json.RawMessage")
	case jsonx.OwnJSON(s.t):
		b.problem(s, "has JSON methods of its own, so that its schema cannot be known; %s", b.instead())
	case !pointerMarshals && !unmarshals:
		return false
	case !unmarshals:
		b.problem(s, "has MarshalText but not UnmarshalText; %s", b.instead())
	case !pointerMarshals:
		b.problem(s, "has UnmarshalText but not MarshalText; %s", b.instead())
	case b.use == forOutput && !marshals:
		b.problem(s, "has MarshalText on the pointer only, which is not always called; declare it on the value")
	default:
		n.kind, n.own = textKind, true
	}
	return true
}

func (b *builder) plain(n *node, s spot) {
	switch s.t.Kind() {
	case reflect.Bool:
		n.kind = boolKind
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.signed(s.t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n.unsigned(s.t.Bits())
	case reflect.Float32, reflect.Float64:
		n.kind, n.bits = floatKind, s.t.Bits()
	case reflect.String:
		n.kind = textKind
	case reflect.Slice, reflect.Array:
		b.list(n, s)
	case reflect.Map:
		b.dictionary(n, s)
	case reflect.Struct:
		b.object(n, s)
	case reflect.Interface:
		if s.t.NumMethod() != 0 {
			b.problem(s, "is an interface with methods; %s", b.instead())
		}
		n.bits, n.nullable = 64, false
	default:
		b.problem(s, "is a %s, which has no JSON; %s", s.t.Kind(), b.instead())
	}
}

// signed sets the range of a type. The text has the bounds of the small types
// only: those of 64 bits are no numbers in JavaScript.
func (n *node) signed(bits int) {
	limit := uint64(1) << (bits - 1)
	n.kind, n.lo, n.hi = intKind, integer{neg: true, abs: limit}, integer{abs: limit - 1}
	if bits < 64 {
		n.min, n.max = n.lo.String(), n.hi.String()
	}
}

func (n *node) unsigned(bits int) {
	n.kind, n.hi, n.min = intKind, integer{abs: math.MaxUint64 >> (64 - bits)}, "0"
	if bits < 64 {
		n.max = n.hi.String()
	}
}

func (b *builder) list(n *node, s spot) {
	element := s.t.Elem()
	if s.t.Kind() == reflect.Slice && element.Kind() == reflect.Uint8 {
		if marshals, pointer, _ := jsonx.OwnText(element); !marshals && !pointer && !jsonx.OwnJSON(element) {
			n.kind, n.base64 = textKind, true
			return
		}
	}
	n.kind = listKind
	n.item = b.node(spot{path: s.path + "[]", t: element, aside: true, pointer: true})
	if s.t.Kind() == reflect.Array {
		n.fixed, n.minItems, n.maxItems = true, s.t.Len(), s.t.Len()
	}
}

func (b *builder) dictionary(n *node, s spot) {
	n.kind = mapKind
	key := s.t.Key()
	marshals, _, unmarshals := jsonx.OwnText(key)
	if key.Kind() != reflect.String || marshals || unmarshals || jsonx.OwnJSON(key) {
		b.problem(s, "is a map whose keys are not plain strings; %s", b.instead())
	}
	n.item = b.node(spot{path: s.path + "[]", t: s.t.Elem(), aside: true})
}

func (b *builder) object(n *node, s spot) {
	n.kind = objectKind
	fields, problems := structFields(s.t)
	for _, p := range problems {
		if !slices.ContainsFunc(b.problems, func(q error) bool { return q.Error() == p.Error() }) {
			b.problems = append(b.problems, p)
		}
	}
	n.index = make(map[string]int, len(fields))
	for _, f := range fields {
		b.property(n, s, f)
	}
}

func (b *builder) property(n *node, s spot, f field) {
	at := spot{
		path: join(s.path, f.path), t: f.Type, aside: s.aside, pointer: s.pointer,
		names: append(slices.Clone(s.names), f.name),
	}
	p := property{name: f.name, required: !f.optional}
	switch b.use {
	case forOutput:
		p.required = p.required && !f.viaPointer
	case forInput, forForm:
		p.required = p.required && f.Type.Kind() != reflect.Pointer
	}
	if b.use == forForm && !b.formField(at, f) {
		return
	}
	p.node = b.node(at)
	if f.optional {
		p.nullable = false // a nil pointer is left out
	}
	b.tags(p.node, at, f)
	n.index[p.name] = len(n.props)
	n.props = append(n.props, p)
	if p.required {
		n.required++
	}
}
