package server_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/parleymcp/parley/core"
)

func TestComplete(t *testing.T) {
	type args struct {
		Language string `json:"language"`
		Other    string `json:"other,omitempty"`
	}
	type vars struct {
		ID string `json:"id"`
	}
	many := func(_ context.Context, ev *core.Event, prefix string) ([]string, error) {
		switch prefix {
		case "fail":
			return nil, errors.New("secret")
		case "panic":
			panic("secret")
		case "context":
			return []string{string(ev.Arguments())}, nil
		case "none":
			return nil, nil
		}
		out := make([]string, len(prefix))
		for i := range out {
			out[i] = strconv.Itoa(i)
		}
		return out, nil
	}
	url := start(t, nil,
		core.NewPrompt("p", "A prompt.", func(context.Context, *core.Event, args) (string, error) { return "", nil }, core.Complete("language", many)),
		core.NewResource("docs://readme", "readme", func(context.Context, *core.Event) (string, error) { return "", nil }),
		core.NewTemplate("docs://rows/{id}", "row", func(context.Context, *core.Event, vars) (string, error) { return "", nil },
			core.Complete("id", many)))
	const prompt = `"ref":{"type":"ref/prompt","name":"p"}`
	argument := func(name, value string) string {
		return `,"argument":{"name":"` + name + `","value":"` + value + `"}`
	}
	x := func(n int) string { return fmt.Sprintf("%0*d", n, 0) }
	complete := func(params string) told {
		return tell(t, url, ask{method: "completion/complete", params: params})
	}
	for name, tc := range map[string]struct {
		params        string
		values        int
		total, more   any
		first, status any
	}{
		"two":                   {params: prompt + argument("language", "xx"), values: 2},
		"exactly 100":           {params: prompt + argument("language", x(100)), values: 100},
		"cut":                   {params: prompt + argument("language", x(101)), values: 100, total: 101.0, more: true},
		"nobody completes":      {params: prompt + argument("other", "xx")},
		"no such argument":      {params: prompt + argument("nobody", "xx")},
		"nil":                   {params: prompt + argument("language", "none")},
		"context":               {params: prompt + argument("language", "context") + `,"context":{"arguments":{"a":"b"}}`, values: 1, first: `{"a":"b"}`},
		"context null":          {params: prompt + argument("language", "xx") + `,"context":null`, values: 2},
		"arguments null":        {params: prompt + argument("language", "xx") + `,"context":{"arguments":null}`, values: 2},
		"template":              {params: `"ref":{"type":"ref/resource","uri":"docs://rows/{id}"}` + argument("id", "xx"), values: 2},
		"URI of a template":     {params: `"ref":{"type":"ref/resource","uri":"docs://rows/7"}` + argument("id", "xx"), values: 2},
		"resource has no rules": {params: `"ref":{"type":"ref/resource","uri":"docs://readme"}` + argument("id", "xx")},
	} {
		t.Run(name, func(t *testing.T) {
			got := complete(tc.params)
			c, _ := got.result()["completion"].(map[string]any)
			values, ok := c["values"].([]any)
			if !ok || len(values) != tc.values || c["total"] != tc.total || c["hasMore"] != tc.more {
				t.Errorf("got %d %s", got.status, got.body)
			}
			if tc.first != nil && values[0] != tc.first {
				t.Errorf("first value %v", values[0])
			}
		})
	}
	const shape = "Invalid params: completion/complete needs a ref with name or uri, and an argument with name and value"
	for params, want := range map[string]refused{
		``:                                  {400, -32602, shape},
		prompt:                              {400, -32602, shape},
		prompt + `,"argument":{"name":"x"}`: {400, -32602, shape},
		prompt + `,"argument":{"name":"x","value":5}`:                              {400, -32602, shape},
		`"ref":{}` + argument("a", "b"):                                            {400, -32602, shape},
		`"ref":{"type":"ref/prompt","uri":"p"}` + argument("a", "b"):               {400, -32602, shape},
		`"ref":{"type":"ref/resource","name":"p"}` + argument("a", "b"):            {400, -32602, shape},
		prompt + argument("a", "b") + `,"context":{"arguments":{"a":null}}`:        {400, -32602, "Invalid params: context.arguments must be an object of strings"},
		`"ref":"p"` + argument("a", "b"):                                           {400, -32602, shape},
		prompt + argument("a", "b") + `,"context":5`:                               {400, -32602, "Invalid params: context.arguments must be an object of strings"},
		prompt + argument("a", "b") + `,"context":{"arguments":{"a":5}}`:           {400, -32602, "Invalid params: context.arguments must be an object of strings"},
		`"ref":{"type":"ref/prompt","name":"q"}` + argument("a", "b"):              {200, -32602, "Unknown completion reference"},
		`"ref":{"type":"ref/tool","name":"p"}` + argument("a", "b"):                {200, -32602, "Unknown completion reference"},
		`"ref":{"type":"ref/resource","uri":"docs://nobody"}` + argument("a", "b"): {200, -32602, "Unknown completion reference"},
		prompt + argument("language", "fail"):                                      {200, -32603, "Internal error"},
		prompt + argument("language", "panic"):                                     {200, -32603, "Internal error"},
	} {
		want.check(t, complete(params), "1")
	}
}
