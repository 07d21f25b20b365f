package schema_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/schema"
)

type (
	ring      struct{ Next *ring }
	ringList  []ringList
	selfEmbed struct{ *selfEmbed }
	keyed     struct{ A map[int]string }
	onlyOut   string
	onlyIn    string
	byPointer string
	ownJSON   struct{}
	wide0     struct{ A, B, C, D, E, F, G, H, I, J string }
	wide1     struct{ A, B, C, D, E, F, G, H, I, J wide0 }
	wide2     struct{ A, B, C, D, E, F, G, H, I, J wide1 }
	wide3     struct{ A, B, C, D, E, F, G, H, I, J wide2 }
	wide4     struct{ A, B, C, D, E, F, G, H, I, J wide3 }
	wide5     struct{ A, B, C, D, E, F, G, H, I, J wide4 }
	wide      struct{ A, B, C, D, E, F, G, H, I, J wide5 }
	left      struct{ Same int }
	right     struct{ Same int }
	timed     struct{ time.Time }
	hiddenP   struct{ Shown int }
)

func (onlyOut) MarshalText() ([]byte, error)           { return nil, nil }
func (*onlyIn) UnmarshalText([]byte) error             { return nil }
func (*byPointer) MarshalText() ([]byte, error)        { return nil, nil }
func (*byPointer) UnmarshalText([]byte) error          { return nil }
func (ownJSON) MarshalJSON() ([]byte, error)           { return nil, nil }
func in[T any]() reflect.Type                          { return reflect.TypeFor[T]() }
func forInput(t reflect.Type) (*schema.Schema, error)  { return schema.ForInput(t) }
func forOutput(t reflect.Type) (*schema.Schema, error) { return schema.ForOutput(t) }

func TestTypesWithoutSchema(t *testing.T) {
	deep := in[string]()
	for range 40 {
		deep = reflect.SliceOf(deep)
	}
	for name, tc := range map[string]struct {
		make func(reflect.Type) (*schema.Schema, error)
		t    reflect.Type
		want string
	}{
		"no type":           {forInput, nil, "nil has no arguments"},
		"no output":         {forOutput, nil, "nil has no schema"},
		"root":              {forInput, in[string](), "string is no object"},
		"root list":         {forInput, in[[]string](), "is no object"},
		"root time":         {forInput, in[time.Time](), "time.Time is no object"},
		"recursive":         {forInput, in[ring](), "field schema_test.ring.Next of type schema_test.ring is recursive; use core.InputSchema"},
		"recursive output":  {forOutput, in[ring](), "use core.OutputSchema"},
		"recursive list":    {forInput, in[struct{ A ringList }](), "is recursive"},
		"embeds itself":     {forInput, in[selfEmbed](), "embeds itself"},
		"func":              {forInput, in[struct{ F func() }](), "is a func"},
		"chan":              {forInput, in[struct{ C chan int }](), "is a chan"},
		"complex":           {forInput, in[struct{ C complex128 }](), "is a complex128"},
		"uintptr":           {forInput, in[struct{ C uintptr }](), "is a uintptr"},
		"interface":         {forInput, in[struct{ E error }](), "is an interface with methods"},
		"key":               {forInput, in[keyed](), "keys are not plain strings; use core.InputSchema"},
		"root key":          {forInput, in[map[int]string](), "keys are not plain strings"},
		"key with methods":  {forInput, in[struct{ A map[onlyIn]int }](), "keys are not plain strings"},
		"own JSON":          {forInput, in[struct{ A ownJSON }](), "has JSON methods of its own"},
		"own JSON, pointer": {forInput, in[struct{ A big.Int }](), "has JSON methods of its own"},
		"number":            {forInput, in[struct{ A json.Number }](), "is a json.Number"},
		"half a text":       {forInput, in[struct{ A onlyOut }](), "MarshalText but not UnmarshalText"},
		"other half":        {forOutput, in[struct{ A onlyIn }](), "UnmarshalText but not MarshalText"},
		"pointer text":      {forOutput, in[struct{ A byPointer }](), "on the pointer only"},
		"json string": {forInput, in[struct {
			A int `json:",string"`
		}](), "JSON option string"},
		"json option": {forInput, in[struct {
			A base `json:",inline"`
		}](), `JSON option "inline"`},
		"json case": {forInput, in[struct {
			A int `json:"a,case:ignore"`
		}](), `JSON option "case:ignore"`},
		"json name": {forInput, reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: in[int](), Tag: `json:"a'b"`},
		}), `JSON name "a'b"`},
		"conflict": {forInput, in[struct {
			left
			right
		}](), `right.Same of type int has the same JSON name "Same" as left.Same`},
		"conflict of tags": {forInput, reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: in[int](), Tag: `json:"x"`}, {Name: "B", Type: in[int](), Tag: `json:"x"`},
		}), `has the same JSON name "x"`},
		"embedded methods": {forInput, in[timed](), "has JSON methods of its own"},
		"embedded twice": {forInput, in[struct {
			timed
			T struct{ time.Time }
		}](), "has JSON methods of its own"},
		"embedded hidden pointer": {forInput, in[struct{ *hiddenP }](), "embedded pointer to an unexported struct"},
		"too many":                {forInput, in[wide](), "more than 1024 subschemas"},
		"too deep":                {forInput, in[struct{ A string }](), ""},
		"deeper than allowed":     {forOutput, deep, "nests deeper than 32"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tc.make(tc.t)
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "parley: ") {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
		})
	}
}

func TestPointerTextIsAnOutputBehindAPointer(t *testing.T) {
	for _, typ := range []reflect.Type{in[struct{ A *byPointer }](), in[struct{ A []byPointer }]()} {
		if _, err := schema.ForOutput(typ); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongTags(t *testing.T) {
	for name, tc := range map[string]struct {
		t    reflect.Type
		want string
	}{
		"minimum on string": {in[struct {
			A string `minimum:"3"`
		}](), `has the tag minimum:"3", which only a number can have`},
		"maximum on bool": {in[struct {
			A bool `maximum:"3"`
		}](), `maximum:"3"`},
		"minLength on int": {in[struct {
			A int `minLength:"3"`
		}](), "only a string without enum"},
		"maxLength on time": {in[struct {
			A time.Time `maxLength:"3"`
		}](), "only a string without enum"},
		"maxLength on bytes": {in[struct {
			A []byte `maxLength:"3"`
		}](), "only a string without enum"},
		"maxLength on enum": {in[struct {
			A string `maxLength:"3" enum:"a"`
		}](), "only a string without enum"},
		"minItems on string": {in[struct {
			A string `minItems:"3"`
		}](), "only a slice"},
		"maxItems on array": {in[struct {
			A [2]int `maxItems:"3"`
		}](), "only a slice"},
		"pattern on int": {in[struct {
			A int `pattern:"3"`
		}](), "only a string argument without enum"},
		"format on int": {in[struct {
			A int `format:"email"`
		}](), "only a string without enum"},
		"format on time": {in[struct {
			A time.Time `format:"date"`
		}](), "only a string without enum"},
		"enum on int": {in[struct {
			A int `enum:"1,2"`
		}](), "only a string or a slice of strings"},
		"enum on time": {in[struct {
			A time.Time `enum:"1,2"`
		}](), "only a string or a slice of strings"},
		"enum on list of int": {in[struct {
			A []int `enum:"1,2"`
		}](), "only a string or a slice of strings"},
		"enumTitles alone": {in[struct {
			A string `enumTitles:"A"`
		}](), "only a field with enum"},
		"enum empty": {in[struct {
			A string `enum:""`
		}](), "a choice has no value"},
		"enum twice": {in[struct {
			A string `enum:"a,b,a"`
		}](), `the value "a" appears twice`},
		"enum of a call": {in[struct {
			A string `enum:"*"`
		}](), "are for forms"},
		"titles of a length": {in[struct {
			A string `enum:"a,b" enumTitles:"A"`
		}](), "it needs 2 titles"},
		"bad minimum": {in[struct {
			A int `minimum:"x"`
		}](), `minimum:"x"; it must be an integer from -9223372036854775808 to 9223372036854775807`},
		"fraction": {in[struct {
			A int `minimum:"1.5"`
		}](), "it must be an integer"},
		"exponent": {in[struct {
			A int `minimum:"1e2"`
		}](), "it must be an integer"},
		"beyond the type": {in[struct {
			A int8 `maximum:"128"`
		}](), "from -128 to 127"},
		"below the type": {in[struct {
			A uint `minimum:"-1"`
		}](), "from 0 to 18446744073709551615"},
		"bad float": {in[struct {
			A float64 `minimum:"0x1"`
		}](), "as JSON writes one"},
		"float with space": {in[struct {
			A float64 `minimum:" 1"`
		}](), "as JSON writes one"},
		"infinite": {in[struct {
			A float32 `maximum:"1e39"`
		}](), "32 bits"},
		"order": {in[struct {
			A int `minimum:"5" maximum:"3"`
		}](), `minimum:"5"; it is greater than the maximum "3"`},
		"order of floats": {in[struct {
			A float64 `minimum:"5e1" maximum:"3"`
		}](), "is greater than the maximum"},
		"order of lengths": {in[struct {
			A string `minLength:"5" maxLength:"3"`
		}](), "it is greater than maxLength 3"},
		"order of items": {in[struct {
			A []int `minItems:"5" maxItems:"3"`
		}](), "it is greater than maxItems 3"},
		"items of choices": {in[struct {
			A []string `enum:"a,b" minItems:"3"`
		}](), "there are only 2 choices"},
		"bad length": {in[struct {
			A string `minLength:"-1"`
		}](), "from 0 to 2147483647"},
		"bad pattern": {in[struct {
			A string `pattern:"("`
		}](), "it must be a regular expression"},
		"bad format": {in[struct {
			A string `format:"uuid"`
		}](), `format:"uuid"; allowed are email, uri, date, date-time`},
		"default on struct": {in[struct {
			A base `default:"x"`
		}](), "only a boolean, a number, a string or a slice of strings"},
		"default on any": {in[struct {
			A any `default:"x"`
		}](), "only a boolean"},
		"bad bool": {in[struct {
			A bool `default:"yes"`
		}](), `default:"yes"; it must be true or false`},
		"bad int": {in[struct {
			A int `default:"x"`
		}](), `default:"x"; must be an integer`},
		"default too small": {in[struct {
			A int `default:"1" minimum:"2"`
		}](), "it must be at least 2"},
		"default of the type": {in[struct {
			A int8 `default:"200"`
		}](), "it must be at most 127"},
		"default no choice": {in[struct {
			A string `default:"x" enum:"a,b"`
		}](), "it must be one of: a, b"},
		"default not all": {in[struct {
			A []string `default:"a,x" enum:"a,b"`
		}](), "it must be one of: a, b"},
		"default too long": {in[struct {
			A string `default:"abc" maxLength:"2"`
		}](), "at most 2 characters"},
		"default no date": {in[struct {
			A string `default:"x" format:"date"`
		}](), "must be a date"},
		"default no time": {in[struct {
			A time.Time `default:"now"`
		}](), "must be a date and time"},
		"default too few": {in[struct {
			A []string `default:"" minItems:"1"`
		}](), "it must have at least 1 item"},
		"default off pattern": {in[struct {
			A string `default:"b" pattern:"^a"`
		}](), "it must match the pattern ^a"},
		"header on float": {in[struct {
			A float64 `header:"R"`
		}](), "only one type of string, integer, boolean"},
		"header on struct": {in[struct {
			A base `header:"R"`
		}](), "only one type of"},
		"header on any": {in[struct {
			A any `header:"R"`
		}](), "only one type of"},
		"header name": {in[struct {
			A string `header:"a b"`
		}](), `has the header "a b"`},
		"header empty": {in[struct {
			A string `header:""`
		}](), `has the header ""`},
		"header within a list": {in[struct {
			A []struct {
				B string `header:"R"`
			}
		}](), "not reached through properties alone"},
		"header within a map": {in[struct {
			A map[string]struct {
				B string `header:"R"`
			}
		}](), "not reached through properties alone"},
		"header twice": {in[struct {
			A string `header:"Region"`
			B struct {
				C int `header:"rEGION"`
			}
		}](), `property B.C has the header "rEGION", which is taken by A`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schema.ForInput(tc.t)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "parley: ") {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// One look at the error is enough to correct a type.
func TestAllProblemsAtOnce(t *testing.T) {
	type wrong struct {
		A chan int
		B string `minimum:"1" format:"zip"`
		C struct {
			D int `default:"x" json:",string"`
		}
		E []func() `header:"a b"`
	}
	_, err := schema.ForInput(in[wrong]())
	if err == nil {
		t.Fatal("accepted")
	}
	for _, want := range []string{
		"wrong.A of type chan int", `wrong.B of type string has the tag minimum:"1"`, `format:"zip"`,
		"wrong.C.D of type int", `D of type int has the JSON option string`, "wrong.E[] of type func()", "wrong.E of type []func() has a header",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("missing %s in:\n%v", want, err)
		}
	}
}
