package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
)

type notifier func(method string, params any) error

func (f notifier) Notify(method string, params any) error { return f(method, params) }

// notes runs a handler and returns the notifications it sent, as JSON.
func notes(t *testing.T, change func(*core.Call), handler func(ev *core.Event)) []string {
	t.Helper()
	var sent []string
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		handler(ev)
		return "", nil
	})
	run(t, tool, func(c *core.Call) {
		c.ProgressToken = json.RawMessage(`9007199254740993`)
		c.LogLevel = "info"
		c.Notifier = notifier(func(method string, params any) error {
			raw, err := json.Marshal(params)
			sent = append(sent, method+" "+string(raw))
			return err
		})
		if change != nil {
			change(c)
		}
	})
	return sent
}

func TestProgress(t *testing.T) {
	rising := func(ev *core.Event) {
		ev.Progress(1, 10, "")
		ev.Progress(1, 10, "again")
		ev.Progress(0.5, 10, "back")
		ev.Progress(math.NaN(), 10, "")
		ev.Progress(math.Inf(1), 10, "")
		ev.Progress(2.5, 0, "on")
	}
	sent := notes(t, nil, rising)
	if len(sent) != 2 || !strings.HasPrefix(sent[0], `notifications/progress {"progressToken":9007199254740993,"progress":1,"total":10`) ||
		!strings.Contains(sent[1], `"progress":2.5`) {
		t.Fatalf("got %q", sent)
	}
	if sent := notes(t, func(c *core.Call) { c.ProgressToken = nil }, rising); sent != nil {
		t.Fatalf("without a token: %q", sent)
	}
	notes(t, func(c *core.Call) { c.Notifier = nil }, rising) // nobody can be told: nothing happens
	if sent := notes(t, nil, func(ev *core.Event) { ev.Progress(-1, 0, "") }); len(sent) != 1 {
		t.Fatalf("a first value below zero: %q", sent)
	}
}

func TestLog(t *testing.T) {
	sent := notes(t, nil, func(ev *core.Event) {
		ev.Log(slog.LevelDebug, "hidden")
		ev.Log(slog.LevelInfo, "plain")
		ev.Log(slog.LevelInfo+2, "notice")
		ev.Log(slog.LevelError+4, "critical", "n", 1, "err", errBoom, "took", time.Second,
			slog.Group("g", "inner", true))
	})
	want := []string{
		`notifications/message {"level":"info","data":"plain"}`,
		`notifications/message {"level":"notice","data":"notice"}`,
		`notifications/message {"level":"critical","data":{"err":"boom at 10.0.0.7","g":{"inner":true},"message":"critical","n":1,"took":"1s"}}`,
	}
	if strings.Join(sent, "\n") != strings.Join(want, "\n") {
		t.Fatalf("got %s", strings.Join(sent, "\n"))
	}
	if sent := notes(t, func(c *core.Call) { c.LogLevel = "" }, func(ev *core.Event) { ev.Log(slog.LevelError, "x") }); sent != nil {
		t.Fatalf("without a level: %q", sent)
	}
	for _, tc := range []struct {
		level slog.Level
		name  string
	}{{-8, "debug"}, {0, "info"}, {4, "warning"}, {8, "error"}, {16, "alert"}, {20, "emergency"}} {
		sent := notes(t, func(c *core.Call) { c.LogLevel = "debug" }, func(ev *core.Event) { ev.Log(tc.level, "x") })
		if len(sent) != 1 || !strings.Contains(sent[0], `"`+tc.name+`"`) {
			t.Fatalf("level %d: %q", tc.level, sent)
		}
	}
}

func TestEventShowsTheRequest(t *testing.T) {
	who := core.Principal{Issuer: "i", Subject: "s"}
	notes(t, func(c *core.Call) {
		c.Client = json.RawMessage(`{"name":"cli","version":"1"}`)
		c.Arguments = json.RawMessage(`{"a":1}`)
		c.Header = http.Header{"X-Tenant": {"t"}}
		c.Trace = &core.TraceContext{Parent: "00-1"}
		c.Principal = who
		c.Responses = map[string]json.RawMessage{"k": json.RawMessage(`1`)}
	}, func(ev *core.Event) {
		raw, found := ev.Response("k")
		_, other := ev.Response("other")
		if ev.Method() != "tools/call" || ev.Target() != "t" || ev.Version() != "2026-07-28" || ev.Client().Name != "cli" ||
			string(ev.Arguments()) != `{"a":1}` || ev.Header("x-tenant") != "t" || ev.Trace().Parent != "00-1" ||
			ev.Principal().Subject != "s" || ev.Round() != 1 || string(raw) != "1" || !found || other ||
			ev.Capabilities().Elicitation.URL == nil {
			t.Errorf("got %+v", ev)
		}
	})
	notes(t, func(c *core.Call) { c.Capabilities, c.Client = nil, json.RawMessage(`[]`) }, func(ev *core.Event) {
		if ev.Capabilities().Elicitation != nil || ev.Client().Name != "" || ev.Header("x") != "" {
			t.Errorf("got %+v", ev)
		}
	})
}

// After the handler has returned its event is over.
func TestEventIsOverWhenTheHandlerReturns(t *testing.T) {
	var kept *core.Event
	sent := notes(t, nil, func(ev *core.Event) { kept = ev })
	kept.Progress(1, 1, "")
	kept.Log(slog.LevelError, "late")
	if err := kept.InputRequired(askName); !errors.Is(err, core.ErrDone) {
		t.Fatalf("got %v", err)
	}
	if _, err := askName.Require(kept); !errors.Is(err, core.ErrDone) {
		t.Fatalf("got %v", err)
	}
	if _, err := wizardState.Open(kept); !errors.Is(err, core.ErrDone) {
		t.Fatalf("got %v", err)
	}
	if a := askName.Answer(kept); a.State != core.Missing || len(sent) != 0 {
		t.Fatalf("got %v, sent %q", a, sent)
	}
}

func TestPrincipals(t *testing.T) {
	for label, tc := range map[string]struct {
		p     core.Principal
		valid bool
	}{
		"zero":               {core.Principal{}, false},
		"M11: empty subject": {core.Principal{Issuer: "i"}, false},
		"blank subject":      {core.Principal{Issuer: "i", Subject: " \t"}, false},
		"no issuer":          {core.Principal{Subject: "s"}, false},
		"both":               {core.Principal{Issuer: "i", Subject: "s"}, true},
		"anonymous":          {core.Anonymous, true},
	} {
		if tc.p.Valid() != tc.valid {
			t.Errorf("%s: valid is %v", label, tc.p.Valid())
		}
	}
	if !core.Anonymous.IsAnonymous() || (core.Principal{}).IsAnonymous() {
		t.Error("only Anonymous is anonymous")
	}
	call := askable("wizard")
	call.Principal, call.Arguments = core.Principal{Issuer: "i"}, json.RawMessage(`{"Topic":"go"}`)
	host := &core.Host{Keys: ring(t)}
	if out := core.Run(t.Context(), host, wizardTool, call); out.Error == nil || out.Error.Code != -32603 {
		t.Fatalf("M11: state was sealed for nobody: %+v", out)
	}
}
