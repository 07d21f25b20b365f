package schema_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

type item struct {
	SKU   string  `json:"sku" minLength:"2" maxLength:"4"`
	Count uint8   `json:"count" minimum:"1" maximum:"99"`
	Price float64 `json:"price,omitempty" minimum:"0.1" maximum:"100"`
}

type order struct {
	Items  []item             `json:"items" maxItems:"2"`
	Size   size               `json:"size,omitempty" enum:"s,m,é\"l"`
	Colors []string           `json:"colors,omitempty" enum:"r,g" minItems:"1"`
	Pair   [2]bool            `json:"pair,omitempty"`
	Labels map[string]int16   `json:"labels,omitempty"`
	Code   string             `json:"code,omitempty" pattern:"^[a-z]+$"`
	Note   *string            `json:"note"`
	At     time.Time          `json:"at,omitzero"`
	Blob   []byte             `json:"blob,omitempty"`
	Addr   netip.Addr         `json:"addr,omitzero"`
	Raw    jsonx.RawMessage   `json:"raw,omitempty"`
	Any    map[string]any     `json:"any,omitempty"`
	F32    float32            `json:"f32,omitempty"`
	I64    int64              `json:"i64,omitempty"`
	U64    uint64             `json:"u64,omitempty"`
	Flag   bool               `json:"flag,omitempty"`
	Mail   string             `json:"mail,omitempty" format:"email"`
	Deep   struct{ A, B int } `json:"deep,omitzero"`
}

func mustInput(t testing.TB, typ reflect.Type) *schema.Schema {
	t.Helper()
	s, err := schema.ForInput(typ)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCheck(t *testing.T) {
	s := mustInput(t, in[order]())
	for name, tc := range map[string]struct{ value, field, rule string }{
		"least":                  {value: `{"items":[]}`},
		"spaces":                 {value: " {\t\"items\" :\r\n[ { \"sku\" : \"ab\" , \"count\" : 1 } ] } "},
		"unknown members":        {value: `{"items":[],"else":[{"a":null}],"":"}"}`},
		"order of members":       {value: `{"flag":true,"items":[{"count":1,"sku":"ab"}]}`},
		"escaped name":           {value: `{"\u0069tems":[],"fl\u0061g":false}`},
		"not an object":          {value: `[]`, rule: "must be an object"},
		"null":                   {value: `null`, rule: "must be an object"},
		"missing":                {value: `{}`, field: "items", rule: "is required"},
		"missing inside":         {value: `{"items":[{"sku":"ab","count":1},{"sku":"ab"}]}`, field: "items[1].count", rule: "is required"},
		"missing, nested":        {value: `{"items":[],"deep":{"A":1}}`, field: "deep.B", rule: "is required"},
		"T4: other case":         {value: `{"Items":[]}`, field: "items", rule: "is required"},
		"T4: NUL":                {value: `{"items\u0000":[]}`, field: "items", rule: "is required"},
		"null for required":      {value: `{"items":null}`, field: "items", rule: "must be a list"},
		"T35: null for optional": {value: `{"items":[],"note":null}`, field: "note", rule: "must be a string"},
		"string for boolean":     {value: `{"items":[],"flag":"true"}`, field: "flag", rule: "must be true or false"},
		"number for string":      {value: `{"items":[],"code":1}`, field: "code", rule: "must be a string"},
		"string for number":      {value: `{"items":[{"sku":"ab","count":"1"}]}`, field: "items[0].count", rule: "must be an integer"},
		"object for list":        {value: `{"items":{}}`, field: "items", rule: "must be a list"},
		"list for object":        {value: `{"items":[[]]}`, field: "items[0]", rule: "must be an object"},
		"list for map":           {value: `{"items":[],"labels":[]}`, field: "labels", rule: "must be an object"},
		"too many":               {value: `{"items":[{"sku":"ab","count":1},{"sku":"ab","count":1},{"sku":"ab","count":1}]}`, field: "items", rule: "must have at most 2 items"},
		"too few":                {value: `{"items":[],"colors":[]}`, field: "colors", rule: "must have at least 1 item"},
		"array":                  {value: `{"items":[],"pair":[true,false]}`},
		"array too short":        {value: `{"items":[],"pair":[true]}`, field: "pair", rule: "must have exactly 2 items"},
		"array too long":         {value: `{"items":[],"pair":[true,true,true]}`, field: "pair", rule: "must have exactly 2 items"},
		"short":                  {value: `{"items":[{"sku":"a"}]}`, field: "items[0].sku", rule: "must be at least 2 characters long"},
		"long":                   {value: `{"items":[{"sku":"abcde"}]}`, field: "items[0].sku", rule: "must be at most 4 characters long"},
		"code points":            {value: `{"items":[{"sku":"éééé","count":1},{"sku":"\ud83d\ude00\ud83d\ude00","count":1}]}`},
		"one code point":         {value: `{"items":[{"sku":"\ud83d\ude00","count":1}]}`, field: "items[0].sku", rule: "must be at least 2 characters long"},
		"five code points":       {value: `{"items":[{"sku":"éééé\u0065","count":1}]}`, field: "items[0].sku", rule: "must be at most 4 characters long"},
		"fraction":               {value: `{"items":[{"sku":"ab","count":1.5}]}`, field: "items[0].count", rule: "must be an integer"},
		"small fraction":         {value: `{"items":[{"sku":"ab","count":1e-1}]}`, field: "items[0].count", rule: "must be an integer"},
		"integers":               {value: `{"items":[{"sku":"ab","count":3.0},{"sku":"ab","count":0.5e1}],"i64":1e2,"u64":-0}`},
		"below":                  {value: `{"items":[{"sku":"ab","count":0}]}`, field: "items[0].count", rule: "must be at least 1"},
		"negative":               {value: `{"items":[{"sku":"ab","count":-1e30}]}`, field: "items[0].count", rule: "must be at least 1"},
		"above":                  {value: `{"items":[{"sku":"ab","count":100}]}`, field: "items[0].count", rule: "must be at most 99"},
		"far above":              {value: `{"items":[{"sku":"ab","count":1e30}]}`, field: "items[0].count", rule: "must be at most 99"},
		"bounds of a float":      {value: `{"items":[{"sku":"ab","count":1,"price":0.1},{"sku":"ab","count":1,"price":1e2}]}`},
		"T5: exactly below":      {value: `{"items":[{"sku":"ab","count":1,"price":0.09999999999999999999999}]}`, field: "items[0].price", rule: "must be at least 0.1"},
		"T5: exactly above":      {value: `{"items":[{"sku":"ab","count":1,"price":100.00000000000000000001}]}`, field: "items[0].price", rule: "must be at most 100"},
		"T5: greatest":           {value: `{"items":[],"i64":9223372036854775807,"u64":18446744073709551615}`},
		"T5: least":              {value: `{"items":[],"i64":-9223372036854775808}`},
		"T5: one more":           {value: `{"items":[],"i64":9223372036854775808}`, field: "i64", rule: "must be at most 9223372036854775807"},
		"T5: one less":           {value: `{"items":[],"i64":-9223372036854775809}`, field: "i64", rule: "must be at least -9223372036854775808"},
		"T5: one more, unsigned": {value: `{"items":[],"u64":18446744073709551616}`, field: "u64", rule: "must be at most 18446744073709551615"},
		"float32":                {value: `{"items":[],"f32":3.4028235e38}`},
		"float32, still finite":  {value: `{"items":[],"f32":3.4028235677973365e38}`},
		"float32, infinite":      {value: `{"items":[],"f32":3.4028235677973367e38}`, field: "f32", rule: "must be a number that fits a floating-point number"},
		"any, infinite":          {value: `{"items":[],"any":{"a":[1,{"b":-1e309}]}}`, field: "any.*", rule: "must be a number that fits a floating-point number"},
		"raw, whatever":          {value: `{"items":[],"raw":[null,1e309]}`},
		"unknown, whatever":      {value: `{"items":[],"x":1e309}`},
		"choice":                 {value: `{"items":[],"size":"s","colors":["r","g","r"]}`},
		"escaped choice":         {value: `{"items":[],"size":"\u00e9\"l","colors":["\u0072"]}`},
		"no choice":              {value: `{"items":[],"size":"xl"}`, field: "size", rule: `must be one of: s, m, é"l`},
		"no choice in a list":    {value: `{"items":[],"colors":["r","b"]}`, field: "colors[1]", rule: "must be one of: r, g"},
		"map":                    {value: `{"items":[],"labels":{"a":1,"b":-5}}`},
		"map, the name untold":   {value: `{"items":[],"labels":{"a":1,"secret":1e5}}`, field: "labels.*", rule: "must be at most 32767"},
		"pattern":                {value: `{"items":[],"code":"abc"}`},
		"pattern, escaped":       {value: `{"items":[],"code":"\u0061bc"}`},
		"no match":               {value: `{"items":[],"code":"aBc"}`, field: "code", rule: "must match the pattern ^[a-z]+$"},
		"time":                   {value: `{"items":[],"at":"2024-02-29T23:59:59.5+01:00"}`},
		"no time":                {value: `{"items":[],"at":"2023-02-29T00:00:00Z"}`, field: "at", rule: "must be a date and time with time zone, such as 2026-07-28T12:00:00Z"},
		"base64":                 {value: `{"items":[],"blob":"AAE="}`},
		"no base64":              {value: `{"items":[],"blob":"AAE"}`, field: "blob", rule: "must be base64 with padding"},
		"mail":                   {value: `{"items":[],"mail":"a@b.example"}`},
		"no mail":                {value: `{"items":[],"mail":"a"}`, field: "mail", rule: "must be one e-mail address"},
		"a text of its own":      {value: `{"items":[],"addr":"10.0.0.1"}`},
		"not even a text":        {value: `{"items":[],"addr":1}`, field: "addr", rule: "must be a string"},
	} {
		t.Run(name, func(t *testing.T) {
			v := s.Check([]byte(tc.value))
			if tc.rule == "" {
				if v != nil {
					t.Fatal(v)
				}
				if v := s.Decode([]byte(tc.value), new(order)); v != nil {
					t.Fatal("passes, but does not decode:", v)
				}
				return
			}
			if v == nil || v.Field != tc.field || v.Rule != tc.rule {
				t.Fatalf("got %+v, want %q %q", v, tc.field, tc.rule)
			}
			if d := s.Decode([]byte(tc.value), new(order)); d == nil || *d != *v {
				t.Fatalf("Check says %v, Decode %v", v, d)
			}
		})
	}
}

func TestNullInResults(t *testing.T) {
	s, err := schema.ForOutput(in[struct {
		A *int             `json:"a" maximum:"5"`
		B *int             `json:"b,omitempty"`
		C *string          `json:"c" enum:"x"`
		D []*int           `json:"d,omitempty"`
		E *struct{ F int } `json:"e"`
	}]())
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		`{"a":null,"c":null,"e":null}`:             "",
		`{"a":5,"c":"x","e":{"F":1},"d":[null,1]}`: "",
		`{"a":null,"c":null}`:                      "parley: e is required",
		`{"a":6,"c":null,"e":null}`:                "parley: a must be at most 5",
		`{"a":"","c":null,"e":null}`:               "parley: a must be an integer or null",
		`{"a":1,"c":"y","e":null}`:                 "parley: c must be one of: x",
		`{"a":1,"c":"x","e":null,"b":null}`:        "parley: b must be an integer",
		`{"a":1,"c":"x","e":{"F":null}}`:           "parley: e.F must be an integer",
		`null`:                                     "parley: the value must be an object",
	} {
		v := s.Check([]byte(value))
		if want == "" && v != nil || want != "" && (v == nil || v.Error() != want) {
			t.Errorf("%s: got %v, want %q", value, v, want)
		}
	}
}

// M8 and T35: whatever was sent, the violation holds nothing of it.
func TestViolationsDoNotQuote(t *testing.T) {
	s := mustInput(t, in[order]())
	given, err := schema.ParseInput([]byte(`{"type":"object","properties":{"items":{"type":"array","items":{"type":"object"},"maxItems":1},` +
		`"labels":{"type":"object","additionalProperties":{"type":"integer"},"propertyNames":{"maxLength":3}},` +
		`"code":{"type":"string","maxLength":3,"pattern":"^a"},"size":{"enum":["s"]},"flag":{"const":true}},"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	const secret = "hunter2"
	for _, value := range []string{
		`{"items":["hunter2"]}`, `{"items":[],"labels":{"hunter2":"hunter2"}}`, `{"items":[],"code":"A hunter2"}`,
		`{"items":[],"size":"hunter2"}`, `{"items":[],"flag":"hunter2"}`, `{"items":[],"hunter2":1,"note":5}`,
		`{"items":[],"addr":"hunter2"}`, `{"items":[{"sku":"hunter2"}]}`, `"hunter2"`, `{"items":[],"at":"hunter2"}`,
	} {
		if s.Decode([]byte(value), new(order)) == nil {
			t.Errorf("%s passes", value)
		}
		for _, s := range []*schema.Schema{s, given} {
			v := s.Decode([]byte(value), new(order))
			if v != nil && (strings.Contains(v.Error(), secret) || strings.Contains(v.Error(), "schema_test")) {
				t.Errorf("%s: %v", value, v)
			}
		}
	}
}
