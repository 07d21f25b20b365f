package core_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

type step struct {
	N     int
	Names []string
}

type confirmed struct {
	OK bool `json:"ok"`
}

var (
	wizardState = core.NewState[step]("wizard")
	askFirst    = core.Form[name]("first", "First name?")
	askSecond   = core.Form[name]("second", "Second name?")
	askThird    = core.Form[confirmed]("third", "Done?")
)

// wizard asks three times, one question a round, and remembers in its state.
func wizard(_ context.Context, ev *core.Event, _ struct{ Topic string }) (string, error) {
	st, err := wizardState.Open(ev)
	if err != nil {
		return "", err
	}
	asks := []core.Ask[name]{askFirst, askSecond}
	if st.N > 0 && st.N <= 2 {
		n, ok := asks[st.N-1].Accepted(ev)
		if !ok {
			return "", wizardState.InputRequired(ev, st, asks[st.N-1])
		}
		st.Names = append(st.Names, n.Name)
	}
	switch {
	case st.N < 2:
		st.N++
		return "", wizardState.InputRequired(ev, st, asks[st.N-1])
	case st.N == 2:
		st.N++
		return "", wizardState.InputRequired(ev, st, askThird)
	}
	if _, ok := askThird.Accepted(ev); !ok {
		return "", wizardState.InputRequired(ev, st, askThird)
	}
	return strings.Join(st.Names, " "), nil
}

var (
	wizardTool = core.NewTool("wizard", "", wizard)
	topic      = struct{ Topic string }{"go"}
	three      = []coretest.Option{
		coretest.Accept(askFirst, name{Name: "Ada"}), coretest.Accept(askSecond, name{Name: "Lovelace"}),
		coretest.Accept(askThird, confirmed{OK: true}),
	}
)

// M16: what was restored is sealed again, so a chain of three ends.
func TestM16ThreeRounds(t *testing.T) {
	out, err := coretest.Call(t, wizardTool, topic, three...)
	if err != nil || out != "Ada Lovelace" {
		t.Fatalf("got %q, %v", out, err)
	}
}

// Answers to what the sealed round did not ask do not count, on the first call
// least of all.
func TestM9OnlyAskedKeysCount(t *testing.T) {
	flow := coretest.Start(t, wizardTool, topic,
		coretest.Preseed("first", `{"action":"accept","content":{"name":"Eve"}}`))
	if flow.Asked()[0].Key != "first" {
		t.Fatalf("asked %+v", flow.Asked())
	}
	flow.Next(coretest.Preseed("second", `{"action":"accept","content":{"name":"Eve"}}`), three[0])
	flow.Next(three[1])
	out, err := flow.Next(three[2]).Result()
	if err != nil || out != "Ada Lovelace" {
		t.Fatalf("got %q, %v", out, err)
	}
}

func TestStateIsRefused(t *testing.T) {
	alice := core.Principal{Issuer: "https://id.example", Subject: "alice"}
	start := func(t *testing.T) *coretest.Flow[string] {
		return coretest.Start(t, wizardTool, topic, coretest.As(alice))
	}
	for label, opts := range map[string][]coretest.Option{
		"somebody else":          {coretest.As(core.Principal{Issuer: "https://id.example", Subject: "bob"})},
		"M10: another issuer":    {coretest.As(core.Principal{Issuer: "https://evil.example", Subject: "alice"})},
		"M11: anonymous":         {coretest.As(core.Anonymous)},
		"another tenant":         {coretest.As(core.Principal{Issuer: "https://id.example", Subject: "alice", Tenant: "t"})},
		"a shifted boundary":     {coretest.As(core.Principal{Issuer: "https://id.examplea", Subject: "lice"})},
		"changed argument":       {coretest.Arguments(`{"Topic":"rust"}`)},
		"added argument":         {coretest.Arguments(`{"Topic":"go","x":1}`)},
		"null argument":          {coretest.Arguments(`{"Topic":"go","x":null}`)},
		"M14: expired":           {coretest.Advance(10 * time.Minute)},
		"from the future":        {coretest.Advance(-2 * time.Minute)},
		"empty":                  {coretest.State("")},
		"no token":               {coretest.State("hello")},
		"M12: padded":            {coretest.State("=")},
		"M24: too long":          {coretest.State(strings.Repeat("A", 65537))},
		"long, as long as legal": {coretest.State("s1." + strings.Repeat("A", 65533))},
	} {
		t.Run(label, func(t *testing.T) {
			_, err := start(t).Next(append(opts, three...)...).Result()
			wire, ok := errors.AsType[*core.Error](err)
			if !ok || wire.Code != -32602 || wire.Message != "Invalid request state" ||
				wire.Data.(map[string]string)["reason"] != "invalid_request_state" {
				t.Fatalf("M18: got %v", err)
			}
		})
	}
	for label, opts := range map[string][]coretest.Option{
		"the same":            nil,
		"other spelling":      {coretest.Arguments(` { "Topic" : "\u0067o" } `)},
		"just before its end": {coretest.Advance(10*time.Minute - 5*time.Second)},
	} {
		t.Run("control: "+label, func(t *testing.T) {
			flow := start(t).Next(append(opts, three...)...)
			if len(flow.Asked()) != 1 || flow.Asked()[0].Key != "second" {
				_, err := flow.Result()
				t.Fatalf("got %v", err)
			}
		})
	}
}

// A state of another shape must not open as a zero value.
func TestStateOfAnotherShape(t *testing.T) {
	type before struct{ Secret string }
	type after struct{ Level int }
	oldState, newState := core.NewState[before]("shape"), core.NewState[after]("shape")
	first := true
	tool := core.NewTool("shape", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if first {
			v, err := oldState.Open(ev)
			if err != nil {
				return "", err
			}
			return "", oldState.InputRequired(ev, v, askName)
		}
		v, err := newState.Open(ev)
		if err == nil {
			t.Errorf("opened as %+v", v)
		}
		return "", err
	})
	flow := coretest.Start(t, tool, core.NoInput{})
	first = false
	if _, err := flow.Next(coretest.Accept(askName, name{Name: "x"})).Result(); err == nil {
		t.Fatal("accepted")
	}
}

func TestStateMisuse(t *testing.T) {
	other := core.NewState[int]("other")
	for label, handler := range map[string]func(ev *core.Event) error{
		"sealed before opened": func(ev *core.Event) error { return wizardState.InputRequired(ev, step{}, askName) },
		"plain ask after Open": func(ev *core.Event) error {
			_, _ = wizardState.Open(ev)
			return ev.InputRequired(askName)
		},
		"read before Open": func(ev *core.Event) error {
			askName.Answer(ev)
			_, err := wizardState.Open(ev)
			return err
		},
		"sealed by another state": func(ev *core.Event) error {
			_, _ = wizardState.Open(ev)
			return other.InputRequired(ev, 1, askName)
		},
		"two states": func(ev *core.Event) error {
			_, _ = wizardState.Open(ev)
			_, err := other.Open(ev)
			return err
		},
		"sealed twice": func(ev *core.Event) error {
			_, _ = wizardState.Open(ev)
			_ = wizardState.InputRequired(ev, step{}, askName)
			return wizardState.InputRequired(ev, step{}, askName)
		},
		"straight line after Open": func(ev *core.Event) error {
			_, _ = wizardState.Open(ev)
			_, err := askName.Require(ev)
			return err
		},
		"Answer in a straight line": func(ev *core.Event) error {
			_, _ = askName.Require(ev)
			askFirst.Answer(ev)
			return nil
		},
		"too much state": func(ev *core.Event) error {
			st, _ := wizardState.Open(ev)
			st.Names = []string{strings.Repeat("x", 65536)}
			return wizardState.InputRequired(ev, st, askName)
		},
	} {
		t.Run(label, func(t *testing.T) {
			tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				if err := handler(ev); err != nil && !errors.Is(err, core.ErrMisuse) {
					t.Errorf("got %v", err)
				}
				return "swallowed", nil
			})
			_, err := coretest.Call(t, tool, core.NoInput{}, coretest.AllowMisuse())
			if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 {
				t.Fatalf("got %v", err)
			}
		})
	}
	t.Run("no key", func(t *testing.T) {
		var told error
		host := &core.Host{Misused: func(err error) { told = err }}
		tool := core.NewTool("t", "", wizard)
		call := askable("t")
		call.Arguments = []byte(`{"Topic":"go"}`)
		if out := core.Run(t.Context(), host, tool, call); out.Error == nil || out.Error.Code != -32603 ||
			!strings.Contains(told.Error(), "openssl rand -hex 32") {
			t.Fatalf("got %+v, %v", out, told)
		}
	})
}

// M3: a round may carry state alone; the third is refused, since clients stop.
func TestM3StateOnlyRounds(t *testing.T) {
	job := core.NewState[int]("job")
	limit := 2
	tool := core.NewTool("job", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, err := job.Open(ev)
		if err != nil {
			return "", err
		}
		if n < limit {
			return "", job.InputRequired(ev, n+1)
		}
		return "done", nil
	})
	out, err := coretest.Call(t, tool, core.NoInput{})
	if err != nil || out != "done" {
		t.Fatalf("got %q, %v", out, err)
	}
	limit = 3
	if _, err = coretest.Call(t, tool, core.NoInput{}, coretest.AllowMisuse()); err == nil {
		t.Fatal("a third round without a question")
	}
}

// M14: the flow as a whole has a deadline and a cap, however fresh its rounds.
func TestM14RoundsAndDeadline(t *testing.T) {
	loop := core.NewState[int]("loop")
	tool := core.NewTool("loop", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, err := loop.Open(ev)
		if err != nil {
			return "", err
		}
		if ev.Round() != n+1 {
			t.Errorf("round %d, want %d", ev.Round(), n+1)
		}
		return "", loop.InputRequired(ev, n+1, askName)
	})
	flow := coretest.Start(t, tool, core.NoInput{}, coretest.Accept(askName, name{Name: "x"}))
	rounds := 1
	for ; flow.Asked() != nil && rounds < 20; rounds++ {
		flow.Next()
	}
	_, err := flow.Result()
	if failed, ok := errors.AsType[*coretest.ToolError](err); !ok || rounds != 9 || !strings.Contains(failed.Text, "too many rounds") {
		t.Fatalf("got %v after %d rounds", err, rounds)
	}
	flow = coretest.Start(t, tool, core.NoInput{}, coretest.Accept(askName, name{Name: "x"}))
	for range 6 {
		flow.Next(coretest.Advance(9 * time.Minute))
	}
	if _, err := flow.Next(coretest.Advance(6*time.Minute + time.Second)).Result(); err == nil || !strings.Contains(err.Error(), "Invalid request state") {
		t.Fatalf("beyond the flow's hour: %v", err)
	}
}

func TestStateBinds(t *testing.T) {
	type in struct{ A, B string }
	ask := func(st *core.State[int]) *core.Tool[in, string] {
		return core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ in) (string, error) {
			n, err := st.Open(ev)
			if err != nil || n == 1 {
				return "done", err
			}
			return "", st.InputRequired(ev, 1, askName)
		})
	}
	for label, tc := range map[string]struct {
		state   *core.State[int]
		changed string
		ok      bool
	}{
		"all: B":       {core.NewState[int]("s"), `{"A":"a","B":"x"}`, false},
		"A only: B":    {core.NewState[int]("s", core.StateBinds("A")), `{"A":"a","B":"x"}`, true},
		"A only: A":    {core.NewState[int]("s", core.StateBinds("A")), `{"A":"x","B":"b"}`, false},
		"A only: none": {core.NewState[int]("s", core.StateBinds("A"), core.StateEncrypted()), `{"A":"a","B":"b"}`, true},
		"nothing: A":   {core.NewState[int]("s", core.StateBinds()), `{"A":"x","B":"y"}`, true},
	} {
		t.Run(label, func(t *testing.T) {
			flow := coretest.Start(t, ask(tc.state), in{"a", "b"}, coretest.Accept(askName, name{Name: "x"}))
			_, err := flow.Next(coretest.Arguments(tc.changed)).Result()
			if (err == nil) != tc.ok {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestSignedIsReadableAndEncryptedIsNot(t *testing.T) {
	for label, tc := range map[string]struct {
		opts     []core.StateOption
		readable bool
	}{"signed": {nil, true}, "encrypted": {[]core.StateOption{core.StateEncrypted()}, false}} {
		t.Run(label, func(t *testing.T) {
			st := core.NewState[string]("s", tc.opts...)
			tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				if _, err := st.Open(ev); err != nil {
					return "", err
				}
				return "", st.InputRequired(ev, "a legible word", askName)
			})
			token := coretest.Start(t, tool, core.NoInput{}).State()
			if got := strings.Contains(decodeToken(t, token), "a legible word"); got != tc.readable {
				t.Fatalf("readable: %v", got)
			}
		})
	}
}
