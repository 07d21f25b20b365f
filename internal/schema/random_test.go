package schema_test

import (
	"fmt"
	mathrand "math/rand"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/quick"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// randomType makes types of every kind with tags that fit, and sample texts of
// values that conform or nearly do.
type randomType struct{ *rand.Rand }

func (r randomType) pick(options ...string) string { return options[r.IntN(len(options))] }

var scalars = []reflect.Type{
	in[bool](), in[int](), in[int8](), in[int32](), in[uint8](), in[uint64](), in[float32](), in[float64](), in[string](), in[size](), in[any](),
}

func (r randomType) typ(depth int) reflect.Type {
	switch n := r.IntN(10); {
	case depth == 0 || n < 4:
		return scalars[r.IntN(len(scalars))]
	case n < 5:
		return reflect.PointerTo(r.typ(depth - 1))
	case n < 6:
		return reflect.SliceOf(r.typ(depth - 1))
	case n < 7:
		return reflect.ArrayOf(r.IntN(3), r.typ(depth-1))
	case n < 8:
		return reflect.MapOf(in[string](), r.typ(depth-1))
	}
	return r.structure(depth - 1)
}

func (r randomType) structure(depth int) reflect.Type {
	fields := make([]reflect.StructField, r.IntN(5))
	for i := range fields {
		t := r.typ(depth)
		fields[i] = reflect.StructField{Name: "ABCDE"[i : i+1], Type: t, Tag: r.tag(i, t)}
	}
	return reflect.StructOf(fields)
}

func (r randomType) tag(i int, t reflect.Type) reflect.StructTag {
	tag := `json:"` + "abcde"[i:i+1] + r.pick("", "", ",omitempty", ",omitzero") + `"`
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if r.IntN(3) > 0 {
		switch t.Kind() {
		case reflect.Int, reflect.Int8, reflect.Int32, reflect.Uint8, reflect.Uint64, reflect.Float32, reflect.Float64:
			tag += r.pick(` minimum:"1"`, ` maximum:"100"`, ` minimum:"2" maximum:"3"`)
		case reflect.String:
			tag += r.pick(` minLength:"2"`, ` maxLength:"2"`, ` enum:"a,b"`, ` enum:"a,é" enumTitles:"A,E"`, ` pattern:"^.?b"`)
		case reflect.Slice:
			if t == in[[]byte]() {
				break
			}
			tag += r.pick(` minItems:"1"`, ` maxItems:"1"`)
		default:
		}
	}
	return reflect.StructTag(tag)
}

// value writes a value that mostly fits t.
func (r randomType) value(t reflect.Type, depth int) string {
	if r.IntN(25) == 0 {
		return r.pick(`null`, `true`, `"a"`, `1`, `1.5`, `[]`, `{}`, `[1]`, `{"a":1}`, `-1e3`, `""`)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return r.value(t.Elem(), depth)
	case reflect.Bool:
		return r.pick("true", "false")
	case reflect.Int, reflect.Int8, reflect.Int32, reflect.Uint8, reflect.Uint64:
		return r.pick("1", "2", "3.0", "0.2e1", "-0", "100", "101", "127", "128", "255", "-128", "1e2", "2147483648", "9007199254740993", "1.5")
	case reflect.Float32, reflect.Float64:
		return r.pick("1", "2.5", "3", "0.5", "1e2", "100.5", "-2", "1e38")
	case reflect.String:
		return r.pick(`"a"`, `"b"`, `"\u0062"`, `"ab"`, `"\u00e9"`, `"é"`, `"abc"`, `"\ud83d\ude00b"`, `""`)
	case reflect.Slice:
		if t == in[[]byte]() {
			return r.pick(`"AAE="`, `""`, `"AAE"`)
		}
		return r.list(t.Elem(), r.IntN(3), depth)
	case reflect.Array:
		return r.list(t.Elem(), max(0, t.Len()+r.IntN(12)/11), depth)
	case reflect.Map:
		return "{" + strings.Join([]string{`"k":` + r.value(t.Elem(), depth-1), `"l":` + r.value(t.Elem(), depth-1)}[r.IntN(3)/2:], ",") + "}"
	case reflect.Struct:
		return r.object(t, depth)
	default: // any
		return r.pick(`{"x":[1,{"y":null}]}`, `1e300`, `null`, `"x"`)
	}
}

func (r randomType) list(t reflect.Type, n, depth int) string {
	items := make([]string, n)
	for i := range items {
		items[i] = r.value(t, depth-1)
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (r randomType) object(t reflect.Type, depth int) string {
	var members []string
	for f := range t.Fields() {
		if r.IntN(12) == 0 {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if r.IntN(10) == 0 {
			name = fmt.Sprintf(`\u%04x`, name[0])
		}
		members = append(members, `"`+name+`":`+r.value(f.Type, depth-1))
	}
	if r.IntN(4) == 0 {
		members = append(members, `"unknown":`+r.pick(`null`, `[{"a":"}"}]`))
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

// Whatever the type and its tags, for arguments and for results: the plan, the
// library on the emitted text, the library on the text given as JSON and the
// decoder agree.
func TestRandomTypes(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(500) {
		r := randomType{rand.New(rand.NewPCG(seed, 2026))}
		typ := r.structure(4)
		infer, parse := schema.ForInput, schema.ParseInput
		if seed%3 == 0 {
			infer, parse = schema.ForOutput, schema.ParseOutput
		}
		s, err := infer(typ)
		if err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
		o := newOracle(t, s.JSON())
		g, err := parse(s.JSON())
		if err != nil || string(g.JSON()) != string(s.JSON()) {
			t.Fatalf("%s is not accepted back: %v", s.JSON(), err)
		}
		for range 20 {
			value := []byte(r.object(typ, 4))
			v := s.Check(value)
			o.compare(t, s.JSON(), value, v)
			if w := g.Check(value); (v == nil) != (w == nil) && (w != nil || !isStricter(v)) {
				t.Fatalf("%s %s: plan %v, given %v", s.JSON(), value, v, w)
			}
			d := s.Decode(value, reflect.New(typ).Interface())
			if (v == nil) != (d == nil) {
				t.Fatalf("%s %s: Check says %v, Decode %v", typ, value, v, d)
			}
			if v == nil {
				accepted++
			} else {
				refused++
			}
		}
	}
	if accepted < 1500 || refused < 1500 {
		t.Fatalf("a test of little: %d accepted, %d refused", accepted, refused)
	}
}

type result struct {
	A *int8
	B []*string
	C map[string]*bool
	D *struct {
		E *[]uint16
		F [3]*float64
	}
	G any `json:"g,omitempty"`
	H []byte
	I *string `json:",omitempty"`
	J *uint64 `json:",omitzero"`
	K float32
	*Exported
	middle
}

// What a handler can return conforms to the schema of its type.
func TestRandomResultsConform(t *testing.T) {
	s, err := schema.ForOutput(in[result]())
	if err != nil {
		t.Fatal(err)
	}
	o := newOracle(t, s.JSON())
	source := mathrand.New(mathrand.NewSource(1))
	for range 2000 {
		a, ok := quick.Value(in[plainResult](), source)
		if !ok {
			t.Fatal("no value")
		}
		v := a.Interface().(plainResult) //nolint:forcetypeassert // as asked
		out := result{
			A: v.A, B: v.B, C: v.C, H: v.H, I: v.I, J: v.J, K: v.K,
			D: v.D,
		}
		if v.K > 0 {
			out.Exported, out.G = &Exported{}, strconv.Itoa(len(v.B))
		}
		raw, err := jsonx.MarshalUser(out)
		if err != nil {
			t.Fatal(err)
		}
		problem := s.Check(raw)
		if problem != nil {
			t.Fatalf("%s: %v", raw, problem)
		}
		o.compare(t, s.JSON(), raw, problem)
	}
}

type plainResult struct {
	A *int8
	B []*string
	C map[string]*bool
	D *struct {
		E *[]uint16
		F [3]*float64
	}
	H []byte
	I *string
	J *uint64
	K float32
}
