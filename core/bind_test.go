package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

var shared = core.NewState[int]("shared")

// askShared asks once and says what it was told, with state that several
// features share.
func askShared(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	if _, err := shared.Open(ev); err != nil {
		return "", err
	}
	if n, ok := askName.Accepted(ev); ok {
		return "hello " + n.Name, nil
	}
	return "", shared.InputRequired(ev, 1, askName)
}

// straight does the same in a straight line.
func straight(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	n, err := askName.Require(ev)
	return "hello " + n.Name, err
}

// twoRounds asks first, then lets change decide where the answer goes. It
// returns the second round's outcome.
func twoRounds(t *testing.T, f core.Feature, h *core.Host, change func(h *core.Host, c *core.Call) core.Feature) core.Outcome {
	t.Helper()
	call := askable(f.Name())
	first := core.Run(t.Context(), h, f, call)
	if first.Interim == nil {
		t.Fatalf("got %+v", first)
	}
	call.State = &first.Interim.State
	call.Responses = map[string]json.RawMessage{"username": json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`)}
	second := *h
	return core.Run(t.Context(), &second, change(&second, call), call)
}

func TestStateBelongsToOneCallOfOneServer(t *testing.T) {
	for style, handler := range map[string]func(context.Context, *core.Event, core.NoInput) (string, error){
		"typed state": askShared, "straight line": straight,
	} {
		tool, other := core.NewTool("tool", "", handler), core.NewTool("other", "", handler)
		prompt := core.NewPrompt("tool", "", handler)
		for label, tc := range map[string]struct {
			change func(h *core.Host, c *core.Call) core.Feature
			ok     bool
		}{
			"control": {func(*core.Host, *core.Call) core.Feature { return tool }, true},
			"another tool": {func(_ *core.Host, c *core.Call) core.Feature {
				c.Target = "other"
				return other
			}, false},
			"another method": {func(_ *core.Host, c *core.Call) core.Feature {
				c.Method = "prompts/get"
				return prompt
			}, false},
			"another server": {func(h *core.Host, _ *core.Call) core.Feature {
				h.Audience = "https://other.example"
				return tool
			}, false},
			"another key": {func(h *core.Host, _ *core.Call) core.Feature {
				h.Keys = ring(t)
				return tool
			}, false},
			"beyond a lowered cap": {func(h *core.Host, _ *core.Call) core.Feature {
				h.MaxRounds = -1
				return tool
			}, false},
		} {
			t.Run(style+"/"+label, func(t *testing.T) {
				host := &core.Host{Keys: ring(t), Audience: "https://a.example"}
				out := twoRounds(t, tool, host, tc.change)
				if tc.ok != (out.Result != nil) || !tc.ok && (out.Error == nil || out.Error.Message != "Invalid request state" || !out.BadRequest) {
					t.Fatalf("got %+v", out)
				}
			})
		}
	}
}

// What one typed state sealed, another does not open, in the same call of the
// same tool.
func TestStateBelongsToItsName(t *testing.T) {
	other := core.NewState[int]("other")
	for label, tc := range map[string]struct {
		second core.Feature
		ok     bool
	}{
		"control": {core.NewTool("tool", "", askShared), true},
		"another state": {core.NewTool("tool", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			_, err := other.Open(ev)
			return "opened", err
		}), false},
	} {
		t.Run(label, func(t *testing.T) {
			host := &core.Host{Keys: ring(t), Audience: "https://a.example"}
			out := twoRounds(t, core.NewTool("tool", "", askShared), host, func(*core.Host, *core.Call) core.Feature { return tc.second })
			if tc.ok != (out.Result != nil) || !tc.ok && (out.Error == nil || out.Error.Message != "Invalid request state") {
				t.Fatalf("got %+v", out)
			}
		})
	}
}

// M9: an answer to what no sealed round asked does not count, however early the
// handler reads it.
func TestM9UnaskedAnswersDoNotCount(t *testing.T) {
	for style, handler := range map[string]func(context.Context, *core.Event, core.NoInput) (string, error){
		"typed state": askShared, "straight line": straight,
	} {
		t.Run(style, func(t *testing.T) {
			flow := coretest.Start(t, core.NewTool("tool", "", handler), core.NoInput{},
				coretest.Preseed("username", `{"action":"accept","content":{"name":"Eve"}}`))
			if len(flow.Asked()) != 1 {
				out, err := flow.Result()
				t.Fatalf("the first call was answered: %q, %v", out, err)
			}
			if out, err := flow.Next(coretest.Accept(askName, name{Name: "Ada"})).Result(); err != nil || out != "hello Ada" {
				t.Fatalf("the control: %q, %v", out, err)
			}
		})
	}
}

// A settled answer counts only while its question stays as it was answered.
func TestSettledAnswersBelongToTheirQuestion(t *testing.T) {
	text := "Send 100?"
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if err := core.Confirm(ev, "sure", text); err != nil {
			return "", err
		}
		_, err := askName.Require(ev)
		return "done", err
	})
	flow := coretest.Start(t, tool, core.NoInput{}, sure).Next()
	if flow.Asked()[0].Key != "username" {
		t.Fatalf("asked %+v", flow.Asked())
	}
	text = "Send 999?"
	flow.Next(coretest.Accept(askName, name{Name: "Ada"}))
	if asked := flow.Asked(); len(asked) != 1 || asked[0].Key != "sure" || !strings.Contains(string(asked[0].Params), "999") {
		t.Fatalf("the yes to another question counted: %+v", asked)
	}
}

// Two questions under one key are a mistake also when the first is settled.
func TestOneKeyIsOneQuestion(t *testing.T) {
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if _, err := askName.Require(ev); err != nil {
			return "", err
		}
		n, err := askName.Messagef("And now?").Require(ev)
		return n.Name, err
	})
	flow := coretest.Start(t, tool, core.NoInput{}, coretest.Accept(askName, name{Name: "Ada"}), coretest.AllowMisuse())
	_, err := flow.Next().Result()
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 {
		t.Fatalf("got %v", err)
	}
}

// T9: what is matched against a template is bounded; matching costs time for
// every byte.
func TestURIsThatMatchNoTemplate(t *testing.T) {
	template := core.NewTemplate("docs://{id}", "docs", func(_ context.Context, _ *core.Event, v struct {
		ID string `json:"id"`
	},
	) (string, error) {
		return v.ID, nil
	})
	match := core.Info(template).Match
	long := "docs://" + strings.Repeat("a", 2048-len("docs://"))
	if !match(long) || match(long+"a") {
		t.Fatal("2048 characters must match and 2049 must not")
	}
	if _, err := coretest.Read(t, template, long+"a"); err == nil {
		t.Fatal("read")
	}
	if match("docs://a%ff") || !match("docs://a%C3%A9") {
		t.Fatal("é must match and invalid UTF-8 must not")
	}
}
