package core_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

var errBoom = errors.New("boom at 10.0.0.7")

// What a handler returns, and what the client gets.
func TestOutcomes(t *testing.T) {
	pause := func(ev *core.Event) error { return ev.InputRequired(askName) }
	for label, tc := range map[string]struct {
		handler func(ev *core.Event) (*core.ToolResult, error)
		interim bool
		code    int
		text    string // of an isError result
		reason  string // in the log
	}{
		"pause":                  {handler: func(ev *core.Event) (*core.ToolResult, error) { return nil, pause(ev) }, interim: true},
		"wrapped pause":          {handler: func(ev *core.Event) (*core.ToolResult, error) { return nil, fmt.Errorf("asking: %w", pause(ev)) }, interim: true},
		"joined pause":           {handler: func(ev *core.Event) (*core.ToolResult, error) { return nil, errors.Join(errBoom, pause(ev)) }, interim: true},
		"value beside the pause": {handler: func(ev *core.Event) (*core.ToolResult, error) { return &core.ToolResult{}, pause(ev) }, interim: true},
		"dropped pause": {handler: func(ev *core.Event) (*core.ToolResult, error) {
			_ = pause(ev)
			return &core.ToolResult{}, nil
		}, interim: true, reason: "pause_swallowed"},
		"replaced pause": {handler: func(ev *core.Event) (*core.ToolResult, error) {
			return nil, fmt.Errorf("asking: %v", pause(ev)) //nolint:errorlint // the mistake under test
		}, text: "asking: parley: input required for t", reason: "pause_replaced"},
		"T31: plain error":   {handler: func(*core.Event) (*core.ToolResult, error) { return nil, errBoom }, text: "boom at 10.0.0.7"},
		"T31: wire error":    {handler: func(*core.Event) (*core.ToolResult, error) { return nil, core.InvalidParams("no %s", "x") }, code: -32602},
		"wrapped wire error": {handler: func(*core.Event) (*core.ToolResult, error) { return nil, fmt.Errorf("x: %w", core.InvalidParams("no")) }, code: -32602},
		"nil *Error":         {handler: func(*core.Event) (*core.ToolResult, error) { var e *core.Error; return nil, e }, code: -32603},
		"T17: nil result":    {handler: func(*core.Event) (*core.ToolResult, error) { return nil, nil }, code: -32603},
		"T17: panic":         {handler: func(*core.Event) (*core.ToolResult, error) { panic(errBoom) }, code: -32603, reason: "panicked"},
		"panic in the error": {handler: func(*core.Event) (*core.ToolResult, error) { var e *panicky; return nil, e }, code: -32603},
		"panic after a pause": {handler: func(ev *core.Event) (*core.ToolResult, error) {
			_ = pause(ev)
			panic(errBoom)
		}, code: -32603},
	} {
		t.Run(label, func(t *testing.T) {
			var log bytes.Buffer
			tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (*core.ToolResult, error) {
				return tc.handler(ev)
			})
			host := &core.Host{Logger: slog.New(slog.NewTextHandler(&log, nil))}
			out := core.Run(t.Context(), host, tool, askable("t"))
			if (out.Interim != nil) != tc.interim {
				t.Fatalf("got %+v", out)
			}
			if tc.code != 0 && (out.Error == nil || out.Error.Code != tc.code || strings.Contains(out.Error.Message, "boom")) {
				t.Fatalf("got %+v", out.Error)
			}
			if tc.text != "" {
				r, ok := out.Result.(*core.ToolResult)
				if !ok || !r.IsError || !strings.Contains(r.Content[0].Text, tc.text) {
					t.Fatalf("got %+v", out)
				}
			}
			if !strings.Contains(log.String(), tc.reason) {
				t.Fatalf("the log lacks %q: %s", tc.reason, &log)
			}
		})
	}
}

// panicky is an error type that, as many do, forgets about nil.
type panicky struct{ text string }

func (e *panicky) Error() string { return e.text }

func askable(name string) *core.Call {
	return &core.Call{
		Method: "tools/call", Target: name, Version: "2026-07-28", CanAsk: true, Principal: core.Anonymous,
		Capabilities: json.RawMessage(`{"elicitation":{}}`),
	}
}

// A pause kept from another request must not become this one's.
func TestForeignPauseIsMisuse(t *testing.T) {
	var kept error
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if kept == nil {
			kept = ev.InputRequired(askName)
		}
		return "", kept
	})
	if out := core.Run(t.Context(), &core.Host{}, tool, askable("t")); out.Interim == nil {
		t.Fatalf("got %+v", out)
	}
	if out := core.Run(t.Context(), &core.Host{}, tool, askable("t")); out.Error == nil || out.Error.Code != -32603 {
		t.Fatalf("got %+v", out)
	}
}

func TestRedactedErrors(t *testing.T) {
	host := &core.Host{RedactErrors: true}
	plain := core.NewTool("t", "", func(context.Context, *core.Event, core.NoInput) (string, error) { return "", errBoom })
	r, _ := core.Run(t.Context(), host, plain, askable("t")).Result.(*core.ToolResult)
	if r == nil || r.Content[0].Text != "The tool failed." {
		t.Fatalf("got %+v", r)
	}
	type in struct {
		N int `json:"n" maximum:"3"`
	}
	typed := core.NewTool("t", "", func(context.Context, *core.Event, in) (string, error) { return "", nil })
	call := askable("t")
	call.Arguments = json.RawMessage(`{"n":4}`)
	r, _ = core.Run(t.Context(), host, typed, call).Result.(*core.ToolResult)
	if r == nil || !r.IsError || !strings.Contains(r.Content[0].Text, "n must be") { // ours, and for the model
		t.Fatalf("got %+v", r)
	}
}

func TestPromptAndResourceErrors(t *testing.T) {
	prompt := core.NewPrompt("p", "", func(context.Context, *core.Event, core.NoInput) (string, error) { return "", errBoom })
	_, err := coretest.Get(t, prompt, core.NoInput{})
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 || wire.Message != "Internal error" {
		t.Fatalf("got %v", err)
	}
	missing := core.NewResource("docs://x", "x", func(context.Context, *core.Event) (string, error) {
		return "", core.ResourceNotFound("docs://x")
	})
	for _, tc := range []struct {
		code int
		opts []coretest.Option
	}{{-32602, nil}, {-32002, []coretest.Option{coretest.Legacy()}}} {
		_, err = coretest.Read(t, missing, "docs://x", tc.opts...)
		wire, ok := errors.AsType[*core.Error](err)
		if !ok || wire.Code != tc.code || wire.Data.(map[string]string)["uri"] != "docs://x" {
			t.Fatalf("got %v, want %d", err, tc.code)
		}
	}
	empty := core.NewResource("docs://x", "x", func(context.Context, *core.Event) (*core.ResourceResult, error) {
		return &core.ResourceResult{}, nil
	})
	if _, err = coretest.Read(t, empty, "docs://x"); err == nil {
		t.Fatal("empty contents were sent")
	}
}

// M21: a result's _meta and a pause do not get in each other's way, and T28: a
// handler may return one value to many calls.
func TestResultsAreReadOnly(t *testing.T) {
	shared := &core.ToolResult{
		StructuredContent: json.RawMessage(` {"a": 1} `), Content: make([]core.Content, 0, 4),
		Meta: map[string]any{"example.com/x": 1},
	}
	tool := core.NewTool("t", "", func(context.Context, *core.Event, core.NoInput) (*core.ToolResult, error) { return shared, nil })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			out := core.Run(context.Background(), &core.Host{}, tool, askable("t"))
			r, ok := out.Result.(*core.ToolResult)
			if !ok || r.Content[0].Text != `{"a":1}` || string(r.StructuredContent) != `{"a":1}` {
				t.Errorf("got %+v", out)
			}
		})
	}
	wg.Wait()
	if len(shared.Content) != 0 || string(shared.StructuredContent) != ` {"a": 1} ` {
		t.Fatalf("the handler's value was written to: %+v", shared)
	}
}

func TestToolResults(t *testing.T) {
	type point struct {
		X    int      `json:"x" maximum:"10"`
		Tags []string `json:"tags"`
	}
	x := 5
	tool := core.NewTool("point", "", func(context.Context, *core.Event, core.NoInput) (*point, error) {
		return &point{X: x}, nil
	})
	p, err := coretest.Call(t, tool, core.NoInput{})
	if err != nil || p.X != 5 || p.Tags == nil { // T29: a nil slice is []
		t.Fatalf("got %+v, %v", p, err)
	}
	out := run(t, tool, nil)
	r, _ := out.Result.(*core.ToolResult)
	if string(r.StructuredContent) != `{"x":5,"tags":[]}` || r.Content[0].Text != `{"x":5,"tags":[]}` {
		t.Fatalf("got %+v", r)
	}
	x = 11
	if _, err := coretest.Call(t, tool, core.NoInput{}); err == nil {
		t.Fatal("a result that breaks its schema was sent")
	}
	// T5: integers beyond 2^53 arrive as they left.
	big := core.NewTool("big", "", func(_ context.Context, _ *core.Event, in struct{ N int64 }) (struct{ N int64 }, error) {
		return in, nil
	})
	got, err := coretest.Call(t, big, struct{ N int64 }{9007199254740993})
	if err != nil || got.N != 9007199254740993 {
		t.Fatalf("got %+v, %v", got, err)
	}
	promised := core.NewTool("promised", "", func(context.Context, *core.Event, core.NoInput) (*core.ToolResult, error) {
		return &core.ToolResult{Content: []core.Content{core.Text("no structure")}}, nil
	}, core.OutputSchema(json.RawMessage(`{"type":"object"}`)))
	if _, err := coretest.Call(t, promised, core.NoInput{}); err == nil {
		t.Fatal("a result without the promised structure was sent")
	}
}

func TestRawTool(t *testing.T) {
	_, err := core.NewRawTool(core.ToolDefinition{
		Name: "bad name", InputSchema: json.RawMessage(`{"type":"array"}`), Icons: []core.Icon{{Src: "file:///x"}},
		Meta: map[string]any{"io.mcp/x": 1},
	}, func(context.Context, *core.Event, json.RawMessage) (*core.ToolResult, error) { return nil, nil })
	for _, part := range []string{"bad name", "object", "file:///x", "io.mcp/x"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Fatalf("the error lacks %q: %v", part, err)
		}
	}
	echo, err := core.NewRawTool(core.ToolDefinition{
		Name: "echo", InputSchema: json.RawMessage(`{"type":"object","required":["n"]}`),
	}, func(_ context.Context, _ *core.Event, args json.RawMessage) (*core.ToolResult, error) {
		return &core.ToolResult{StructuredContent: args}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := coretest.Call(t, echo, json.RawMessage(`{"n":9007199254740993}`))
	if err != nil || string(r.StructuredContent) != `{"n":9007199254740993}` {
		t.Fatalf("got %+v, %v", r, err)
	}
	if _, err = coretest.Call(t, echo, json.RawMessage(`{}`)); err == nil {
		t.Fatal("arguments that break the schema reached the handler")
	}
}

func TestFeatureProblems(t *testing.T) {
	nothing := func(context.Context, *core.Event, core.NoInput) (string, error) { return "", nil }
	none := func(context.Context, *core.Event, string) ([]string, error) { return nil, nil }
	tool := core.NewTool("t", "", nothing, core.MIMEType("x"), core.Icons(core.Icon{Src: "ftp://x"}),
		core.Meta("modelcontextprotocol.io/x", 1), core.Meta("io.modelcontextprotocol/x", 1))
	prompt := core.NewPrompt("p", "", nothing, core.Complete("city", none), core.ReadOnly(), core.Complete("x", nil))
	for f, parts := range map[core.Feature][]string{
		tool:   {"MIMEType", "ftp://x", "io.modelcontextprotocol/x"},
		prompt: {"city", "ReadOnly", "nil"},
	} {
		err := errors.Join(core.Info(f).Problems...)
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Fatalf("the problems lack %q: %v", part, err)
			}
		}
	}
}
