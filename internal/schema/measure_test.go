package schema_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// A check ends in time whatever is sent: the library alone takes minutes for
// two kilobytes where two alternatives recurse into the same member.
func TestDeepValues(t *testing.T) {
	const refused = "is too large and too deep for this schema to be checked"
	operation := func(op string) string {
		return `{"properties":{"op":{"const":"` + op + `"},"n":{"$ref":"#"},"r":{"$ref":"#"}}}`
	}
	for name, tc := range map[string]struct {
		schema  string
		member  string
		dear    bool // exponential: a small value of depth 30 is refused
		problem string
	}{
		"not recursive":    {schema: `"properties":{"n":{"properties":{"n":{}}}}`, member: `"n"`},
		"chain":            {schema: `"properties":{"n":{"$ref":"#"}}`, member: `"n"`},
		"tree":             {schema: `"properties":{"n":{"$ref":"#"},"right":{"$ref":"#"}}`, member: `"n"`},
		"one alternative":  {schema: `"anyOf":[{"properties":{"leaf":{}}},` + operation("a") + `]`, member: `"n"`},
		"dictionary":       {schema: `"additionalProperties":{"$ref":"#"}`, member: `"n"`},
		"both apart":       {schema: `"properties":{"n":{"$ref":"#"}},"additionalProperties":{"$ref":"#"}`, member: `"n"`},
		"in definitions":   {schema: `"$defs":{"a":` + operation("a") + `,"b":` + operation("b") + `},"$ref":"#/$defs/a"`, member: `"n"`},
		"other names":      {schema: `"propertyNames":{"$ref":"#/$defs/s"},"$defs":{"s":{}},"properties":{"n":{"$ref":"#"}}`, member: `"n"`},
		"two alternatives": {schema: `"anyOf":[` + operation("a") + `,` + operation("b") + `]`, member: `"n"`, dear: true},
		"twice":            {schema: `"$defs":{"x":{"properties":{"n":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}},"$ref":"#/$defs/x"`, member: `"n"`, dear: true},
		"patterns":         {schema: `"properties":{"n":{"$ref":"#"}},"patternProperties":{"^n":{"$ref":"#"}}`, member: `"n"`, dear: true},
		"additional twice": {schema: `"additionalProperties":{"$ref":"#"},"allOf":[{"additionalProperties":{"$ref":"#"}}]`, member: `"n"`, dear: true},
		"not and if":       {schema: `"not":{"required":["x"],"properties":{"n":{"$ref":"#"}}},"if":{"properties":{"n":{"$ref":"#"}}}`, member: `"n"`, dear: true},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.ParseInput([]byte(`{"type":"object",` + tc.schema + `}`))
			if err != nil {
				t.Fatal(err)
			}
			value := func(depth int, leaf string) []byte {
				return []byte(strings.Repeat(`{`+tc.member+`:`, depth) + leaf + strings.Repeat(`}`, depth))
			}
			if v := s.Check(value(6, `{}`)); v != nil && v.Rule == refused {
				t.Errorf("depth 6: %v", v)
			}
			if v := s.Check(value(60, `{}`)); (v != nil && v.Rule == refused) != tc.dear {
				t.Errorf("depth 60: %v, want refused: %v", v, tc.dear)
			}
			large := `{"large":"` + strings.Repeat("x", 4<<20) + `"}`
			if v := s.Check(value(120, large)); (v != nil && v.Rule == refused) != s.HasReferences() {
				t.Errorf("4 MiB at depth 120: %v", v)
			}
		})
	}
}

// Lists recurse as well.
func TestDeepLists(t *testing.T) {
	for text, dear := range map[string]bool{
		`{"$defs":{"l":{"items":{"$ref":"#/$defs/l"}}},"type":"object","additionalProperties":{"$ref":"#/$defs/l"}}`:                                   false,
		`{"$defs":{"l":{"items":{"$ref":"#/$defs/l"},"contains":{"$ref":"#/$defs/l"}}},"type":"object","additionalProperties":{"$ref":"#/$defs/l"}}`:   true,
		`{"$defs":{"l":{"prefixItems":[{"$ref":"#/$defs/l"}],"items":{"type":"string"}}},"type":"object","additionalProperties":{"$ref":"#/$defs/l"}}`: false,
	} {
		s, err := schema.ParseInput([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v := s.Check([]byte(`{"a":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}`))
		if (v != nil && strings.HasPrefix(v.Rule, "is too large")) != dear {
			t.Errorf("%s: %v", text, v)
		}
	}
}

// Whatever is given as a schema, there is no panic and no endless check, and
// the verdict is the library's.
func FuzzGiven(f *testing.F) {
	value := `{"name":"a","address":{"street":"b"},"contactMethod":"phone","phone":"1","a":[1,"x",{"b":null}],"n":{"n":{}}}`
	f.Add(conformanceSchema, value)
	f.Add(everythingText, value)
	for _, text := range []string{
		`{"type":"object","properties":{"a":{"items":{"type":"string"}},"n":{"$ref":"#"}},"additionalProperties":false}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"s":{"$id":"#s","type":"string"}},"properties":{"a":{"items":[{"$ref":"#s"}],"additionalItems":false}},"dependencies":{"a":["b"],"n":{"required":["x"]}}}`,
		`{"type":"object","patternProperties":{"^n":{"minProperties":1}},"propertyNames":{"maxLength":4},"unevaluatedProperties":false}`,
		`{"type":"object","anyOf":[{"required":["x"]},{"not":{"$ref":"#/$defs/d"}}],"$defs":{"d":{"$dynamicAnchor":"d","properties":{"n":{"$dynamicRef":"#d"}}}}}`,
		`{"type":"object","properties":{"a":{"prefixItems":[{"const":1}],"contains":{"enum":["x"]},"minContains":2,"uniqueItems":true,"unevaluatedItems":{"multipleOf":0.5}}}}`,
		`{"type":"object","properties":{"a":true,"b":false},"x-mcp-header":"a","dependentSchemas":{"a":{"if":{},"then":false,"else":true}},"dependentRequired":{"a":["b"]}}`,
	} {
		f.Add(text, value)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := schema.ParseInput([]byte(text))
		if err != nil || !jsonx.Value(value).IsValid() {
			return
		}
		again, err := schema.ParseInput(s.JSON())
		if err != nil || string(again.JSON()) != string(s.JSON()) {
			t.Fatalf("%s became %s, which is another: %v", text, s.JSON(), err)
		}
		v := s.Check([]byte(value))
		if v != nil && (v.Rule == "" || strings.HasPrefix(v.Rule, "is too large")) {
			if v.Rule == "" {
				t.Fatalf("%s %s: no rule", text, value)
			}
			return
		}
		if strings.Contains(text, "$id") || strings.Contains(text, "$schema") || strings.Contains(text, "const") || strings.Contains(text, "enum") {
			return // what is done on top of the library
		}
		instance, err := decodeExact([]byte(value))
		if err != nil {
			return
		}
		if verdict := resolveWith(t, s.JSON(), nil).resolved.Validate(instance); (verdict == nil) != (v == nil) {
			t.Fatalf("%s %s: got %v, the library says %v", text, value, v, verdict)
		}
	})
}
