package schema_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/schema"
)

// MCP 2026-07-28, basic/transports: x-mcp-header.
func TestHeaders(t *testing.T) {
	inferred := mustInput(t, in[struct {
		Region string `json:"region" header:"Region"`
		Level  *int   `json:"level" header:"X-Level.1"`
		Where  struct {
			Dry bool `json:"dry" header:"Dry"`
		} `json:"where"`
		Plain string
	}]())
	given, err := schema.ParseInput([]byte(`{"properties":{
		"region":{"x-mcp-header":"Region","type":"string"},
		"level":{"type":"integer","x-mcp-header":"X-Level.1"},
		"where":{"type":"object","properties":{"dry":{"type":"boolean","x-mcp-header":"Dry"}}},
		"other":{"default":{"x-mcp-header":"a b"},"x-else":{"x-mcp-header":"a b"}}
	},"examples":[{"x-mcp-header":"a b"}],"type":"object"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []schema.Header{
		{Name: "Region", Path: []string{"region"}, Type: "string"},
		{Name: "X-Level.1", Path: []string{"level"}, Type: "integer"},
		{Name: "Dry", Path: []string{"where", "dry"}, Type: "boolean"},
	}
	if got := inferred.Headers(); !reflect.DeepEqual(got, want) {
		t.Errorf("inferred: %+v", got)
	}
	if got := given.Headers(); !reflect.DeepEqual(got, want) {
		t.Errorf("given: %+v", got)
	}
	if text := string(inferred.JSON()); !strings.Contains(text, `"region":{"type":"string","x-mcp-header":"Region"}`) {
		t.Errorf("not in the text: %s", text)
	}
	// The fixture of the conformance runner (http-custom-header-server-validation).
	fixture, err := schema.ParseInput([]byte(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`))
	if err != nil || len(fixture.Headers()) != 1 {
		t.Errorf("fixture: %v, %v", fixture, err)
	}
}

func TestWrongHeadersOfGivenSchemas(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"root":          {`"x-mcp-header":"A"`, "not reached through properties alone"},
		"number":        {`"properties":{"a":{"type":"number","x-mcp-header":"A"}}`, "property a has a header annotation; only one type of string, integer, boolean"},
		"no type":       {`"properties":{"a":{"x-mcp-header":"A"}}`, "property a has a header annotation"},
		"types":         {`"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}`, "property a has a header annotation"},
		"list of one":   {`"properties":{"a":{"type":["string"],"x-mcp-header":"A"}}`, "property a has a header annotation"},
		"no string":     {`"properties":{"a":{"type":"string","x-mcp-header":1}}`, "at /properties/a: x-mcp-header is a string"},
		"no token":      {`"properties":{"a":{"type":"string","x-mcp-header":"a:b"}}`, `property a has the header "a:b"`},
		"no ASCII":      {`"properties":{"a":{"type":"string","x-mcp-header":"é"}}`, `property a has the header "é"`},
		"empty":         {`"properties":{"a":{"type":"string","x-mcp-header":""}}`, `property a has the header ""`},
		"twice":         {`"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"a"}}}}`, `property b.c has the header "a", which is taken by a`},
		"items":         {`"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}`, "not reached through properties alone"},
		"below items":   {`"properties":{"a":{"items":{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}}}`, "at /properties/a/items/properties/b"},
		"allOf":         {`"allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]`, "not reached through properties alone"},
		"then":          {`"then":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`, "not reached through properties alone"},
		"$defs":         {`"$defs":{"d":{"type":"string","x-mcp-header":"A"}},"properties":{"a":{"$ref":"#/$defs/d"}}`, "not reached through properties alone"},
		"by reference":  {`"$defs":{"d":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/d","x-mcp-header":"A"}}`, "property a has a header annotation"},
		"additional":    {`"additionalProperties":{"type":"string","x-mcp-header":"A"}`, "not reached through properties alone"},
		"patterns":      {`"patternProperties":{"a":{"type":"string","x-mcp-header":"A"}}`, "not reached through properties alone"},
		"spelled wrong": {`"properties":{"a":{"type":"string","X-MCP-Header":"A"}}`, `the keyword "X-MCP-Header" is spelled "x-mcp-header"`},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(`{"type":"object",` + tc.text + `}`)
			_, err := schema.ParseInput(text)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
			if name == "spelled wrong" {
				return
			}
			if s, err := schema.ParseOutput(text); err != nil || s.Headers() != nil {
				t.Fatalf("an output has no headers, but: %v, %v", s, err)
			}
		})
	}
}

func TestPromptArguments(t *testing.T) {
	type extra struct {
		Tone size `json:"tone,omitempty" title:"Tone"`
	}
	args, err := schema.PromptArguments(in[struct {
		Topic string  `json:"topic" title:"Topic" description:"What about" maxLength:"80"`
		Lang  *string `json:"lang"`
		extra
		hidden int
	}]())
	want := []schema.Argument{
		{Name: "topic", Title: "Topic", Description: "What about", Required: true},
		{Name: "lang"},
		{Name: "tone", Title: "Tone"},
	}
	if err != nil || !reflect.DeepEqual(args, want) {
		t.Fatalf("got %+v, %v", args, err)
	}
	if args, err := schema.PromptArguments(in[struct{}]()); err != nil || args == nil || len(args) != 0 {
		t.Fatalf("none: %v, %v", args, err)
	}
	_, err = schema.PromptArguments(in[struct {
		N int    `json:"n"`
		H string `header:"H"`
		S []string
	}]())
	for _, want := range []string{".N of type int is no string", `.H of type string has the tag header:"H"`, ".S of type []string is no string"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	for _, typ := range []reflect.Type{nil, in[string](), in[map[string]string]()} {
		if _, err := schema.PromptArguments(typ); err == nil {
			t.Errorf("%v accepted", typ)
		}
	}
}
