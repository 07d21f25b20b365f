package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// shelf is one of everything that can be listed and called.
func shelf(t testing.TB) []core.Feature {
	t.Helper()
	type vars struct {
		ID string `json:"id"`
	}
	type args struct {
		Tone string `json:"tone"`
	}
	raw := func(name, schema, result string, content ...core.Content) core.Feature {
		d := core.ToolDefinition{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}
		if schema != "" {
			d.OutputSchema = json.RawMessage(schema)
		}
		tool, err := core.NewRawTool(d, func(context.Context, *core.Event, json.RawMessage) (*core.ToolResult, error) {
			r := &core.ToolResult{Content: content}
			if result != "" {
				r.StructuredContent = json.RawMessage(result)
			}
			return r, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return tool
	}
	link := core.Content{Type: "resource_link", URI: "docs://a", Name: "a"}
	titled := link
	titled.Title = "The A"
	return []core.Feature{
		echoTool,
		toolOf("fails", func(context.Context, *core.Event) (string, error) { return "", errors.New("broken") }),
		raw("object", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"n":9007199254740993}`),
		raw("list", `{"type":"array","items":{"type":"integer"}}`, `[1,2]`),
		raw("maybe", `{"type":["object","null"]}`, `{"a":1}`),
		raw("refs", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"array"}}}`, `[3]`),
		raw("loose", ``, `[4]`),
		raw("looseObject", ``, `{"a":5}`),
		raw("links", ``, ``, link, titled),
		core.NewPrompt("greet", "Greets.", func(_ context.Context, _ *core.Event, in args) (*core.PromptResult, error) {
			return &core.PromptResult{Messages: []core.PromptMessage{
				{Role: "user", Content: core.Text("Greet " + in.Tone)}, {Role: "user", Content: link},
			}}, nil
		}, core.Complete("tone", func(context.Context, *core.Event, string) ([]string, error) { return []string{"warm"}, nil })),
		core.NewResource("docs://readme", "readme", func(context.Context, *core.Event) (string, error) { return "text", nil },
			core.CacheTTL(60e9), core.CachePublic()),
		core.NewTemplate("docs://rows/{id}", "row", func(_ context.Context, _ *core.Event, v vars) (string, error) {
			if v.ID == "none" {
				return "", core.ResourceNotFound("docs://rows/none")
			}
			return v.ID, nil
		}),
	}
}

// Every method of the older revisions, with its exact answer: no member of the
// modern era, and status 200 whatever the code.
func TestOlderMethods(t *testing.T) {
	result := func(members string) string { return `{"jsonrpc":"2.0","id":1,"result":{` + members + `}}` }
	fault := func(code, text, data string) string {
		return `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"` + text + `"` + data + `}}`
	}
	text := func(s string) string { return result(`"content":[{"type":"text","text":"` + s + `"}]`) }
	const link = `{"type":"resource_link","uri":"docs://a","name":"a"}`
	for name, tc := range map[string]struct {
		method, params, want string
		march                string // of 2025-03-26, if it differs
	}{
		"ping":            {"ping", ``, result(``), ""},
		"ping with _meta": {"ping", `"_meta":{"a/b":1}`, result(``), ""},
		"level":           {"logging/setLevel", `"level":"debug"`, result(``), ""},
		"bad level":       {"logging/setLevel", `"level":"loud"`, fault("-32602", "Invalid params: level is no log level", ""), ""},
		"no level":        {"logging/setLevel", ``, fault("-32602", "Invalid params: level is no log level", ""), ""},
		"call":            {"tools/call", `"name":"echo","arguments":{"text":"hi"}`, text("hi"), ""},
		"call without arguments": {
			"tools/call", `"name":"echo"`, text(""), "",
		},
		"answers are nobody's members": {
			"tools/call", `"name":"echo","arguments":{"text":"hi"},"inputResponses":5,"requestState":5`, text("hi"), "",
		},
		"failing tool":    {"tools/call", `"name":"fails"`, result(`"content":[{"type":"text","text":"broken"}],"isError":true`), ""},
		"unknown tool":    {"tools/call", `"name":"nobody"`, fault("-32602", "Unknown tool", ""), ""},
		"name 5":          {"tools/call", `"name":5`, fault("-32602", "Invalid params: name must be a string", ""), ""},
		"arguments []":    {"tools/call", `"name":"echo","arguments":[]`, fault("-32602", "Invalid params: arguments must be an object", ""), ""},
		"_meta []":        {"tools/call", `"name":"echo","_meta":[]`, fault("-32602", "Invalid params: _meta must be an object", ""), ""},
		"lone surrogate":  {"tools/call", `"name":"echo","arguments":{"text":"\ud800"}`, fault("-32602", "Invalid params: a string holds a lone surrogate", ""), ""},
		"T5 object":       {"tools/call", `"name":"object"`, result(`"content":[{"type":"text","text":"{\"n\":9007199254740993}"}],"structuredContent":{"n":9007199254740993}`), ""},
		"list wrapped":    {"tools/call", `"name":"list"`, result(`"content":[{"type":"text","text":"[1,2]"}],"structuredContent":{"result":[1,2]}`), ""},
		"T35 nullable":    {"tools/call", `"name":"maybe"`, result(`"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"result":{"a":1}}`), ""},
		"with references": {"tools/call", `"name":"refs"`, result(`"content":[{"type":"text","text":"[3]"}]`), ""},
		"no schema":       {"tools/call", `"name":"loose"`, result(`"content":[{"type":"text","text":"[4]"}],"structuredContent":{"result":[4]}`), ""},
		"no schema, object": {
			"tools/call", `"name":"looseObject"`, result(`"content":[{"type":"text","text":"{\"a\":5}"}],"structuredContent":{"a":5}`), "",
		},
		"links": {
			"tools/call", `"name":"links"`,
			result(`"content":[` + link + `,{"type":"resource_link","uri":"docs://a","name":"a","title":"The A"}]`),
			result(`"content":[{"type":"text","text":"a: docs://a"},{"type":"text","text":"The A: docs://a"}]`),
		},
		"prompts": {
			"prompts/list", ``, result(`"prompts":[{"name":"greet","description":"Greets.","arguments":[{"name":"tone","required":true}]}]`), "",
		},
		"prompt": {
			"prompts/get", `"name":"greet","arguments":{"tone":"x"}`,
			result(`"messages":[{"role":"user","content":{"type":"text","text":"Greet x"}},{"role":"user","content":` + link + `}]`),
			result(`"messages":[{"role":"user","content":{"type":"text","text":"Greet x"}},{"role":"user","content":{"type":"text","text":"a: docs://a"}}]`),
		},
		"unknown prompt": {"prompts/get", `"name":"nobody"`, fault("-32602", "Unknown prompt", ""), ""},
		"resources":      {"resources/list", ``, result(`"resources":[{"uri":"docs://readme","name":"readme","mimeType":"text/plain"}]`), ""},
		"templates": {
			"resources/templates/list", ``, result(`"resourceTemplates":[{"uriTemplate":"docs://rows/{id}","name":"row","mimeType":"text/plain"}]`), "",
		},
		"read": {
			"resources/read", `"uri":"docs://readme"`, result(`"contents":[{"uri":"docs://readme","mimeType":"text/plain","text":"text"}]`), "",
		},
		"read of a template": {
			"resources/read", `"uri":"docs://rows/7"`, result(`"contents":[{"uri":"docs://rows/7","mimeType":"text/plain","text":"7"}]`), "",
		},
		"no such resource": {
			"resources/read", `"uri":"docs://none"`, fault("-32002", "Resource not found", `,"data":{"uri":"docs://none"}`), "",
		},
		"no such row": {
			"resources/read", `"uri":"docs://rows/none"`, fault("-32002", "Resource not found", `,"data":{"uri":"docs://rows/none"}`), "",
		},
		"uri 5": {"resources/read", `"uri":5`, fault("-32602", "Invalid params: uri must be a string", ""), ""},
		"completion": {
			"completion/complete", `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"tone","value":""}`,
			result(`"completion":{"values":["warm"]}`), "",
		},
		"cursor":          {"tools/list", `"cursor":"x"`, fault("-32602", "Unknown cursor", ""), ""},
		"unknown method":  {"tools/burn", ``, fault("-32601", "Method not found", ""), ""},
		"modern discover": {"server/discover", ``, fault("-32601", "Method not found", ""), ""},
		"modern listen":   {"subscriptions/listen", `"notifications":{}`, fault("-32601", "Method not found", ""), ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, version := range olderVersions {
				want := tc.want
				if version == v2025March && tc.march != "" {
					want = tc.march
				}
				for mode, sessions := range map[string]bool{"stateless": false, "sessions": true} {
					url := start(t, func(c *server.Config) { c.Legacy.Sessions = sessions }, shelf(t)...)
					c := &older{t: t, url: url, version: version}
					if sessions {
						c = joined(t, url, version, "")
					}
					got := c.tell(tc.method, tc.params)
					if got.status != 200 || !sameJSON(t, got.body, want) || !strings.HasPrefix(got.body, `{"jsonrpc":"2.0","id":1,`) {
						t.Errorf("%s, %s: got %d %s\nwant %s", version, mode, got.status, got.body, want)
					}
				}
			}
		})
	}
}

// The schemas that older clients are shown, and those of today.
func TestOlderToolList(t *testing.T) {
	url := start(t, func(c *server.Config) { c.PageSize = 4 }, shelf(t)...)
	schemas := map[string]string{
		"object": `{"type":"object","properties":{"n":{"type":"integer"}}}`,
		"list":   `{"type":"object","properties":{"result":{"type":"array","items":{"type":"integer"}}},"required":["result"]}`,
		"maybe":  `{"type":"object","properties":{"result":{"type":["object","null"]}},"required":["result"]}`,
	}
	for range 2 { // the second time from what is kept
		c := &older{t: t, url: url, version: v2025Nov}
		seen, cursor := 0, ""
		for first := true; first || cursor != ""; first = false {
			params := ""
			if cursor != "" {
				params = `"cursor":"` + cursor + `"`
			}
			got := c.tell("tools/list", params)
			var page struct {
				Result struct {
					Tools []struct {
						Name         string          `json:"name"`
						OutputSchema json.RawMessage `json:"outputSchema"`
					} `json:"tools"`
					NextCursor string `json:"nextCursor"`
				} `json:"result"`
			}
			if err := json.Unmarshal([]byte(got.body), &page); err != nil {
				t.Fatal(err)
			}
			for _, tool := range page.Result.Tools {
				seen++
				if string(tool.OutputSchema) != schemas[tool.Name] && !(schemas[tool.Name] != "" && sameJSON(t, string(tool.OutputSchema), schemas[tool.Name])) {
					t.Errorf("%s: %s", tool.Name, tool.OutputSchema)
				}
			}
			cursor = page.Result.NextCursor
		}
		if seen != 9 {
			t.Errorf("%d tools", seen)
		}
		// What older clients were shown is not what others are.
		if got := tell(t, url, ask{method: "tools/list"}); !strings.Contains(got.body, `"outputSchema":{"type":"array"`) || got.result()["ttlMs"] == nil {
			t.Errorf("modern: %s", got.body)
		}
	}
}

// A method whose capability is not advertised is not found, and neither is
// what only sessions have.
func TestOlderCapabilities(t *testing.T) {
	for name, tc := range map[string]struct {
		features []core.Feature
		missing  []string
	}{
		"no tools":     {[]core.Feature{shelf(t)[9]}, []string{"tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list", "resources/subscribe"}},
		"no prompts":   {[]core.Feature{echoTool}, []string{"prompts/list", "prompts/get", "completion/complete"}},
		"nothing":      {nil, []string{"tools/list", "logging/setLevel"}},
		"no session":   {shelf(t), []string{"resources/subscribe", "resources/unsubscribe"}},
		"never at all": {shelf(t), []string{"initialized", "tasks/list", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			c := &older{t: t, url: start(t, nil, tc.features...), version: v2025Nov}
			for _, method := range tc.missing {
				got := c.tell(method, `"uri":"docs://readme","name":"echo","level":"info"`)
				refused{200, -32601, "Method not found"}.check(t, got, "1")
			}
			if got := c.tell("ping", ""); got.result() == nil {
				t.Errorf("ping: %s", got.body)
			}
		})
	}
}
