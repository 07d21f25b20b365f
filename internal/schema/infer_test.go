package schema_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

type size string

type address struct {
	Street string  `json:"street" minLength:"1"`
	Zip    *string `json:"zip"`
}

type base struct {
	ID int32 `json:"id"`
}

type everything struct {
	Flag   bool             `json:"flag" default:"true"`
	I      int              `json:"i"`
	I8     int8             `json:"i8"`
	I16    int16            `json:"i16"`
	I32    int32            `json:"i32"`
	I64    int64            `json:"i64" minimum:"-9007199254740993"`
	U      uint             `json:"u"`
	U8     uint8            `json:"u8" maximum:"9" default:"7"`
	U64    uint64           `json:"u64"`
	F      float64          `json:"f" minimum:"-0.5" maximum:"1e3" default:"1.5"`
	S      string           `json:"s" title:"T" description:"D" minLength:"1" maxLength:"9" pattern:"^a" default:"ab"`
	Size   size             `json:"size" enum:"s, m,l" default:"m"`
	Titled string           `json:"titled" enum:"s,m" enumTitles:"Small, Medium"`
	Mail   string           `json:"mail" format:"email"`
	At     time.Time        `json:"at"`
	IP     netip.Addr       `json:"ip"`
	Raw    jsonx.RawMessage `json:"raw"`
	Any    any              `json:"any"`
	Bytes  []byte           `json:"bytes"`
	List   []int8           `json:"list" minItems:"1" maxItems:"3"`
	Colors []size           `json:"colors" enum:"r,g" default:"g, r"`
	Pair   [2]bool          `json:"pair"`
	Map    map[string]int8  `json:"map"`
	Where  address          `json:"where"`
	base
}

const everythingText = `{"type":"object","properties":{` +
	`"flag":{"type":"boolean","default":true},` +
	`"i":{"type":"integer"},` +
	`"i8":{"type":"integer","minimum":-128,"maximum":127},` +
	`"i16":{"type":"integer","minimum":-32768,"maximum":32767},` +
	`"i32":{"type":"integer","minimum":-2147483648,"maximum":2147483647},` +
	`"i64":{"type":"integer","minimum":-9007199254740993},` +
	`"u":{"type":"integer","minimum":0},` +
	`"u8":{"type":"integer","minimum":0,"maximum":9,"default":7},` +
	`"u64":{"type":"integer","minimum":0},` +
	`"f":{"type":"number","minimum":-0.5,"maximum":1e3,"default":1.5},` +
	`"s":{"type":"string","title":"T","description":"D","pattern":"^a","minLength":1,"maxLength":9,"default":"ab"},` +
	`"size":{"type":"string","enum":["s","m","l"],"default":"m"},` +
	`"titled":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"}]},` +
	`"mail":{"type":"string","format":"email"},` +
	`"at":{"type":"string","format":"date-time"},` +
	`"ip":{"type":"string"},` +
	`"raw":{},"any":{},` +
	`"bytes":{"type":"string","contentEncoding":"base64"},` +
	`"list":{"type":"array","items":{"type":"integer","minimum":-128,"maximum":127},"minItems":1,"maxItems":3},` +
	`"colors":{"type":"array","items":{"type":"string","enum":["r","g"]},"default":["g","r"]},` +
	`"pair":{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2},` +
	`"map":{"type":"object","additionalProperties":{"type":"integer","minimum":-128,"maximum":127}},` +
	`"where":{"type":"object","properties":{"street":{"type":"string","minLength":1},"zip":{"type":"string"}},"required":["street"]},` +
	`"id":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},` +
	`"required":["flag","i","i8","i16","i32","i64","u","u8","u64","f","s","size","titled","mail","at","ip","raw","any",` +
	`"bytes","list","colors","pair","map","where","id"]}`

// T35: no null in types of inputs, no $ref, no additionalProperties on structs;
// properties in the order of the fields, and the same text every time.
func TestForInputText(t *testing.T) {
	for name, tc := range map[string]struct {
		t    reflect.Type
		want string
	}{
		"everything": {reflect.TypeFor[everything](), everythingText},
		"nothing":    {reflect.TypeFor[struct{}](), `{"type":"object","properties":{}}`},
		"pointer":    {reflect.TypeFor[*base](), `{"type":"object","properties":{"id":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["id"]}`},
		"map":        {reflect.TypeFor[map[string]string](), `{"type":"object","additionalProperties":{"type":"string"}}`},
		"map of any": {reflect.TypeFor[map[string]any](), `{"type":"object","additionalProperties":{}}`},
		"optional": {
			reflect.TypeFor[struct {
				A *int     `json:"a"`
				B int      `json:"b,omitempty"`
				C base     `json:"c,omitzero"`
				D **string `json:",omitempty"`
				E []*bool  `json:"e,omitempty"`
			}](),
			`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},` +
				`"c":{"type":"object","properties":{"id":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["id"]},` +
				`"D":{"type":"string"},"e":{"type":"array","items":{"type":"boolean"}}}}`,
		},
		"skipped": {
			reflect.TypeFor[struct {
				A      int `json:"-"`
				B      int `json:"-,"` //nolint:staticcheck // a member called "-"
				hidden int
			}](),
			`{"type":"object","properties":{"-":{"type":"integer"}},"required":["-"]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				s, err := schema.ForInput(tc.t)
				if err != nil {
					t.Fatal(err)
				}
				if got := string(s.JSON()); got != tc.want {
					t.Fatalf("got  %s\nwant %s", got, tc.want)
				}
				if !s.IsObject() || s.HasReferences() {
					t.Fatal("an inferred input is an object without references")
				}
			}
		})
	}
}

// What a handler's value can be null is null in the schema as well, nothing else.
func TestForOutputText(t *testing.T) {
	for name, tc := range map[string]struct {
		t      reflect.Type
		want   string
		object bool
	}{
		"string": {reflect.TypeFor[string](), `{"type":"string"}`, false},
		"number": {reflect.TypeFor[*float64](), `{"type":"number"}`, false},
		"any":    {reflect.TypeFor[any](), `{}`, false},
		"time":   {reflect.TypeFor[time.Time](), `{"type":"string","format":"date-time"}`, false},
		"list":   {reflect.TypeFor[[]*int](), `{"type":"array","items":{"type":["integer","null"]}}`, false},
		"map":    {reflect.TypeFor[map[string]*bool](), `{"type":"object","additionalProperties":{"type":["boolean","null"]}}`, true},
		"struct": {
			reflect.TypeFor[*struct {
				A *string  `json:"a" enum:"x,y"`
				B *string  `json:"b" enum:"x" enumTitles:"X"`
				C *base    `json:"c"`
				D *base    `json:"d,omitempty"`
				E []string `json:"e"`
				F *any     `json:"f"`
				G int      `json:"g" header:"Region"`
			}](),
			`{"type":"object","properties":{` +
				`"a":{"type":["string","null"],"enum":["x","y",null]},` +
				`"b":{"type":["string","null"],"oneOf":[{"const":"x","title":"X"},{"const":null}]},` +
				`"c":{"type":["object","null"],"properties":{"id":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["id"]},` +
				`"d":{"type":"object","properties":{"id":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["id"]},` +
				`"e":{"type":"array","items":{"type":"string"}},"f":{},"g":{"type":"integer"}},` +
				`"required":["a","b","c","e","f","g"]}`,
			true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.ForOutput(tc.t)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(s.JSON()); got != tc.want || s.IsObject() != tc.object || s.Headers() != nil {
				t.Fatalf("object %v, headers %v\ngot  %s\nwant %s", s.IsObject(), s.Headers(), got, tc.want)
			}
		})
	}
}
