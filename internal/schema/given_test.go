package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/schema"
)

// The runner's json_schema_2020_12_tool must come back as it was given.
const conformanceSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},` +
	`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
	`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`

func TestGivenText(t *testing.T) {
	for name, tc := range map[string]struct {
		in, want   string
		references bool
	}{
		"conformance": {in: conformanceSchema, references: true},
		"least":       {in: `{"type":"object"}`},
		"order":       {in: `{"properties":{"z":{},"a":{"title":"T","type":"string"}},"type":"object","x-own":[1.0,1e2,"\u00e9</"]}`},
		"one line":    {in: "{\n\t\"type\" : \"object\" ,\r\n \"title\":\"a b\" }", want: `{"type":"object","title":"a b"}`},
		"booleans":    {in: `{"type":"object","properties":{"a":true,"b":false,"c":{"properties":{"d":true}}}}`, want: `{"type":"object","properties":{"a":{},"b":{"not":{}},"c":{"properties":{"d":{}}}}}`},
		"booleans in $defs": {
			in:   `{"type":"object","$defs":{"x":{"properties":{"a":false}}},"allOf":[{"properties":{"b":true}},true]}`,
			want: `{"type":"object","$defs":{"x":{"properties":{"a":{"not":{}}}}},"allOf":[{"properties":{"b":{}}},true]}`,
		},
		"other booleans": {in: `{"type":"object","additionalProperties":false,"unevaluatedProperties":true,"items":false,"not":false,"propertyNames":true}`},
		"data":           {in: `{"type":"object","default":{"properties":{"a":true}},"examples":[{"properties":{"a":true},"$ref":"x"}],"const":{"properties":{"a":true}},"enum":[{"$schema":1}]}`},
		"property names": {in: `{"type":"object","properties":{"properties":{"type":"object"},"$ref":{"type":"string"},"type":{},"Required":{},"$id":{}}}`},
		"draft-07": {in: `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{"$id":"#a","type":"string"}},` +
			`"properties":{"a":{"$ref":"#a"},"b":{"items":[{"type":"string"}],"additionalItems":false}},"dependencies":{"a":["b"],"b":{"required":["a"]}}}`, references: true},
		"draft-07, bare":  {in: `{"$schema":"https://json-schema.org/draft-07/schema","type":"object"}`},
		"2020-12, hash":   {in: `{"$schema":"https://json-schema.org/draft/2020-12/schema#","type":"object"}`},
		"id":              {in: `{"$id":"tool","type":"object","properties":{"a":{"$ref":"#"}}}`, references: true},
		"recursive":       {in: `{"type":"object","$defs":{"n":{"$dynamicAnchor":"node","properties":{"next":{"$dynamicRef":"#node"}}}},"properties":{"n":{"$ref":"#/$defs/n"}}}`, references: true},
		"escaped pointer": {in: `{"type":"object","$defs":{"a/b~c %":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/a~1b~0c%20%25"}}}`, references: true},
		"unknown keyword": {in: `{"type":"object","discriminator":{"propertyName":"x"},"nullable":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.want == "" {
				tc.want = tc.in
			}
			for _, parse := range []func([]byte) (*schema.Schema, error){schema.ParseInput, schema.ParseOutput} {
				s, err := parse([]byte(tc.in))
				if err != nil {
					t.Fatal(err)
				}
				if got := string(s.JSON()); got != tc.want || s.HasReferences() != tc.references || !s.IsObject() {
					t.Fatalf("references %v\ngot  %s\nwant %s", s.HasReferences(), got, tc.want)
				}
			}
		})
	}
}

func TestGivenSchemasThatAreRefused(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 33) + `{}` + strings.Repeat(`}`, 33)
	for name, tc := range map[string]struct{ text, want string }{
		"empty":            {``, "not valid JSON"},
		"no JSON":          {`{"type":"object"`, "not valid JSON"},
		"trailing":         {`{"type":"object"} {}`, "not valid JSON"},
		"repeated":         {`{"type":"object","type":"object"}`, "repeats a member name"},
		"no UTF-8":         {"{\"type\":\"object\",\"title\":\"\xff\"}", "not valid JSON"},
		"no object":        {`[]`, "not a JSON object"},
		"boolean":          {`true`, "not a JSON object"},
		"null":             {`null`, "not a JSON object"},
		"root type":        {`{"type":"string"}`, `the root must have "type": "object"`},
		"no root type":     {`{"properties":{}}`, `the root must have "type": "object"`},
		"root types":       {`{"type":["object"]}`, `the root must have "type": "object"`},
		"dialect":          {`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`, `$schema is "http://json-schema.org/draft-04/schema#"; allowed are`},
		"2019-09":          {`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object"}`, "allowed are"},
		"no dialect":       {`{"$schema":"","type":"object"}`, `$schema is ""`},
		"dialect, type":    {`{"$schema":1,"type":"object"}`, "keyword with a wrong value"},
		"mixed dialects":   {`{"type":"object","properties":{"a":{"$schema":"http://json-schema.org/draft-07/schema#"}}}`, "another than the root's"},
		"remote":           {`{"type":"object","properties":{"a":{"$ref":"https://e.example/x"}}}`, `at /properties/a: $ref is "https://e.example/x"; references stay within the document`},
		"file":             {`{"type":"object","$ref":"other.json#/a"}`, "references stay within the document"},
		"dynamic":          {`{"type":"object","$dynamicRef":"x#a"}`, "$dynamicRef is"},
		"empty reference":  {`{"type":"object","$ref":""}`, "references stay within the document"},
		"below $id":        {`{"type":"object","properties":{"a":{"$id":"https://e.example/x"}}}`, "only the root may have one"},
		"no target":        {`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}}}`, "cannot be compiled"},
		"no anchor":        {`{"type":"object","properties":{"a":{"$ref":"#x"}}}`, "cannot be compiled"},
		"into data":        {`{"type":"object","default":{},"properties":{"a":{"$ref":"#/default"}}}`, "cannot be compiled"},
		"loop":             {`{"type":"object","$ref":"#"}`, "refers to itself without going into a property or an item"},
		"loop of two":      {`{"type":"object","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`, "refers to itself"},
		"dynamic loop":     {`{"type":"object","$dynamicAnchor":"r","anyOf":[{"$dynamicRef":"#r"}]}`, "refers to itself"},
		"dependent loop":   {`{"type":"object","dependentSchemas":{"a":{"$ref":"#"}}}`, "refers to itself"},
		"explosion":        {explosion(14), "more than 4096 subschemas apply to one value"},
		"type":             {`{"type":"object","properties":{"a":{"type":"strng"}}}`, `at /properties/a: type is "strng"; allowed are`},
		"types":            {`{"type":"object","properties":{"a":{"type":["string","nul"]}}}`, `type is "nul"`},
		"type of type":     {`{"type":1}`, "keyword with a wrong value"},
		"keyword's type":   {`{"type":"object","minProperties":"1"}`, "keyword with a wrong value"},
		"keyword's case":   {`{"type":"object","Required":["a"]}`, `the keyword "Required" is spelled "required"`},
		"case of type":     {`{"Type":"object"}`, `the keyword "Type" is spelled "type"`},
		"no schema":        {`{"type":"object","properties":{"a":null}}`, "at /properties/a: a schema is an object, true or false"},
		"list of items":    {`{"type":"object","items":[{}]}`, "a list of items is of draft-07"},
		"pattern":          {`{"type":"object","properties":{"a":{"pattern":"(?=x)"}}}`, "cannot be compiled"},
		"property pattern": {`{"type":"object","patternProperties":{"(":{}}}`, "cannot be compiled"},
		"deep":             {`{"type":"object","properties":{"a":` + deep + `}}`, "nest deeper than 32"},
		"deep values":      {`{"type":"object","const":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, "nests deeper than 128"},
		"many":             {`{"type":"object","allOf":[` + strings.Repeat(`{},`, 1024) + `{}]}`, "more than 1024 subschemas"},
		"large":            {`{"type":"object","title":"` + strings.Repeat("x", 256<<10) + `"}`, "at most 262144 are allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schema.ParseInput([]byte(tc.text))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "parley: ") {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
		})
	}
}

// explosion is a chain of n schemas, each of which applies the next one twice.
func explosion(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"object","$ref":"#/$defs/d0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{}}}`, n)
	return b.String()
}

func TestGivenProblemsAtOnce(t *testing.T) {
	_, err := schema.ParseInput([]byte(`{"type":"array","properties":{"a":{"type":"x"},"b":{"$ref":"y"},"c":{"type":"number","x-mcp-header":"C"}}}`))
	for _, want := range []string{`type is "x"`, `$ref is "y"`, "property c has a header", "the root must have"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("missing %s in %v", want, err)
		}
	}
}

func TestOutputsMayHaveAnyRoot(t *testing.T) {
	for text, object := range map[string]bool{
		`{}`: false, `{"type":"array"}`: false, `{"type":["object","null"]}`: false, `{"type":"object"}`: true, `{"anyOf":[{"type":"object"}]}`: false,
	} {
		s, err := schema.ParseOutput([]byte(text))
		if err != nil || s.IsObject() != object {
			t.Errorf("%s: %v, object %v", text, err, s.IsObject())
		}
	}
}
