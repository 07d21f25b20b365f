package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

type note struct {
	Note string `json:"note" maxLength:"10"`
}

var askNote = core.Form[note]("note", "Add a note?")

type transferIn struct {
	To    string `json:"to"`
	Cents int    `json:"cents"`
}

// bank is a world to transfer money in.
type bank struct {
	mu     sync.Mutex
	fee    int
	quotes int
	booked []string
	fail   error
}

func (b *bank) accounts() []account { return []account{{"a1", "Current"}, {"a2", "Savings"}} }

func (b *bank) tool() *core.Tool[transferIn, string] {
	return core.NewTool("transfer", "", func(_ context.Context, ev *core.Event, in transferIn) (string, error) {
		var (
			from account
			text note
		)
		err := core.RequireAll(ev,
			askAccount.From(b.accounts()).Messagef("%d to %s from which account?", in.Cents, in.To).Into(&from),
			askNote.Optional(&text))
		if err != nil {
			return "", err
		}
		fee, err := core.Memo(ev, "fee", func() (int, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.quotes++
			return b.fee, nil
		})
		if err != nil {
			return "", err
		}
		if err := core.Confirm(ev, "sure", fmt.Sprintf("Send %d to %s, fee %d?", in.Cents, in.To, fee)); err != nil {
			return "", err
		}
		return core.Commit(ev, "send", func(key string) (string, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if b.fail != nil {
				return "", b.fail
			}
			entry := fmt.Sprintf("%s→%s %d fee %d %q", from.ID, in.To, in.Cents, fee, text.Note)
			b.booked = append(b.booked, entry)
			return entry, nil
		})
	})
}

var (
	order = transferIn{To: "bob", Cents: 100}
	from2 = coretest.Accept(askAccount, account{ID: "a2"})
	noted = coretest.Accept(askNote, note{Note: "rent"})
	sure  = coretest.Confirm("sure")
)

func TestStraightLine(t *testing.T) {
	b := &bank{fee: 3}
	out, err := coretest.Call(t, b.tool(), order, from2, noted, sure)
	if err != nil || out != `a2→bob 100 fee 3 "rent"` || len(b.booked) != 1 || b.quotes != 1 {
		t.Fatalf("got %q, %v, %+v", out, err, b)
	}
}

func TestRoundsOfAStraightLine(t *testing.T) {
	b := &bank{fee: 3}
	flow := coretest.Start(t, b.tool(), order)
	if asked := flow.Asked(); len(asked) != 2 || asked[0].Key != "account" || asked[1].Key != "note" {
		t.Fatalf("round 1 asked %+v", asked)
	}
	if !strings.HasPrefix(flow.State(), "e1.") {
		t.Fatalf("a journal must be encrypted: %.10s", flow.State())
	}
	flow.Next(from2)
	if asked := flow.Asked(); len(asked) != 1 || asked[0].Key != "note" {
		t.Fatalf("what was answered is asked again: %+v", asked)
	}
	flow.Next(coretest.Decline(askNote))
	b.fee = 99 // the memo is pinned
	if asked := flow.Asked(); len(asked) != 1 || !strings.Contains(string(asked[0].Params), "fee 3?") {
		t.Fatalf("round 3 asked %+v", asked)
	}
	out, err := flow.Next(sure).Result()
	if err != nil || out != `a2→bob 100 fee 3 ""` || b.quotes != 1 {
		t.Fatalf("got %q, %v, %d quotes", out, err, b.quotes)
	}
}

func TestNothingBooksWithoutAYes(t *testing.T) {
	for label, opts := range map[string][]coretest.Option{
		"declined":            {from2, noted, coretest.Refuse("sure")},
		"M4: decline, but":    {from2, noted, coretest.Raw("sure", `{"action":"decline","content":{"ok":true}}`)},
		"cancelled":           {from2, noted, coretest.Raw("sure", `{"action":"cancel"}`)},
		"account declined":    {coretest.Raw("account", `{"action":"decline"}`), noted, sure},
		"account not on list": {coretest.Raw("account", `{"action":"accept","content":{"account":"a3"}}`), noted, sure},
		"malformed yes":       {from2, noted, coretest.Raw("sure", `true`)},
		"unanswered":          {from2, noted},
		"no capability":       {coretest.Capabilities(core.ClientCapabilities{})},
		"legacy":              {coretest.Legacy()},
		"M9: all at once": {
			coretest.Preseed("account", `{"action":"accept","content":{"account":"a2"}}`),
			coretest.Preseed("note", `{"action":"accept","content":{"note":"x"}}`),
			coretest.Preseed("sure", `{"action":"accept"}`),
		},
	} {
		t.Run(label, func(t *testing.T) {
			b := &bank{}
			out, err := coretest.Call(t, b.tool(), order, opts...)
			if err == nil || len(b.booked) != 0 {
				t.Fatalf("got %q, %v, booked %q", out, err, b.booked)
			}
		})
	}
	b := &bank{}
	_, err := coretest.Call(t, b.tool(), order, from2, noted, coretest.Refuse("sure"))
	if failed, ok := errors.AsType[*coretest.ToolError](err); !ok || !errors.Is(err, core.ErrDeclined) ||
		failed.Text != `The question "sure" was declined by the user.` {
		t.Fatalf("got %v", err)
	}
}

// Confirm fails closed: dropping its error, whatever its reason, books nothing.
func TestDroppedConfirmBlocksCommit(t *testing.T) {
	booked := 0
	tool := core.NewTool("careless", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		_ = core.Confirm(ev, "sure", "Sure?")
		return core.Commit(ev, "do", func(string) (string, error) { booked++; return "done", nil })
	})
	for label, opts := range map[string][]coretest.Option{
		"pending": nil, "declined": {coretest.Refuse("sure")},
		"cannot ask": {coretest.Capabilities(core.ClientCapabilities{})}, "legacy": {coretest.Legacy()},
	} {
		if out, err := coretest.Call(t, tool, core.NoInput{}, opts...); err == nil || booked != 0 {
			t.Fatalf("%s: got %q, %v, booked %d", label, out, err, booked)
		}
	}
	if out, err := coretest.Call(t, tool, core.NoInput{}, sure); err != nil || out != "done" || booked != 1 {
		t.Fatalf("the control: got %q, %v", out, err)
	}
}

// While a question is open neither Memo nor Commit runs, also if its error was
// dropped; the call still asks.
func TestNothingRunsBehindAnOpenQuestion(t *testing.T) {
	ran := 0
	tool := core.NewTool("careless", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, _ := askName.Require(ev)
		_, _ = core.Memo(ev, "memo", func() (int, error) { ran++; return 1, nil })
		_, _ = core.Commit(ev, "commit", func(string) (int, error) { ran++; return 1, nil }) //nolint:contextcheck // the event carries ctx
		return "hello " + n.Name, nil
	})
	flow := coretest.Start(t, tool, core.NoInput{})
	if len(flow.Asked()) != 1 || ran != 0 {
		t.Fatalf("asked %v, ran %d", flow.Asked(), ran)
	}
	if out, err := flow.Next(coretest.Accept(askName, name{Name: "Ada"})).Result(); err != nil || out != "hello Ada" || ran != 2 {
		t.Fatalf("got %q, %v, ran %d", out, err, ran)
	}
}

func TestM17RewordedQuestions(t *testing.T) {
	text := "Sure about 100?"
	booked := 0
	tool := core.NewTool("reworded", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if err := core.Confirm(ev, "sure", text); err != nil {
			return "", err
		}
		return core.Commit(ev, "do", func(string) (string, error) { booked++; return "done", nil })
	})
	flow := coretest.Start(t, tool, core.NoInput{}, sure)
	text = "Sure about 999?"
	flow.Next()
	if booked != 0 || len(flow.Asked()) != 1 || !strings.Contains(string(flow.Asked()[0].Params), "999") {
		t.Fatalf("the old yes counted for the new question: booked %d, %v", booked, flow.Asked())
	}
	if out, err := flow.Next().Result(); err != nil || out != "done" || booked != 1 {
		t.Fatalf("the control: %q, %v", out, err)
	}
	n := 0
	unstable := core.NewTool("clock", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n++
		if n > 10 {
			return "", errBoom // the check under test is gone
		}
		return "", core.Confirm(ev, "sure", fmt.Sprintf("At tick %d?", n))
	})
	_, err := coretest.Call(t, unstable, core.NoInput{}, sure, coretest.AllowMisuse())
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 || n != 4 {
		t.Fatalf("got %v after %d rounds", err, n)
	}
}

func TestSettledAnswersDoNotChange(t *testing.T) {
	b := &bank{fee: 1}
	flow := coretest.Start(t, b.tool(), order).Next(from2, noted)
	flow.Next(coretest.Preseed("account", `{"action":"accept","content":{"account":"a1"}}`), sure)
	if out, err := flow.Result(); err != nil || !strings.HasPrefix(out, "a2→") {
		t.Fatalf("a settled answer was overwritten: %q, %v", out, err)
	}
}

func TestInvalidAnswersEnd(t *testing.T) {
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, err := askNote.Require(ev)
		return n.Note, err
	})
	const long = `{"action":"accept","content":{"note":"much too long"}}`
	flow := coretest.Start(t, tool, core.NoInput{}, coretest.Raw("note", long))
	for range 2 {
		flow.Next()
		if asked := flow.Asked(); len(asked) != 1 || !strings.Contains(string(asked[0].Params), "note must") {
			t.Fatalf("asked %+v", asked)
		}
	}
	_, err := flow.Next().Result()
	var failed *core.InvalidAnswerError
	if !errors.As(err, &failed) || failed.Key != "note" || failed.Problem.Field != "note" {
		t.Fatalf("got %v", err)
	}
}

func TestParallelRequire(t *testing.T) {
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		var (
			wg   sync.WaitGroup
			errs [2]error
			got  [2]name
		)
		for i, ask := range []core.Ask[name]{askFirst, askSecond} {
			wg.Go(func() { got[i], errs[i] = ask.Require(ev) })
		}
		wg.Wait()
		return got[0].Name + got[1].Name, errors.Join(errs[:]...)
	})
	flow := coretest.Start(t, tool, core.NoInput{})
	if len(flow.Asked()) != 2 {
		t.Fatalf("asked %+v", flow.Asked())
	}
	if out, err := flow.Next(three[0], three[1]).Result(); err != nil || out != "AdaLovelace" {
		t.Fatalf("got %q, %v", out, err)
	}
}

func TestFlowMisuse(t *testing.T) {
	for label, handler := range map[string]func(ev *core.Event) error{
		"two questions, one key": func(ev *core.Event) error {
			_, _ = askName.Require(ev)
			_, err := askName.Messagef("Other?").Require(ev)
			return err
		},
		"two memos, one key": func(ev *core.Event) error {
			_, _ = core.Memo(ev, "m", func() (int, error) { return 1, nil })
			_, err := core.Memo(ev, "m", func() (int, error) { return 2, nil })
			return err
		},
		"two commits, one key": func(ev *core.Event) error {
			_, _ = core.Commit(ev, "c", func(string) (int, error) { return 1, nil })
			_, err := core.Commit(ev, "c", func(string) (int, error) { return 2, nil })
			return err
		},
		"memo without key": func(ev *core.Event) error {
			_, err := core.Memo(ev, "", func() (int, error) { return 1, nil })
			return err
		},
		"memo of a channel": func(ev *core.Event) error {
			_, err := core.Memo(ev, "m", func() (chan int, error) { return make(chan int), nil })
			return err
		},
		"over the budget": func(ev *core.Event) error {
			_, _ = core.Memo(ev, "huge", func() (string, error) { return strings.Repeat("x", 25<<10), nil })
			_, _ = askName.Require(ev)
			return nil
		},
		"plain ask in a flow": func(ev *core.Event) error {
			_, _ = askName.Require(ev)
			return ev.InputRequired(askFirst)
		},
	} {
		t.Run(label, func(t *testing.T) {
			tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				return "swallowed", handler(ev)
			})
			_, err := coretest.Call(t, tool, core.NoInput{}, coretest.AllowMisuse())
			if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 {
				t.Fatalf("got %v", err)
			}
		})
	}
	t.Run("commit in a prompt", func(t *testing.T) {
		p := core.NewPrompt("p", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			return core.Commit(ev, "c", func(string) (string, error) { t.Error("ran"); return "", nil })
		})
		if _, err := coretest.Get(t, p, core.NoInput{}, coretest.AllowMisuse()); err == nil {
			t.Fatal("no error")
		}
	})
}

func TestDeclinedPromptsAreInvalidParams(t *testing.T) {
	p := core.NewPrompt("p", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, err := askName.Require(ev)
		return n.Name, err
	})
	_, err := coretest.Get(t, p, core.NoInput{}, coretest.Decline(askName))
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32602 || !strings.Contains(wire.Message, "username") {
		t.Fatalf("got %v", err)
	}
	got, err := coretest.Get(t, p, core.NoInput{}, coretest.Accept(askName, name{Name: "Ada"}))
	if err != nil || got.Messages[0].Content.Text != "Ada" {
		t.Fatalf("the control: %v", err)
	}
}

func TestFlowStateIsRefused(t *testing.T) {
	alice := core.Principal{Issuer: "https://id.example", Subject: "alice"}
	start := func(t *testing.T, b *bank) *coretest.Flow[string] {
		return coretest.Start(t, b.tool(), order, coretest.As(alice))
	}
	for label, opts := range map[string][]coretest.Option{
		"bob":       {coretest.As(core.Principal{Issuer: "https://id.example", Subject: "bob"})},
		"anonymous": {coretest.As(core.Anonymous)},
		"amount":    {coretest.Arguments(`{"to":"bob","cents":100000}`)},
		"recipient": {coretest.Arguments(`{"to":"eve","cents":100}`)},
		"expired":   {coretest.Advance(10 * time.Minute)},
		"broken":    {coretest.State("e1.AAAA")},
	} {
		t.Run(label, func(t *testing.T) {
			b := &bank{}
			_, err := start(t, b).Next(append(opts, from2, noted, sure)...).Result()
			wire, ok := errors.AsType[*core.Error](err)
			if !ok || wire.Code != -32602 || wire.Message != "Invalid request state" || len(b.booked) != 0 {
				t.Fatalf("got %v", err)
			}
		})
	}
	t.Run("control: number spelled otherwise", func(t *testing.T) {
		b := &bank{}
		out, err := start(t, b).Next(from2, noted, coretest.Arguments(`{"cents":1e2,"to":"bob"}`)).Next(sure).Result()
		if err != nil || len(b.booked) != 1 {
			t.Fatalf("got %q, %v", out, err)
		}
	})
}
