package examples_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestEverything looks at what the conformance runner does not: that every way
// to serve the fixture works, and that it starts and ends as its users expect.
func TestEverything(t *testing.T) {
	binary := build(t, "everything")
	for _, framework := range []string{"stdlib", "chi", "gin", "fiber"} {
		for _, mount := range []string{"middleware", "handler"} {
			t.Run(framework+"/"+mount, func(t *testing.T) {
				p := start(t, binary, "-framework", framework, "-mount", mount, "-addr", "127.0.0.1:0")
				t.Run("list", p.testList)
				t.Run("state", p.testState)
				t.Run("trigger", p.testTrigger)
				t.Run("the application", p.testHealth)
				t.Run("ends with an open stream", p.testEnd)
			})
		}
	}
}

func (p *program) testList(t *testing.T) {
	list := p.call(t, "tools/list", object{})
	if list.Result == nil || len(list.Result.Tools) == 0 {
		t.Fatalf("got %v, want tools", list)
	}
	first := p.tool(t, list.Result.Tools[0].Name, nil)
	if first.Error != nil {
		t.Errorf("the first tool without arguments: got %v, want a result", first)
	}
}

func (p *program) testState(t *testing.T) {
	const tool = "test_input_required_result_multi_round"
	one := p.tool(t, tool, nil)
	if !slices.Equal(one.asked(), []string{"step1"}) {
		t.Fatalf("round 1: got %v, want the question step1", one)
	}
	two := p.tool(t, tool, object{
		"inputResponses": answer("step1", object{"name": "Alice"}), "requestState": one.Result.RequestState,
	})
	if !slices.Equal(two.asked(), []string{"step2"}) {
		t.Fatalf("round 2: got %v, want the question step2", two)
	}
	again := object{"inputResponses": answer("step2", object{"color": "blue"}), "requestState": two.Result.RequestState}
	if got := p.tool(t, tool, again); got.text() != "Alice likes blue" {
		t.Errorf("round 3: got %v", got)
	}
	again["requestState"] = two.Result.RequestState + "-TAMPERED"
	if got := p.tool(t, tool, again); got.Error == nil || got.Error.Code != -32602 {
		t.Errorf("tampered state: got %v, want −32602", got)
	}
	again["requestState"] = two.Result.RequestState
	if got := p.tool(t, "test_input_required_result_tampered_state", again); got.Error == nil || got.Error.Code != -32602 {
		t.Errorf("another tool's state: got %v, want −32602", got)
	}
}

func (p *program) testTrigger(t *testing.T) {
	stream := p.listen(t, "toolsListChanged")
	tools := func() (names []string) {
		for _, tool := range p.call(t, "tools/list", object{}).Result.Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	before := tools()
	for _, want := range [][]string{slices.Concat(before, []string{"test_dynamic_tool"}), before} {
		p.tool(t, "test_trigger_tool_change", nil)
		if got := stream.next(t); got.Method != "notifications/tools/list_changed" {
			t.Errorf("got %v, want a change of the list", got)
		}
		if got := tools(); !slices.Equal(got, want) {
			t.Errorf("got the tools %q, want %q", got, want)
		}
	}
}

func (p *program) testHealth(t *testing.T) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(p.url, "mcp")+"healthz", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("got %s, want the application's own answer", resp.Status)
	}
}

// TestEverythingCapabilities has the library's own refusals in tools that only
// ask.
func TestEverythingCapabilities(t *testing.T) {
	p := start(t, build(t, "everything"))
	with := func(capabilities object) object {
		return object{"_meta": object{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": capabilities,
		}}
	}
	refused := func(tool, want string) {
		t.Helper()
		got := p.tool(t, tool, with(object{}))
		if got.Error == nil || got.Error.Code != -32021 || !equalJSON(t, got.Error.Data, want) {
			t.Errorf("%s without a capability: got %v, want −32021 with %s", tool, got, want)
		}
	}
	refused("test_missing_capability", `{"requiredCapabilities":{"sampling":{}}}`)
	refused("test_input_required_result_capabilities",
		`{"requiredCapabilities":{"elicitation":{"form":{}},"sampling":{},"roots":{}}}`)
	got := p.tool(t, "test_input_required_result_capabilities", with(object{"sampling": object{}}))
	if !slices.Equal(got.asked(), []string{"greeting"}) {
		t.Errorf("got %v, want only the question that the client can answer", got)
	}
}

func equalJSON(t *testing.T, a json.RawMessage, b string) bool {
	t.Helper()
	normal := func(raw []byte) string {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatalf("%v in %q", err, raw)
		}
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	return normal(a) == normal([]byte(b))
}

// TestEverythingKey proves that -key is what seals: state of one process opens
// in another with the same key, and in none with a key of its own.
func TestEverythingKey(t *testing.T) {
	const (
		tool = "test_input_required_result_request_state"
		key  = "8f1d0c6be2a94753b01e5d7c2f9a684410c7d3e5a96b2f81d47e03bc5a1968f2"
	)
	binary := build(t, "everything")
	one := start(t, binary, "-key", key)
	asked := one.tool(t, tool, nil)
	if !slices.Equal(asked.asked(), []string{"confirm"}) {
		t.Fatalf("got %v, want the question confirm", asked)
	}
	confirmed := object{"inputResponses": answer("confirm", object{"ok": true}), "requestState": asked.Result.RequestState}
	if got := start(t, binary, "-key", key).tool(t, tool, confirmed); !strings.Contains(got.text(), "state-ok") {
		t.Errorf("with the same key: got %v, want state-ok", got)
	}
	if got := start(t, binary).tool(t, tool, confirmed); got.Error == nil || got.Error.Code != -32602 {
		t.Errorf("with another key: got %v, want −32602", got)
	}
}

func TestEverythingRefuses(t *testing.T) {
	binary := build(t, "everything")
	tests := map[string]struct {
		args []string
		want string // part of the error
	}{
		"framework": {[]string{"-framework", "martini"}, `-framework is "martini", allowed are chi, fiber, gin, stdlib`},
		"mount":     {[]string{"-mount", "elsewhere"}, `-mount is "elsewhere", allowed are middleware, handler`},
		"key":       {[]string{"-key", "00"}, "Config.Keys"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), binary, tt.args...).CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.want) {
				t.Errorf("got %q, %v, want %s", out, err, tt.want)
			}
		})
	}
}
