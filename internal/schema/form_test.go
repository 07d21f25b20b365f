package schema_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parleymcp/parley/internal/schema"
)

type booking struct {
	Name   string    `json:"name" title:"Your name" description:"As on the card" minLength:"2" maxLength:"8" default:"Ada"`
	Mail   *string   `json:"mail" format:"email"`
	Site   string    `json:"site,omitempty" format:"uri"`
	Day    string    `json:"day,omitempty" format:"date"`
	Guests int8      `json:"guests" minimum:"1" default:"2"`
	Cents  int64     `json:"cents,omitempty"`
	Tip    float64   `json:"tip,omitempty" minimum:"0" maximum:"0.5" default:"0.1"`
	Smoker *bool     `json:"smoker" default:"false"`
	At     time.Time `json:"at,omitzero"`
	Size   size      `json:"size" enum:"s,m" default:"m"`
	Titled *string   `json:"titled" enum:"s,m" enumTitles:"Small,Medium" default:"s"`
	Extras []string  `json:"extras,omitempty" enum:"wifi,pool" minItems:"1" maxItems:"2" default:"pool"`
	Meals  []size    `json:"meals,omitempty" enum:"b,d" enumTitles:"Breakfast,Dinner"`
	Count  uint16    `json:"count,omitempty"`
}

const bookingText = `{"type":"object","properties":{` +
	`"name":{"type":"string","title":"Your name","description":"As on the card","minLength":2,"maxLength":8,"default":"Ada"},` +
	`"mail":{"type":"string","format":"email"},"site":{"type":"string","format":"uri"},"day":{"type":"string","format":"date"},` +
	`"guests":{"type":"integer","minimum":1,"maximum":127,"default":2},"cents":{"type":"integer"},` +
	`"tip":{"type":"number","minimum":0,"maximum":0.5,"default":0.1},"smoker":{"type":"boolean","default":false},` +
	`"at":{"type":"string","format":"date-time"},"size":{"type":"string","enum":["s","m"],"default":"m"},` +
	`"titled":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"Medium"}],"default":"s"},` +
	`"extras":{"type":"array","items":{"type":"string","enum":["wifi","pool"]},"minItems":1,"maxItems":2,"default":["pool"]},` +
	`"meals":{"type":"array","items":{"anyOf":[{"const":"b","title":"Breakfast"},{"const":"d","title":"Dinner"}]}},` +
	`"count":{"type":"integer","minimum":0,"maximum":65535}},"required":["name","guests","size"]}`

func mustForm(t testing.TB, typ reflect.Type) *schema.Form {
	t.Helper()
	f, err := schema.NewForm(typ)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFormText(t *testing.T) {
	if got := string(mustForm(t, in[booking]()).JSON()); got != bookingText {
		t.Errorf("got  %s\nwant %s", got, bookingText)
	}
	if got := string(mustForm(t, in[struct{}]()).JSON()); got != `{"type":"object","properties":{},"required":[]}` {
		t.Errorf("empty: %s", got)
	}
}

// The fixtures of the conformance runner: test_elicitation,
// elicitation-sep1034-defaults and elicitation-sep1330-enums.
func TestFormsOfTheConformanceRunner(t *testing.T) {
	for typ, want := range map[reflect.Type]string{
		in[struct {
			Username string `json:"username" description:"User's response"`
			Email    string `json:"email" description:"User's email address"`
		}](): `{"type":"object","properties":{"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`,
		in[struct {
			Name     string  `json:"name,omitempty" default:"John Doe"`
			Age      int     `json:"age,omitempty" default:"30"`
			Score    float64 `json:"score,omitempty" default:"95.5"`
			Status   string  `json:"status,omitempty" enum:"active,inactive,pending" default:"active"`
			Verified bool    `json:"verified,omitempty" default:"true"`
		}](): `{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},` +
			`"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}},"required":[]}`,
		in[struct {
			UntitledSingle string   `json:"untitledSingle,omitempty" enum:"option1,option2"`
			TitledSingle   string   `json:"titledSingle,omitempty" enum:"value1,value2" enumTitles:"First,Second"`
			UntitledMulti  []string `json:"untitledMulti,omitempty" enum:"option1,option2"`
			TitledMulti    []string `json:"titledMulti,omitempty" enum:"value1,value2" enumTitles:"First,Second"`
		}](): `{"type":"object","properties":{"untitledSingle":{"type":"string","enum":["option1","option2"]},` +
			`"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"}]},` +
			`"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2"]}},` +
			`"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"}]}}},"required":[]}`,
	} {
		if got := string(mustForm(t, typ).JSON()); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// elicitParams is ElicitRequestFormParams of the specification.
func elicitParams(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("testdata/elicit-form-params-2026-07-28.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	// Its branches are open, so that any string schema is a StringSchema. What is
	// wanted here is that each form is one of them and has no other member.
	for _, def := range s.Defs {
		def.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	s.Defs["PrimitiveSchemaDefinition"].AdditionalProperties = nil
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func TestFormsAreWhatTheSpecificationAllows(t *testing.T) {
	spec := elicitParams(t)
	valid := func(requestedSchema string) error {
		var params any
		text := `{"mode":"form","message":"m","requestedSchema":` + requestedSchema + `}`
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			t.Fatal(err)
		}
		return spec.Validate(params)
	}
	if valid(`{"type":"object","properties":{"a":{"type":"string","pattern":"a"}}}`) == nil ||
		valid(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`) == nil ||
		valid(`{"type":"object","properties":{},"required":null}`) == nil {
		t.Fatal("the test cannot fail")
	}
	selection, err := schema.NewSelection("account", "Which?", []schema.Choice{{"a1", "Savings"}, {"a2", ""}})
	if err != nil {
		t.Fatal(err)
	}
	dynamic, err := mustForm(t, in[plainDynamic]()).WithChoices("size", []schema.Choice{{Value: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, form := range map[string]*schema.Form{
		"booking": mustForm(t, in[booking]()), "empty": mustForm(t, in[struct{}]()), "selection": selection, "dynamic": dynamic,
	} {
		if err := valid(string(form.JSON())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTypesThatAreNoForm(t *testing.T) {
	type broken struct {
		Nested  base              `json:"nested"`
		Map     map[string]string `json:"map"`
		Any     any               `json:"any"`
		Strings []string          `json:"strings"`
		Ints    []int             `json:"ints" enum:"1"`
		Bytes   []byte            `json:"bytes"`
		Array   [2]string         `json:"array" enum:"a"`
		Pattern string            `json:"pattern" pattern:"^a"`
		Header  string            `json:"header" header:"H"`
		Pointer **string          `json:"pointer"`
		Own     onlyIn            `json:"own"`
		Owns    []onlyIn          `json:"owns" enum:"a"`
		Number  json.Number       `json:"number"`
		Titles  string            `json:"titles" enum:"*" enumTitles:"A"`
		Complex complex64         `json:"complex"`
		Good    string            `json:"good"`
	}
	_, err := schema.NewForm(in[broken]())
	if err == nil {
		t.Fatal("accepted")
	}
	for _, name := range []string{
		"Nested", "Map", "Any", "Strings", "Ints", "Bytes", "Array", "Pattern", "Header", "Pointer", "Own", "Owns", "Number",
		"Titles", "Complex",
	} {
		if !strings.Contains(err.Error(), "broken."+name+" of type") {
			t.Errorf("%s is not named in %v", name, err)
		}
	}
	if strings.Contains(err.Error(), "Good") {
		t.Errorf("named without fault: %v", err)
	}
	for _, typ := range []reflect.Type{nil, in[string](), in[map[string]string](), in[*booking](), in[time.Time](), in[timed](), in[textStruct]()} {
		if _, err := schema.NewForm(typ); err == nil || !strings.HasPrefix(err.Error(), "parley: ") {
			t.Errorf("%v: %v", typ, err)
		}
	}
}

type textStruct struct{ A string }

func (textStruct) MarshalText() ([]byte, error)     { return nil, nil }
func (*textStruct) UnmarshalText(text []byte) error { return nil }
