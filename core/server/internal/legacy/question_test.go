package legacy_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/legacy"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/wireschema"
)

const (
	november = "2025-11-25"
	june     = "2025-06-18"
)

func TestQuestion(t *testing.T) {
	form := func(properties string) string {
		return `{"message":"?","requestedSchema":{"type":"object","properties":{` + properties + `},"required":[]}}`
	}
	for name, tc := range map[string]struct {
		method, params string
		june           string // "": as it is
	}{
		"not an elicitation":    {"sampling/createMessage", `{"mode":"form","default":1}`, ""},
		"sampling of one block": {"sampling/createMessage", `{"messages":[{"role":"user","content":{"type":"text","text":"a"}}],"maxTokens":1}`, ""},
		"sampling of several blocks": {
			"sampling/createMessage", `{"maxTokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"assistant","content":{"type":"text","text":"c"}}]}`,
			`{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"a"}},{"role":"user","content":{"type":"text","text":"b"}},{"role":"assistant","content":{"type":"text","text":"c"}}]}`,
		},
		"sampling of another shape": {"sampling/createMessage", `{"messages":7}`, ""},
		"mode":                      {"elicitation/create", `{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{}}}`, `{"message":"?","requestedSchema":{"type":"object","properties":{}}}`},
		"string default":            {"elicitation/create", form(`"a":{"type":"string","default":"x","minLength":1}`), form(`"a":{"type":"string","minLength":1}`)},
		"number default":            {"elicitation/create", form(`"a":{"default":1,"type":"number"}`), form(`"a":{"type":"number"}`)},
		"boolean default":           {"elicitation/create", form(`"a":{"default":true,"type":"boolean"}`), ""},
		"choices":                   {"elicitation/create", form(`"a":{"type":"string","enum":["x","y"]}`), ""},
		"titled choices": {
			"elicitation/create", form(`"a":{"type":"string","title":"A","oneOf":[{"const":"x","title":"X \"1\""},{"const":"y","title":""}]}`),
			form(`"a":{"type":"string","title":"A","enum":["x","y"],"enumNames":["X \"1\"",""]}`),
		},
		"T4 choices of both kinds": {
			"elicitation/create", form(`"a":{"type":"string","enum":["x"],"oneOf":[{"const":"y","title":"Y"}],"enumNames":["X"]}`),
			form(`"a":{"type":"string","enum":["y"],"enumNames":["Y"]}`),
		},
		"choices of another shape": {"elicitation/create", form(`"a":{"type":"string","oneOf":[1]}`), ""},
		"names that mean nothing":  {"elicitation/create", form(`"default":{"type":"string"},"mode":{"type":"string"},"oneOf":{"type":"boolean"}`), ""},
		"schema is no object":      {"elicitation/create", `{"requestedSchema":[1]}`, ""},
		"properties are no object": {"elicitation/create", `{"requestedSchema":{"properties":7}}`, ""},
		"a property is no object":  {"elicitation/create", form(`"a":true`), ""},
		"params are no object":     {"elicitation/create", `[]`, ""},
		"odd names":                {"elicitation/create", form(`"\u00e9\n\"":{"type":"string"}`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.june == "" {
				tc.june = tc.params
			}
			got := legacy.Question(june, tc.method, []byte(tc.params))
			if !same(t, string(got), tc.june) {
				t.Errorf("got  %s\nwant %s", got, tc.june)
			}
			if got := legacy.Question(november, tc.method, []byte(tc.params)); string(got) != tc.params {
				t.Errorf("2025-11-25: %s", got)
			}
		})
	}
	if got := legacy.Question(november, "roots/list", nil); got != nil {
		t.Errorf("got %s", got)
	}
}

// An elicitation by URL has an id of its own in 2025-11-25.
func TestElicitationID(t *testing.T) {
	const url = `{"mode":"url","message":"?","url":"https://x.example/"}`
	seen := map[string]bool{}
	for range 100 {
		raw := legacy.Question(november, "elicitation/create", []byte(url))
		var p struct {
			ElicitationID string `json:"elicitationId"`
		}
		if err := json.Unmarshal(raw, &p); err != nil || !regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(p.ElicitationID) || seen[p.ElicitationID] {
			t.Fatalf("%s: %v", raw, err)
		}
		seen[p.ElicitationID] = true
		wireschema.ValidateLegacy(t, november, "", []byte(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":`+string(raw)+`}`))
	}
	for _, params := range []string{
		`{"mode":"url","elicitationId":"mine","message":"?","url":"https://x.example/"}`, `{"mode":"form"}`, `{"mode":7}`, `{}`, `"url"`,
	} {
		if got := legacy.Question(november, "elicitation/create", []byte(params)); string(got) != params {
			t.Errorf("got %s, want %s", got, params)
		}
	}
}

// Whatever the params are, what goes out is JSON, keeps what is no question of
// revisions, and is the same when it is written again.
func FuzzQuestion(f *testing.F) {
	for _, seed := range []string{
		`{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"x","title":"X"}],"default":"x"}}}}`,
		`{"mode":"url","url":"https://x.example/"}`, `{"requestedSchema":{"properties":{"a":{"type":"boolean","default":true},"b":[]}}}`,
		`[]`, `"x"`, `{"a":1,"a":2}`, `{"":{"\u0000":"\ud800"}}`, `{"requestedSchema":{"properties":{"a":{"oneOf":null,"enum":[]}}}}`, ``, `{`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, params []byte, newer bool) {
		version := june
		if newer {
			version = november
		}
		before := string(params)
		got := legacy.Question(version, "elicitation/create", params)
		if string(params) != before {
			t.Fatalf("the params changed: %q, first %q", params, before)
		}
		if !json.Valid(params) {
			return // core lets none through; here it must not panic
		}
		if !json.Valid(got) {
			t.Fatalf("%s became %s", params, got)
		}
		if jsonx.Members(params, func(string, []byte) {}) && !jsonx.Members(got, func(string, []byte) {}) {
			t.Fatalf("%s became %s, which repeats a member", params, got)
		}
		if again := legacy.Question(version, "elicitation/create", got); string(again) != string(got) {
			t.Fatalf("a second time: %s, first %s", again, got)
		}
		if other := legacy.Question(version, "roots/list", params); string(other) != before {
			t.Fatalf("another method: %s", other)
		}
	})
}
