package schema_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/schema"
)

func TestGivenCheck(t *testing.T) {
	for name, tc := range map[string]struct{ schema, value, field, rule string }{
		"type":                   {`"properties":{"a":{"type":"string"}}`, `{"a":1}`, "a", "must be a string"},
		"types":                  {`"properties":{"a":{"type":["string","null"]}}`, `{"a":1}`, "a", "must be a string or null"},
		"root":                   {``, `[]`, "", "must be an object"},
		"enum":                   {`"properties":{"a":{"enum":["x",1,null]}}`, `{"a":2}`, "a", "must be one of: x, 1, null"},
		"const":                  {`"properties":{"a":{"const":{"b":[1.5]}}}`, `{"a":2}`, "a", `must be one of: {"b":[1.5]}`},
		"const null":             {`"properties":{"a":{"const":null}}`, `{"a":2}`, "a", `must be one of: null`},
		"multipleOf":             {`"properties":{"a":{"multipleOf":5}}`, `{"a":7}`, "a", "must be a multiple of 5"},
		"minimum":                {`"properties":{"a":{"minimum":1000000}}`, `{"a":7}`, "a", "must be at least 1000000"},
		"maximum":                {`"properties":{"a":{"maximum":0.5}}`, `{"a":7}`, "a", "must be at most 0.5"},
		"exclusiveMinimum":       {`"properties":{"a":{"exclusiveMinimum":7}}`, `{"a":7}`, "a", "must be greater than 7"},
		"exclusiveMaximum":       {`"properties":{"a":{"exclusiveMaximum":7}}`, `{"a":7}`, "a", "must be less than 7"},
		"minLength":              {`"properties":{"a":{"minLength":2}}`, `{"a":"é"}`, "a", "must be at least 2 characters long"},
		"maxLength":              {`"properties":{"a":{"maxLength":1}}`, `{"a":"éé"}`, "a", "must be at most 1 character long"},
		"pattern":                {`"properties":{"a":{"pattern":"^x$"}}`, `{"a":"y"}`, "a", "must match the pattern ^x$"},
		"required":               {`"properties":{"a":{"required":["b","c"]}}`, `{"a":{"b":1}}`, "a.c", "is required"},
		"required, root":         {`"required":["b","c"]`, `{"b":1}`, "c", "is required"},
		"minItems":               {`"properties":{"a":{"minItems":2}}`, `{"a":[1]}`, "a", "must have at least 2 items"},
		"maxItems":               {`"properties":{"a":{"maxItems":0}}`, `{"a":[1]}`, "a", "must have at most 0 items"},
		"uniqueItems":            {`"properties":{"a":{"uniqueItems":true}}`, `{"a":[1,1.0]}`, "a", "must have no item twice"},
		"contains":               {`"properties":{"a":{"contains":{"const":1}}}`, `{"a":[2]}`, "a", "must have an item of the kind that the schema asks for"},
		"minContains":            {`"properties":{"a":{"contains":{"const":1},"minContains":2}}`, `{"a":[1]}`, "a", "must have at least 2 items of the kind that the schema asks for"},
		"maxContains":            {`"properties":{"a":{"contains":{"const":1},"maxContains":1}}`, `{"a":[1,1]}`, "a", "must have at most 1 item of the kind that the schema asks for"},
		"minProperties":          {`"minProperties":1`, `{}`, "", "must have at least 1 member"},
		"maxProperties":          {`"maxProperties":1`, `{"a":1,"b":2}`, "", "must have at most 1 member"},
		"dependentRequired":      {`"dependentRequired":{"a":["b"]}`, `{"a":1}`, "", "must have the members that its others need"},
		"dependentSchemas":       {`"dependentSchemas":{"a":{"required":["b"]}}`, `{"a":1}`, "b", "is required"},
		"no others":              {`"properties":{"b":{},"a":{}},"additionalProperties":false`, `{"secret":1}`, "", "must have no members but: a, b"},
		"no others, patterns":    {`"patternProperties":{"^a":{}},"additionalProperties":false`, `{"secret":1}`, "", "must have no members but those in the schema"},
		"additional":             {`"additionalProperties":{"type":"string"}`, `{"a":"x","secret":1}`, "*", "must be a string"},
		"pattern property":       {`"patternProperties":{"^s":{"type":"string"}}`, `{"secret":1}`, "*", "must be a string"},
		"property names":         {`"propertyNames":{"maxLength":3}`, `{"secret":1}`, "", "has a member whose name the schema does not allow"},
		"unevaluated":            {`"properties":{"a":{}},"unevaluatedProperties":false`, `{"secret":1}`, "*", "must not be there"},
		"items":                  {`"properties":{"a":{"items":{"type":"string"}}}`, `{"a":["x",1]}`, "a[1]", "must be a string"},
		"items of items":         {`"properties":{"a":{"items":{"items":{"maximum":3}}}}`, `{"a":[[1],[],[3,4]]}`, "a[2][1]", "must be at most 3"},
		"items, by reference":    {`"$defs":{"s":{"type":"string"}},"properties":{"a":{"items":{"$ref":"#/$defs/s"}}}`, `{"a":["x",1]}`, "a[1]", "must be a string"},
		"members of items":       {`"properties":{"a":{"items":{"required":["b"]}}}`, `{"a":[{"b":1},{}]}`, "a[1].b", "is required"},
		"items of members":       {`"additionalProperties":{"items":{"type":"integer"}}`, `{"secret":[1,"x"]}`, "*[1]", "must be an integer"},
		"prefix":                 {`"properties":{"a":{"prefixItems":[{},{"type":"string"}],"items":{"type":"null"}}}`, `{"a":[1,2]}`, "a[1]", "must be a string"},
		"behind the prefix":      {`"properties":{"a":{"prefixItems":[{}],"items":{"type":"null"}}}`, `{"a":[1,2]}`, "a[1]", "must be null"},
		"untold item":            {`"properties":{"a":{"items":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"a":["x",1]}`, "a[]", "must match one of the alternatives in the schema"},
		"anyOf":                  {`"anyOf":[{"required":["a"]},{"required":["b"]}]`, `{}`, "", "must match one of the alternatives in the schema"},
		"oneOf":                  {`"oneOf":[{},{}]`, `{}`, "", "must match exactly one of the alternatives in the schema"},
		"allOf":                  {`"allOf":[{},{"properties":{"a":{"type":"string"}}}]`, `{"a":1}`, "a", "must be a string"},
		"not":                    {`"properties":{"a":{"not":{"type":"string"}}}`, `{"a":"x"}`, "a", "must not be what the schema excludes"},
		"false":                  {`"properties":{"a":false}`, `{"a":1}`, "a", "must not be there"},
		"then":                   {`"if":{"required":["a"]},"then":{"required":["b"]}`, `{"a":1}`, "b", "is required"},
		"reference":              {`"$defs":{"x":{"properties":{"b":{"type":"string"}}}},"properties":{"a":{"$ref":"#/$defs/x"}}`, `{"a":{"b":1}}`, "a.b", "must be a string"},
		"anchor":                 {`"$defs":{"x":{"$anchor":"x","type":"string"}},"properties":{"a":{"$ref":"#x"}}`, `{"a":1}`, "a", "must be a string"},
		"recursive":              {`"properties":{"n":{"$ref":"#"},"v":{"type":"string"}}`, `{"n":{"n":{"v":1}}}`, "n.n.v", "must be a string"},
		"odd name":               {`"properties":{"a/b~c":{"properties":{"items":{"type":"string"}}}}`, `{"a/b~c":{"items":1}}`, "a/b~c.items", "must be a string"},
		"draft-07":               {`"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{"type":"string"}],"additionalItems":{"type":"null"}}}`, `{"a":["x",1]}`, "a[1]", "must be null"},
		"draft-07, first":        {`"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{"type":"string"}]}}`, `{"a":[1]}`, "a[0]", "must be a string"},
		"draft-07, dependencies": {`"$schema":"http://json-schema.org/draft-07/schema","dependencies":{"a":["b"]}`, `{"a":1}`, "", "must have the members that its others need"},
		"draft-07, named":        {`"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"s":{"$id":"#s","type":"string"}},"properties":{"a":{"$ref":"#s"}}`, `{"a":1}`, "a", "must be a string"},
		"infinite":               {``, `{"a":[1e400]}`, "", "must be a number that fits a floating-point number"},
		"T5: const":              {`"properties":{"a":{"const":9007199254740993}}`, `{"a":9007199254740992}`, "a", "must be one of: 9007199254740993"},
		"T5: enum":               {`"properties":{"a":{"enum":[9007199254740993,18446744073709551615]}}`, `{"a":18446744073709551614}`, "a", "must be one of: 9007199254740993, 18446744073709551615"},
		"T5: unique":             {`"properties":{"a":{"uniqueItems":true}}`, `{"a":[9007199254740992,9007199254740993.0,9007199254740993]}`, "a", "must have no item twice"},
		"T4: case":               {`"required":["a"]`, `{"A":1}`, "a", "is required"},
	} {
		t.Run(name, func(t *testing.T) {
			text := `{"type":"object"`
			if tc.schema != "" {
				text += "," + tc.schema
			}
			s, err := schema.ParseInput([]byte(text + "}"))
			if err != nil {
				t.Fatal(err)
			}
			v := s.Check([]byte(tc.value))
			if v == nil || v.Field != tc.field || v.Rule != tc.rule {
				t.Fatalf("got %+v, want %q %q", v, tc.field, tc.rule)
			}
		})
	}
}

func TestGivenConforming(t *testing.T) {
	for name, tc := range map[string]struct{ schema, value string }{
		"conformance":      {conformanceSchema, `{"name":"a","address":{"street":"b"},"contactMethod":"phone","phone":"1"}`},
		"integers":         {`{"type":"object","properties":{"a":{"items":{"type":"integer"}}}}`, `{"a":[3.0,1e2,-0,1e300,9007199254740993]}`},
		"T5: exact":        {`{"type":"object","properties":{"a":{"const":9007199254740993},"b":{"enum":[18446744073709551615]},"c":{"uniqueItems":true}}}`, `{"a":9007199254740993.0,"b":18446744073709551615,"c":[9007199254740992,9007199254740993]}`},
		"const null":       {`{"type":"object","properties":{"a":{"const":null}}}`, `{"a":null}`},
		"ignored siblings": {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{}},"properties":{"a":{"$ref":"#/definitions/a","type":"string"}}}`, `{"a":1}`},
		"dynamic":          {`{"type":"object","$dynamicAnchor":"n","properties":{"a":{"$dynamicRef":"#n"}}}`, `{"a":{"a":{}}}`},
		"root id":          {`{"$id":"https://e.example/tool","type":"object","$defs":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/s"}}}`, `{"a":"x"}`},
		"unknown members":  {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"A":1,"b":[{}]}`},
		"format is a note": {`{"type":"object","properties":{"a":{"format":"email"}}}`, `{"a":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.ParseInput([]byte(tc.schema))
			if err != nil {
				t.Fatal(err)
			}
			if v := s.Check([]byte(tc.value)); v != nil {
				t.Fatal(v)
			}
		})
	}
}

func TestLongListsAreNotRepeated(t *testing.T) {
	s, err := schema.ParseInput([]byte(`{"type":"object","properties":{"a":{"enum":["` + strings.Repeat("x", 500) + `"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Check([]byte(`{"a":1}`)); v == nil || v.Rule != "must be one of the values that the schema lists" {
		t.Fatalf("got %v", v)
	}
}
