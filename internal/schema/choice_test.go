package schema_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parleymcp/parley/internal/schema"
)

type dynamicForm struct {
	Size   string   `json:"size" enum:"*" default:"m"`
	Extras []string `json:"extras,omitempty" enum:"*" minItems:"2" default:"a,b"`
	Fixed  string   `json:"fixed,omitempty" enum:"x"`
	Note   string   `json:"note,omitempty"`
}

type plainDynamic struct {
	Size   size     `json:"size" enum:"*"`
	Extras []string `json:"extras,omitempty" enum:"*" minItems:"2"`
}

func TestChoicesOfACall(t *testing.T) {
	form := mustForm(t, in[plainDynamic]())
	if got := form.Unresolved(); !slices.Equal(got, []string{"size", "extras"}) {
		t.Fatalf("unresolved: %q", got)
	}
	before := string(form.JSON())
	sized, err := form.WithChoices("size", []schema.Choice{{"s", "Small"}, {"m", ""}})
	if err != nil {
		t.Fatal(err)
	}
	both, err := sized.WithChoices("extras", []schema.Choice{{Value: "a"}, {Value: "b"}, {Value: "c"}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := both.WithChoices("size", []schema.Choice{{Value: "xl"}})
	if err != nil {
		t.Fatal(err)
	}
	if string(form.JSON()) != before || !slices.Equal(sized.Unresolved(), []string{"extras"}) || both.Unresolved() != nil {
		t.Fatal("a derived form changed the one it is from")
	}
	const want = `{"type":"object","properties":{` +
		`"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"m","title":"m"}]},` +
		`"extras":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"minItems":2}},"required":["size"]}`
	if got := string(both.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(again.JSON()); !strings.Contains(got, `"size":{"type":"string","enum":["xl"]}`) {
		t.Errorf("choices are not replaced: %s", got)
	}
	for _, tc := range []struct {
		form          *schema.Form
		content, want string
	}{
		{form, `{"size":"s"}`, "parley: size must be one of the values that the schema lists"},
		{form, `{}`, "parley: size is required"},
		{sized, `{"size":"s"}`, ""},
		{sized, `{"size":"s","extras":["a","b"]}`, "parley: extras[0] must be one of the values that the schema lists"},
		{both, `{"size":"m","extras":["a","c"]}`, ""},
		{both, `{"size":"m","extras":["a","a"]}`, ""}, // JSON Schema as sent has no rule against it
		{both, `{"size":"m","extras":["a","d"]}`, "parley: extras[1] must be one of: a, b, c"},
		{both, `{"size":"Small"}`, "parley: size must be one of: s, m"},
		{again, `{"size":"s"}`, "parley: size must be one of: xl"},
	} {
		v := tc.form.Decode([]byte(tc.content), new(plainDynamic))
		if tc.want == "" && v != nil || tc.want != "" && (v == nil || v.Error() != tc.want) {
			t.Errorf("%s: got %v, want %q", tc.content, v, tc.want)
		}
	}
}

func TestWrongChoices(t *testing.T) {
	form := mustForm(t, in[dynamicForm]())
	for name, tc := range map[string]struct {
		field   string
		choices []schema.Choice
		want    string
	}{
		"unknown":     {"colour", []schema.Choice{{Value: "m"}}, `"colour" takes no choices; allowed are the fields tagged enum:"*": size, extras`},
		"static":      {"fixed", []schema.Choice{{Value: "m"}}, `"fixed" takes no choices`},
		"plain":       {"note", []schema.Choice{{Value: "m"}}, `"note" takes no choices`},
		"none":        {"size", nil, `choices of "size": there is none`},
		"twice":       {"size", []schema.Choice{{Value: "m"}, {"m", "M"}}, `the value "m" appears twice`},
		"no value":    {"size", []schema.Choice{{"", "None"}}, "a choice has no value"},
		"no UTF-8":    {"size", []schema.Choice{{Value: "\xff"}}, "is not UTF-8"},
		"default":     {"size", []schema.Choice{{Value: "s"}}, "the default must be one of: s"},
		"too few":     {"extras", []schema.Choice{{Value: "a"}}, "fewer than minItems"},
		"defaults":    {"extras", []schema.Choice{{Value: "a"}, {Value: "c"}}, "the default must be one of: a, c"},
		"wrong names": {"Size", []schema.Choice{{Value: "m"}}, `"Size" takes no choices`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := form.WithChoices(tc.field, tc.choices)
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "parley: ") {
				t.Fatalf("got %v, want %s", err, tc.want)
			}
		})
	}
	if _, err := mustForm(t, in[booking]()).WithChoices("size", []schema.Choice{{Value: "m"}}); err == nil ||
		!strings.Contains(err.Error(), "allowed are the fields tagged enum:\"*\": none") {
		t.Errorf("got %v", err)
	}
}

func TestSelection(t *testing.T) {
	form, err := schema.NewSelection("account/1", "Which account?", []schema.Choice{{"a1", "Savings"}, {"a2", ""}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{"account/1":{"type":"string","title":"Which account?",` +
		`"oneOf":[{"const":"a1","title":"Savings"},{"const":"a2","title":"a2"}]}},"required":["account/1"]}`
	if got := string(form.JSON()); got != want || form.Unresolved() != nil {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	content, err := form.Encode(size("a2"))
	if err != nil || string(content) != `{"account/1":"a2"}` {
		t.Fatalf("got %s, %v", content, err)
	}
	var chosen string
	if v := form.Decode([]byte(` { "x" : [ "}" ] , "account\/1" : "a\u0032" } `), &chosen); v != nil || chosen != "a2" {
		t.Fatalf("got %q, %v", chosen, v)
	}
	members := map[string]any{}
	if v := form.Decode([]byte(`{"account/1":"a1"}`), &members); v != nil || members["account/1"] != "a1" {
		t.Fatalf("got %v, %v", members, v)
	}
	for content, want := range map[string]string{
		`{"account/1":"a3"}`: "parley: account/1 must be one of: a1, a2", `{}`: "parley: account/1 is required",
		`{"account/1":null}`: "parley: account/1 is required", `{"account/1":["a1"]}`: "parley: account/1 must be a string",
		``: "parley: account/1 is required", `null`: "parley: account/1 is required", `"a1"`: "parley: the value must be an object",
	} {
		if v := form.Decode([]byte(content), &chosen); v == nil || v.Error() != want {
			t.Errorf("%s: got %v, want %s", content, v, want)
		}
	}
	if chosen != "a2" {
		t.Error("a violation wrote to the destination")
	}
	if _, err := form.Encode("a3"); err == nil {
		t.Error("encoded what is no choice")
	}
	if _, err := form.Encode(3); err == nil {
		t.Error("encoded what is no string")
	}
	for _, key := range []string{"", "\xff"} {
		if _, err := schema.NewSelection(key, "", []schema.Choice{{Value: "a"}}); err == nil {
			t.Errorf("the key %q is accepted", key)
		}
	}
	if _, err := schema.NewSelection("k", "", nil); err == nil {
		t.Error("a selection without choices is accepted")
	}
}

func TestFormsAreSafeForConcurrentUse(t *testing.T) {
	form := mustForm(t, in[plainDynamic]())
	var group sync.WaitGroup
	for _, value := range []string{"a", "b", "c", "d"} {
		group.Go(func() {
			for range 50 {
				own, err := form.WithChoices("size", []schema.Choice{{Value: value}})
				if err != nil {
					t.Error(err)
					return
				}
				if v := own.Decode([]byte(`{"size":"`+value+`"}`), new(plainDynamic)); v != nil {
					t.Error(v)
				}
			}
		})
	}
	group.Wait()
}
