package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

const serverInfo = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1.2.3"}}`

// resultTool returns a result as it is.
func resultTool(name string, r *core.ToolResult, err error) core.Feature {
	return core.NewTool(name, "Returns a fixed result.",
		func(context.Context, *core.Event, core.NoInput) (*core.ToolResult, error) { return r, err })
}

// The bytes of an answer, T5 and T29 among them.
func TestToolResults(t *testing.T) {
	const head, tail = `{"jsonrpc":"2.0","id":1,"result":{`, `"resultType":"complete",` + serverInfo + `}}`
	fault := func(code, text string) string {
		return `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"` + text + `"}}`
	}
	for name, tc := range map[string]struct {
		result *core.ToolResult
		err    error
		want   string
	}{
		"T29: nil content": {result: &core.ToolResult{}, want: head + `"content":[],` + tail},
		"isError": {
			result: &core.ToolResult{Content: []core.Content{core.Text("no")}, IsError: true},
			want:   head + `"content":[{"type":"text","text":"no"}],"isError":true,` + tail,
		},
		"T5: structured content to the digit": {
			result: &core.ToolResult{
				Content:           []core.Content{core.Text("x")},
				StructuredContent: json.RawMessage("{\n\"n\": 9007199254740993,\r\n \"s\":\"a\\nb\"}"),
			},
			want: head + `"content":[{"type":"text","text":"x"}],"structuredContent":{"n":9007199254740993,"s":"a\nb"},` + tail,
		},
		"images": {
			result: &core.ToolResult{Content: []core.Content{core.Image("image/png", []byte("abc")), core.Link("docs://a", "a")}},
			want: head + `"content":[{"type":"image","data":"YWJj","mimeType":"image/png"},` +
				`{"type":"resource_link","uri":"docs://a","name":"a"}],` + tail,
		},
		"meta": {
			result: &core.ToolResult{Meta: map[string]any{
				"b": 1, "a": []string(nil), "io.modelcontextprotocol/serverInfo": "mine",
			}},
			want: head + `"content":[],"resultType":"complete","_meta":{"a":[],"b":1,` + serverInfo[len(`"_meta":{`):] + `}}`,
		},
		"meta that cannot be encoded": {
			result: &core.ToolResult{Meta: map[string]any{"a": make(chan int)}}, want: fault("-32603", "Internal error"),
		},
		"content of no type": {
			result: &core.ToolResult{Content: []core.Content{{Type: "video"}}}, want: fault("-32603", "Internal error"),
		},
		"T17: nil, nil":          {want: fault("-32603", "Internal error")},
		"T31: plain error":       {err: errors.New("no such account"), want: head + `"content":[{"type":"text","text":"no such account"}],"isError":true,` + tail},
		"T31: invalid params":    {err: core.InvalidParams("not %d", 5), want: fault("-32602", "not 5")},
		"T31: code of its own":   {err: &core.Error{Code: -31000, Message: "closed"}, want: fault("-31000", "closed")},
		"T31: error deep inside": {err: errors.Join(errors.New("x"), &core.Error{Code: -32601, Message: "deep"}), want: fault("-32601", "deep")},
		"data": {
			err:  &core.Error{Code: -31000, Message: "closed", Data: map[string]any{"until": 9}},
			want: `{"jsonrpc":"2.0","id":1,"error":{"code":-31000,"message":"closed","data":{"until":9}}}`,
		},
		"data that cannot be encoded": {
			err: &core.Error{Code: -31000, Message: "closed", Data: make(chan int)}, want: fault("-31000", "closed"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := start(t, nil, resultTool("x", tc.result, tc.err))
			if got := tell(t, url, call("x", "")); got.body != tc.want || got.status != 200 {
				t.Errorf("got  %d %s\nwant %s", got.status, got.body, tc.want)
			}
		})
	}
}

// T32, M2: the one error of a handler that is no 200.
func TestMissingCapabilityStatus(t *testing.T) {
	url := start(t, nil, resultTool("x", nil, &core.Error{
		Code: -32021, Message: "Missing required client capability",
		Data: map[string]any{"requiredCapabilities": map[string]any{"sampling": map[string]any{}}},
	}))
	if got := tell(t, url, call("x", "")); got.status != 400 || got.code() != -32021 {
		t.Errorf("got %d %s", got.status, got.body)
	}
}

// T5: what a client sends as an integer comes back as the same one.
func TestExactIntegers(t *testing.T) {
	type number struct {
		N int64 `json:"n"`
	}
	url := start(t, nil, core.NewTool("n", "Returns a number.",
		func(_ context.Context, _ *core.Event, in number) (number, error) { return in, nil }))
	got := tell(t, url, call("n", `{"n":9007199254740993}`))
	if !strings.Contains(got.body, `"structuredContent":{"n":9007199254740993}`) {
		t.Errorf("got %s", got.body)
	}
	if got := tell(t, url, call("n", `{"N":1}`)); got.result()["isError"] != true {
		t.Errorf("T4: a member of another case was taken: %s", got.body)
	}
}

// T28: one result for many calls, which the library never writes to.
func TestSharedResult(t *testing.T) {
	shared := &core.ToolResult{Content: []core.Content{core.Text("same")}, Meta: map[string]any{"k": "v"}}
	url := start(t, nil, resultTool("x", shared, nil))
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				if got := tell(t, url, call("x", "")); got.text() != "same" {
					t.Errorf("got %s", got.body)
				}
			}
		})
	}
	wg.Wait()
	if len(shared.Meta) != 1 || shared.StructuredContent != nil || len(shared.Content) != 1 {
		t.Errorf("the result was written to: %+v", shared)
	}
}

func TestPromptsAndResources(t *testing.T) {
	type args struct {
		Who string `json:"who"`
	}
	type vars struct {
		ID string `json:"id"`
	}
	greet := core.NewPrompt("greet", "Greets.", func(_ context.Context, _ *core.Event, in args) (string, error) {
		return "Hello " + in.Who, nil
	})
	empty := core.NewPrompt("empty", "Says nothing.", func(context.Context, *core.Event, core.NoInput) (*core.PromptResult, error) {
		return &core.PromptResult{Description: "d", Meta: map[string]any{"k": 1}}, nil
	})
	readme := core.NewResource("docs://readme", "readme",
		func(context.Context, *core.Event) (string, error) { return "text", nil }, core.CacheTTL(90e9), core.CachePublic())
	row := core.NewTemplate("docs://rows/{id}", "row", func(_ context.Context, ev *core.Event, v vars) ([]byte, error) {
		if v.ID == "0" {
			return nil, core.ResourceNotFound(ev.Target())
		}
		return []byte(v.ID), nil
	})
	url := start(t, nil, greet, empty, readme, row)
	prompt := func(name, args string) ask {
		return ask{method: "prompts/get", name: name, params: `"name":"` + name + `","arguments":` + args}
	}
	resource := func(uri string) ask { return ask{method: "resources/read", name: uri, params: `"uri":"` + uri + `"`} }
	const head, tail = `{"jsonrpc":"2.0","id":1,"result":{`, `"resultType":"complete",` + serverInfo + `}}`
	for name, tc := range map[string]struct {
		ask  ask
		want string
	}{
		"prompt":           {prompt("greet", `{"who":"Ada"}`), head + `"messages":[{"role":"user","content":{"type":"text","text":"Hello Ada"}}],` + tail},
		"T29: no messages": {prompt("empty", `null`), head + `"description":"d","messages":[],"resultType":"complete","_meta":{"k":1,` + serverInfo[len(`"_meta":{`):] + `}}`},
		"resource": {
			resource("docs://readme"),
			head + `"contents":[{"uri":"docs://readme","mimeType":"text/plain","text":"text"}],"ttlMs":90000,"cacheScope":"public",` + tail,
		},
		"template": {
			resource("docs://rows/7"),
			head + `"contents":[{"uri":"docs://rows/7","mimeType":"application/octet-stream","blob":"Nw=="}],"ttlMs":0,"cacheScope":"private",` + tail,
		},
		"unknown": {
			resource("docs://nobody"),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"docs://nobody"}}}`,
		},
		"unknown to the template": {
			resource("docs://rows/0"),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Resource not found","data":{"uri":"docs://rows/0"}}}`,
		},
		"unknown prompt": {prompt("nobody", `{}`), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown prompt"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tell(t, url, tc.ask); got.body != tc.want || got.status != 200 {
				t.Errorf("got  %d %s\nwant %s", got.status, got.body, tc.want)
			}
		})
	}
	if got := tell(t, url, prompt("greet", `{}`)); got.status != 200 || got.code() != -32602 {
		t.Errorf("missing argument: %d %s", got.status, got.body)
	}
}

// The client decides in what form it gets the answer (T11).
func TestAnswerForms(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		noisy := toolOf("noisy", func(_ context.Context, ev *core.Event) (string, error) {
			ev.Progress(1, 2, "")
			return "done", nil
		})
		url := serve(t, &bridge{srv: newServer(t, nil, noisy, echoTool), detached: detached})
		loud := metaWith("{}", `"progressToken":"p"`)
		for name, tc := range map[string]struct {
			tool, accept, meta, kind string
			messages                 int
		}{
			"both":                        {"echo", "application/json, text/event-stream", "", "application/json", 1},
			"stream only":                 {"echo", "text/event-stream", "", "text/event-stream", 1},
			"JSON only":                   {"noisy", "application/json", loud, "application/json", 1},
			"both, with progress":         {"noisy", "application/json, text/event-stream", loud, "text/event-stream", 2},
			"both, nobody wants progress": {"noisy", "application/json, text/event-stream", "", "application/json", 1},
			"stream only, with progress":  {"noisy", "text/event-stream", loud, "text/event-stream", 2},
		} {
			t.Run(name, func(t *testing.T) {
				a := call(tc.tool, "")
				a.meta, a.header = tc.meta, map[string]string{"Accept": tc.accept}
				got := tell(t, url, a)
				if got.status != 200 || got.header.Get("Content-Type") != tc.kind || len(got.messages) != tc.messages {
					t.Errorf("got %d %s: %s", got.status, got.header.Get("Content-Type"), got.body)
				}
				if got.result() == nil {
					t.Errorf("the last message is no result: %s", got.body)
				}
			})
		}
		a := call("nobody", "") // an error outside a stream is JSON, also for those who take streams only
		a.header = map[string]string{"Accept": "text/event-stream"}
		refused{200, -32602, "Unknown tool"}.check(t, tell(t, url, a), "1")
	})
}

// T13: every answer says how long one write may take.
func TestWriteTimeout(t *testing.T) {
	srv := newServer(t, func(c *server.Config) { c.WriteTimeout = 7 * time.Second }, echoTool)
	for _, a := range []ask{
		call("echo", ""),
		call("nobody", ""),
		{method: "tools/list"},
		{body: `{"jsonrpc":"2.0","method":"x"}`},
		{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`},
	} {
		resp := handle(t, srv, a, func(*server.Request) {})
		if resp.WriteTimeout != 7*time.Second {
			t.Errorf("%+v: %v", a, resp.WriteTimeout)
		}
		if resp.Stream != nil {
			_ = resp.Stream(sendFunc(func([]byte) error { return errors.New("gone") })) // or it would be open for ever
		}
	}
}

// A writer that cannot push gets JSON, and no notifications (T19).
func TestNoStream(t *testing.T) {
	noisy := toolOf("noisy", func(_ context.Context, ev *core.Event) (string, error) {
		ev.Progress(1, 2, "")
		return "done", nil
	})
	for name, change := range map[string]func(*server.Request){
		"known before": func(r *server.Request) { r.CanStream = false },
		"found out": func(r *server.Request) {
			r.Open = func(*server.Response) (server.Sink, error) { return nil, errors.ErrUnsupported }
		},
	} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, &bridge{srv: newServer(t, nil, noisy), change: change})
			a := call("noisy", "")
			a.meta = metaWith("{}", `"progressToken":"p"`)
			if got := tell(t, url, a); got.text() != "done" || got.header.Get("Content-Type") != "application/json" {
				t.Errorf("got %s", got.body)
			}
			refused{200, -32603, "This server cannot stream here"}.check(t,
				tell(t, url, ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`}), "1")
		})
	}
}
