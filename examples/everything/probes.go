package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
)

// probes are the features that the suite of interop/probes calls, with -probes.
// The same ones, under the same names, are in its servers of other libraries.
func probes() []core.Feature {
	waits := &waits{ended: map[string]string{}}
	shared := &core.ToolResult{Content: []core.Content{core.Text("the same for all")}}
	return []core.Feature{
		core.NewTool("probe_echo", "Says what it was told.",
			func(_ context.Context, _ *core.Event, in echoed) (echoed, error) { return in, nil }),
		core.NewTool("probe_admin", "Must not run by accident.",
			func(context.Context, *core.Event, core.NoInput) (string, error) { return "the admin tool ran", nil }),
		core.NewTool("probe_count", "Reports progress n times.", count),
		core.NewTool("probe_wait", "Waits.", waits.wait),
		core.NewTool("probe_ended", "Says how a wait ended.", waits.look),
		core.NewTool("probe_panic", "Panics.",
			func(_ context.Context, ev *core.Event, in panicInput) (string, error) {
				if in.Stream {
					ev.Progress(1, 2, "")
				}
				panic("the password is swordfish")
			}),
		core.NewTool("probe_nothing", "Returns nothing, and no error.",
			func(context.Context, *core.Event, core.NoInput) (*core.ToolResult, error) { return nil, nil }), //nolint:nilnil // that is the mistake
		core.NewTool("probe_error", "Fails.",
			func(context.Context, *core.Event, core.NoInput) (string, error) {
				return "", errors.New("the printer is out of paper")
			}),
		core.NewTool("probe_refuse", "Fails with a JSON-RPC error.",
			func(context.Context, *core.Event, core.NoInput) (string, error) {
				return "", &core.Error{Code: -32602, Message: "no such printer", Data: map[string]string{"printer": "7"}}
			}),
		core.NewTool("probe_capability", "Needs a client that can be asked for a sample.",
			func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				return "", ev.InputRequired(askGreeting)
			}),
		core.NewTool("probe_shared", "Returns one result for all calls.",
			func(context.Context, *core.Event, core.NoInput) (*core.ToolResult, error) { return shared, nil }),
		core.NewTool("probe_empty", "Returns a result without content.",
			func(context.Context, *core.Event, core.NoInput) (*core.ToolResult, error) {
				return &core.ToolResult{}, nil
			}),
		core.NewTool("probe_region", "Has an argument that is mirrored into a header.",
			func(_ context.Context, _ *core.Event, in regionInput) (string, error) {
				return "region " + in.Region, nil
			}),
		core.NewTool("probe_ask", "Asks for a name and an age.", askWho),
		core.NewPrompt("probe_ask", "Asks for a name and an age.", askWho),
		core.NewResource("probe://ask", "Asks for a name and an age",
			func(ctx context.Context, ev *core.Event) (string, error) { return askWho(ctx, ev, core.NoInput{}) }),
		core.NewTool("probe_three", "Asks the user, the model and the client.", askThree),
		core.NewTool("probe_state_only", "Comes back for more, without a question.", comeBack),
		core.NewTool("probe_chain", "Asks three times, one after the other.", chain),
		core.NewTool("probe_transfer", "Asks before it sends.", transfer),
	}
}

type (
	echoed struct {
		Text string   `json:"text"`
		N    int64    `json:"n,omitempty"`
		Tags []string `json:"tags,omitempty"`
	}
	countInput struct {
		N int `json:"n"`
	}
	panicInput struct {
		Stream bool `json:"stream,omitempty"` // after an event
	}
	regionInput struct {
		Region string `json:"region,omitempty" header:"Region"`
	}
)

func count(_ context.Context, ev *core.Event, in countInput) (string, error) {
	for i := range in.N {
		ev.Progress(float64(i+1), float64(in.N), "")
	}
	return fmt.Sprintf("counted %d", in.N), nil
}

// waits remembers how calls of probe_wait ended.
type waits struct {
	mu    sync.Mutex
	ended map[string]string
}

type waitInput struct {
	ID           string `json:"id"`
	Milliseconds int    `json:"milliseconds,omitempty"`
	Every        int    `json:"every,omitempty"` // milliseconds between reports of progress
}

func (w *waits) set(id, state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[id] = state
}

func (w *waits) wait(ctx context.Context, ev *core.Event, in waitInput) (string, error) {
	w.set(in.ID, "running")
	over := time.NewTimer(time.Duration(in.Milliseconds) * time.Millisecond)
	defer over.Stop()
	var tick <-chan time.Time
	if in.Every > 0 {
		ticker := time.NewTicker(time.Duration(in.Every) * time.Millisecond)
		defer ticker.Stop()
		tick = ticker.C
		ev.Progress(1, 0, "")
	}
	for i := 2; ; i++ {
		select {
		case <-tick:
			ev.Progress(float64(i), 0, "")
		case <-over.C:
			w.set(in.ID, "finished")
			return "waited", nil
		case <-ctx.Done():
			w.set(in.ID, "cancelled")
			return "", context.Cause(ctx)
		}
	}
}

func (w *waits) look(_ context.Context, _ *core.Event, in waitInput) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return "it is " + w.ended[in.ID], nil
}

type whoForm struct {
	Name string `json:"name" minLength:"1"`
	Age  int    `json:"age,omitempty"`
}

type sureForm struct {
	OK bool `json:"ok"`
}

type sent struct{ Asked bool }

type linked struct{ Answered int }

var (
	askWhoForm  = core.Form[whoForm]("who", "Who are you?")
	askSure     = core.Form[sureForm]("sure", "Send it?")
	transfers   = core.NewState[sent]("probe-transfer")
	comingBacks = core.NewState[sent]("probe-state-only")
	links       = core.NewState[linked]("probe-chain")
	chainOf     = []core.Ask[sureForm]{
		core.Form[sureForm]("first", "First?"), core.Form[sureForm]("second", "Second?"), core.Form[sureForm]("third", "Third?"),
	}
)

func askWho(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	switch a := askWhoForm.Answer(ev); a.State {
	case core.Accepted:
		return fmt.Sprintf("accepted %s, %d", a.Value.Name, a.Value.Age), nil
	case core.Declined, core.Cancelled:
		return "declined", nil
	default:
		return "", ev.InputRequired(askWhoForm)
	}
}

func askThree(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	if open := ev.Missing(askWhoForm, askGreeting, askRoots); len(open) > 0 {
		return "", ev.InputRequired(open...)
	}
	return "all there", nil
}

func comeBack(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	last, err := comingBacks.Open(ev)
	if err != nil {
		return "", err
	}
	if !last.Asked {
		return "", comingBacks.InputRequired(ev, sent{Asked: true})
	}
	return "came back", nil
}

func chain(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	have, err := links.Open(ev)
	if err != nil {
		return "", err
	}
	if _, ok := chainOf[have.Answered].Accepted(ev); ok {
		have.Answered++
	}
	if have.Answered == len(chainOf) {
		return "all three", nil
	}
	return "", links.InputRequired(ev, have, chainOf[have.Answered])
}

type transferInput struct {
	To    string `json:"to"`
	Cents int64  `json:"cents"`
}

// transfer sends only what the user was asked about: the state is bound to the
// arguments.
func transfer(_ context.Context, ev *core.Event, in transferInput) (string, error) {
	if _, err := transfers.Open(ev); err != nil {
		return "", err
	}
	switch a := askSure.Answer(ev); a.State {
	case core.Accepted:
		if !a.Value.OK {
			return "not sent", nil
		}
		return fmt.Sprintf("sent %d to %s", in.Cents, in.To), nil
	case core.Declined, core.Cancelled:
		return "not sent", nil
	default:
		return "", transfers.InputRequired(ev, sent{Asked: true}, askSure.Messagef("Send %d to %s?", in.Cents, in.To))
	}
}
