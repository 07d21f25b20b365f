package legacy_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/legacy"
)

func same(t *testing.T, a, b string) bool {
	t.Helper()
	value := func(s string) (v any) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Errorf("%v: %s", err, s)
		}
		return v
	}
	return reflect.DeepEqual(value(a), value(b))
}

// T35: what older clients are shown is always an object.
func TestStructured(t *testing.T) {
	for name, tc := range map[string]struct {
		schema, older, content, sent string
	}{
		"object":             {`{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, `{"a":[1]}`, `{"a":[1]}`},
		"list":               {`{"type":"array"}`, `{"type":"object","properties":{"result":{"type":"array"}},"required":["result"]}`, `[9007199254740993]`, `{"result":[9007199254740993]}`},
		"nullable":           {`{"type":["object","null"]}`, `{"type":"object","properties":{"result":{"type":["object","null"]}},"required":["result"]}`, `{"a":1}`, `{"result":{"a":1}}`},
		"no type":            {`{"anyOf":[{"type":"object"}]}`, `{"type":"object","properties":{"result":{"anyOf":[{"type":"object"}]}},"required":["result"]}`, `null`, `{"result":null}`},
		"type within":        {`{"items":{"type":"object"}}`, `{"type":"object","properties":{"result":{"items":{"type":"object"}}},"required":["result"]}`, `7`, `{"result":7}`},
		"reference":          {`{"type":"array","items":{"$ref":"#/$defs/a"}}`, ``, `[1]`, ``},
		"dynamic reference":  {`{"type":"array","items":{"$dynamicRef":"#a"}}`, ``, `[1]`, ``},
		"object, references": {`{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{"type":"object","properties":{"a":{"$ref":"#"}}}`, `{}`, `{}`},
		"no schema, object":  {``, ``, `{"a":1}`, `{"a":1}`},
		"no schema, text":    {``, ``, `"x"`, `{"result":"x"}`},
		"no content":         {`{"type":"array"}`, `{"type":"object","properties":{"result":{"type":"array"}},"required":["result"]}`, ``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			older, structure := legacy.OutputSchema([]byte(tc.schema))
			if string(older) != tc.older {
				t.Errorf("schema %s, want %s", older, tc.older)
			}
			if sent := legacy.Structured([]byte(tc.content), structure); string(sent) != tc.sent {
				t.Errorf("content %s, want %s", sent, tc.sent)
			}
		})
	}
}

func TestContent(t *testing.T) {
	link := protocol.Content{Type: "resource_link", URI: "a:b", Name: "n", MIMEType: "text/plain"}
	titled := link
	titled.Title = "T"
	text := protocol.Content{Type: "text", Text: "x"}
	for name, tc := range map[string]struct {
		version   string
		in        protocol.Content
		wantText  string
		unchanged bool
	}{
		"link":        {"2025-03-26", link, "n: a:b", false},
		"with title":  {"2025-03-26", titled, "T: a:b", false},
		"known later": {"2025-06-18", link, "", true},
		"text":        {"2025-03-26", text, "x", true},
	} {
		got := legacy.Content(tc.version, tc.in)
		switch {
		case tc.unchanged && !reflect.DeepEqual(got, tc.in):
			t.Errorf("%s: got %+v", name, got)
		case !tc.unchanged && (got.Type != "text" || got.Text != tc.wantText || got.URI != "" || got.Name != ""):
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
