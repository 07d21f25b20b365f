package main

import (
	"context"
	"fmt"

	"github.com/parleymcp/parley/core"
)

// The questions that more than one feature asks.
var (
	askName     = core.Form[nameForm]("user_name", "What is your name?")
	askConfirm  = core.Form[confirmForm]("confirm", "Please confirm")
	askGreeting = sampling("greeting", "Generate a greeting", 50)
	askRoots    = core.Roots("client_roots") //nolint:staticcheck // the runner still tests roots
)

type (
	nameForm struct {
		Name string `json:"name"`
	}
	confirmForm struct {
		OK bool `json:"ok"`
	}
	colorForm struct {
		Color string `json:"color"`
	}
)

func sampling(key, text string, maxTokens int) core.Ask[core.CreateMessageResult] {
	return core.Sampling(key, core.CreateMessageParams{ //nolint:staticcheck // the runner still tests sampling
		Messages:  []core.SamplingMessage{{Role: core.RoleUser, Content: []core.Content{core.Text(text)}}},
		MaxTokens: maxTokens,
	})
}

// sampled is the text that the client's model wrote.
func sampled(r core.CreateMessageResult) string {
	for _, c := range r.Content {
		if c.Text != "" {
			return c.Text
		}
	}
	return "(no text)"
}

// askingTools ask in the return style or with typed state, on one round or
// several.
var askingTools = []core.Feature{
	core.NewTool("test_input_required_result_elicitation", "Asks for a name.", greet),
	core.NewTool("test_input_required_result_sampling", "Asks the client's model.", askCapitalOfFrance),
	core.NewTool("test_input_required_result_list_roots", "Asks for the client's roots.", listRoots),
	core.NewTool("test_input_required_result_request_state", "Asks, and remembers that it did.", confirming(confirmations)),
	core.NewTool("test_input_required_result_tampered_state", "Asks, and refuses state that was changed.", confirming(guarded)),
	core.NewTool("test_input_required_result_multiple_inputs", "Asks three things at once.", askSeveral),
	core.NewTool("test_input_required_result_multi_round", "Asks one thing after the other.", askStepByStep),
	core.NewTool("test_input_required_result_capabilities", "Asks what the client can be asked.", askSupported),
}

// greet needs no state, and so takes an answer that comes with the first call.
func greet(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	switch a := askName.Answer(ev); a.State {
	case core.Accepted:
		return "Hello, " + a.Value.Name + "!", nil
	case core.Declined, core.Cancelled:
		return "Hello, whoever you are!", nil
	default:
		return "", ev.InputRequired(askName)
	}
}

var askCapital = sampling("capital_question", "What is the capital of France?", 100)

func askCapitalOfFrance(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	answer, ok := askCapital.Accepted(ev)
	if !ok {
		return "", ev.InputRequired(askCapital)
	}
	return "The model says: " + sampled(answer), nil
}

func listRoots(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	answer, ok := askRoots.Accepted(ev)
	if !ok {
		return "", ev.InputRequired(askRoots)
	}
	return fmt.Sprintf("The client has %d roots.", len(answer.Roots)), nil
}

// remembered is the round in which a question was asked.
type remembered struct{ Round int }

var (
	confirmations = core.NewState[remembered]("confirmation")
	guarded       = core.NewState[remembered]("guarded")
	several       = core.NewState[remembered]("several")
)

// confirming asks for a confirmation, in its own kind of state.
func confirming(state *core.State[remembered]) func(context.Context, *core.Event, core.NoInput) (string, error) {
	return func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		last, err := state.Open(ev)
		if err != nil {
			return "", err
		}
		switch a := askConfirm.Answer(ev); a.State {
		case core.Accepted:
			return fmt.Sprintf("state-ok: asked in round %d, confirmed: %t.", last.Round, a.Value.OK), nil
		case core.Declined, core.Cancelled:
			return fmt.Sprintf("state-ok: asked in round %d, not answered.", last.Round), nil
		default:
			return "", state.InputRequired(ev, remembered{Round: ev.Round()}, askConfirm)
		}
	}
}

func askSeveral(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	if _, err := several.Open(ev); err != nil {
		return "", err
	}
	asks := []core.InputRequest{askName, askGreeting, askRoots}
	if len(ev.Missing(asks...)) > 0 {
		// All of them: the answers of one round are gone in the next.
		return "", several.InputRequired(ev, remembered{Round: ev.Round()}, asks...)
	}
	name, _ := askName.Accepted(ev)
	greeting, _ := askGreeting.Accepted(ev)
	roots, _ := askRoots.Accepted(ev)
	return fmt.Sprintf("%s %s! You have %d roots.", sampled(greeting), name.Name, len(roots.Roots)), nil
}

var (
	askStep1 = core.Form[nameForm]("step1", "Step 1: What is your name?")
	askStep2 = core.Form[colorForm]("step2", "Step 2: What is your favorite color?")
	steps    = core.NewState[stepsTaken]("steps")
)

// stepsTaken is what the client need not send again.
type stepsTaken struct {
	Named bool
	Name  string
}

func askStepByStep(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	taken, err := steps.Open(ev)
	if err != nil {
		return "", err
	}
	if !taken.Named {
		switch a := askStep1.Answer(ev); a.State {
		case core.Accepted:
			taken = stepsTaken{Named: true, Name: a.Value.Name}
		case core.Declined, core.Cancelled:
			return "Nobody likes anything.", nil
		default:
			return "", steps.InputRequired(ev, taken, askStep1)
		}
	}
	switch a := askStep2.Answer(ev); a.State {
	case core.Accepted:
		return taken.Name + " likes " + a.Value.Color, nil
	case core.Declined, core.Cancelled:
		return taken.Name + " likes no color", nil
	default:
		return "", steps.InputRequired(ev, taken, askStep2)
	}
}

func askSupported(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	asks := []core.InputRequest{askName, askGreeting, askRoots}
	if able := ev.Supported(asks...); len(able) > 0 {
		asks = able
	} // else the gate refuses them all, and names what the client lacks
	if open := ev.Missing(asks...); len(open) > 0 {
		return "", ev.InputRequired(open...)
	}
	return fmt.Sprintf("Asked %d questions.", len(asks)), nil
}
