package coretest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

type name struct {
	Name string `json:"name"`
}

var (
	askName = core.Form[name]("username", "What is your name?")
	greet   = core.NewTool("greet", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, err := askName.Require(ev)
		if err != nil {
			return "", err
		}
		return "Hello, " + n.Name + "!", nil
	})
)

// recorder is a test that may fail without failing this one.
type recorder struct {
	testing.TB

	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(r) // ends it, as a real one does with runtime.Goexit
}

// failuresOf runs f as a test of its own.
func failuresOf(t *testing.T, f func(t testing.TB)) string {
	t.Helper()
	r := &recorder{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(r) {
				panic(p)
			}
		}()
		f(r)
	}()
	return strings.Join(r.failures, "\n")
}

func TestCallAnswersByKey(t *testing.T) {
	out, err := coretest.Call(t, greet, core.NoInput{}, coretest.Accept(askName, name{Name: "Ada"}))
	if err != nil || out != "Hello, Ada!" {
		t.Fatalf("got %q, %v", out, err)
	}
}

func TestUnansweredPrintsTheQuestion(t *testing.T) {
	_, err := coretest.Call(t, greet, core.NoInput{})
	var open *coretest.UnansweredError
	if !errors.As(err, &open) || !errors.Is(err, core.ErrInputRequired) || !strings.Contains(err.Error(), "What is your name?") {
		t.Fatalf("got %v", err)
	}
}

func TestAMisspeltKeyIsNamed(t *testing.T) {
	_, err := coretest.Call(t, greet, core.NoInput{}, coretest.Confirm("usrname"))
	if err == nil || !strings.Contains(err.Error(), `nothing asked for: ["usrname"]`) {
		t.Fatalf("got %v", err)
	}
}

// What is nil in Go is left out, as by a client; null is another thing.
func TestNilArgumentsAreLeftOut(t *testing.T) {
	type input struct {
		Digits *int   `json:"digits" minimum:"0"`
		To     string `json:"to"`
	}
	tool := core.NewTool("convert", "", func(_ context.Context, ev *core.Event, _ input) (string, error) {
		return string(ev.Arguments()), nil
	})
	out, err := coretest.Call(t, tool, input{To: "F"})
	if err != nil || out != `{"to":"F"}` {
		t.Fatalf("got %q, %v", out, err)
	}
}

func TestWhatFailsATest(t *testing.T) {
	careless := core.NewTool("careless", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		_ = ev.InputRequired() // nothing is asked
		return "fine", nil
	})
	flow := func(t testing.TB) *coretest.Flow[string] {
		return coretest.Start(t, greet, core.NoInput{}, coretest.Accept(askName, name{Name: "Ada"}))
	}
	stubborn := core.NewTool("stubborn", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if n, ok := askName.Accepted(ev); ok {
			return n.Name, nil
		}
		return "", ev.InputRequired(askName)
	})
	dropping := core.NewTool("dropping", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		_ = ev.InputRequired(askName)
		return "oops", nil
	})
	for label, tc := range map[string]struct {
		test func(t testing.TB)
		want string
	}{
		"misuse": {func(t testing.TB) { _, _ = coretest.Call(t, careless, core.NoInput{}) }, "nothing was asked"},
		"an answer nobody asked for": {func(t testing.TB) {
			_, _ = coretest.Call(t, greet, core.NoInput{}, coretest.Accept(askName, name{}), coretest.Confirm("sure"))
		}, `"sure" was never asked`},
		"two answers": {func(t testing.TB) {
			_, _ = coretest.Call(t, greet, core.NoInput{}, coretest.Confirm("x"), coretest.Refuse("x"))
		}, `two answers for "x"`},
		"arguments that say something twice": {func(t testing.TB) {
			_ = coretest.Start(t, greet, core.NoInput{}, coretest.Arguments(`{"a":1,"a":2}`)).Next()
		}, `no server hands such arguments`},
		"a round after the last": {func(t testing.TB) { flow(t).Next().Next() }, "no next round"},
		"a decline that is asked again": {func(t testing.TB) {
			_, _ = coretest.Call(t, stubborn, core.NoInput{}, coretest.Decline(askName))
		}, `still asks "username" after 10 rounds`},
		"a question whose error is dropped": {func(t testing.TB) {
			_, _ = coretest.Call(t, dropping, core.NoInput{}, coretest.Accept(askName, name{Name: "Ada"}))
		}, `still asks "username" after 10 rounds`},
		"control: misuse allowed": {func(t testing.TB) { _, _ = coretest.Call(t, careless, core.NoInput{}, coretest.AllowMisuse()) }, ""},
		"control: a failing call": {func(t testing.TB) {
			_, _ = coretest.Call(t, greet, core.NoInput{}, coretest.Decline(askName), coretest.Confirm("sure"))
		}, ""},
		"control: a flow to its end": {func(t testing.TB) { _, _ = flow(t).Next().Result() }, ""},
	} {
		t.Run(label, func(t *testing.T) {
			got := failuresOf(t, tc.test)
			if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
				t.Fatalf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestForksDoNotTouchEachOther(t *testing.T) {
	flow := coretest.Start(t, greet, core.NoInput{})
	fork := flow.Fork().Next(coretest.Accept(askName, name{Name: "Bob"}))
	if len(flow.Asked()) != 1 || fork.Asked() != nil {
		t.Fatalf("asked %v and %v", flow.Asked(), fork.Asked())
	}
	a, errA := flow.Next(coretest.Accept(askName, name{Name: "Ada"})).Result()
	b, errB := fork.Result()
	if err := errors.Join(errA, errB); err != nil || a != "Hello, Ada!" || b != "Hello, Bob!" {
		t.Fatalf("got %q, %q, %v", a, b, err)
	}
}

func TestToolErrorsCarryTheirCause(t *testing.T) {
	cause := errors.New("no such city")
	tool := core.NewTool("weather", "", func(context.Context, *core.Event, core.NoInput) (struct{ C int }, error) {
		return struct{ C int }{}, fmt.Errorf("weather: %w", cause)
	})
	_, err := coretest.Call(t, tool, core.NoInput{})
	var failed *coretest.ToolError
	if !errors.Is(err, cause) || !errors.As(err, &failed) || failed.Text != "weather: no such city" {
		t.Fatalf("got %v", err)
	}
}
