package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// interopTools are for what the runner does not look at, and other people's
// clients can do all the same.
func interopTools(srv *server.Server) []core.Feature {
	work := newWorkshop()
	return []core.Feature{
		core.NewTool("interop_structured", "Adds two numbers.",
			func(_ context.Context, _ *core.Event, in operands) (sum, error) {
				return sum{Sum: in.A + in.B, Of: []int{in.A, in.B}}, nil
			}),
		core.NewTool("interop_list", "Returns a list: structured content that is no object.",
			func(context.Context, *core.Event, core.NoInput) ([]string, error) {
				return []string{"one", "two"}, nil
			}),
		core.NewTool("interop_big", "Returns a text of as many bytes as it is asked for.", big),
		core.NewTool("interop_touch", "Says that a note has changed, to those who watch it.",
			func(_ context.Context, _ *core.Event, in noteName) (string, error) {
				srv.ResourceUpdated(notePrefix + in.Name)
				return "Touched.", nil
			}),
		core.NewTemplate(notePrefix+"{name}", "Notes", // any name is one
			func(_ context.Context, _ *core.Event, in noteName) (string, error) {
				return "The note of " + in.Name + ".", nil
			}, core.Description("A note that changes when it is touched.")),
		core.NewTool("interop_three_asks", "Asks three forms at once.", askThreeForms),
		core.NewTool("interop_url", "Asks the user to open a link.", askLink),
		core.NewTool("interop_wizard", "Asks one thing after the other, on three rounds.", wizard),
		core.NewTool("interop_state_only", "Needs no answer, only to be called again.", stateOnly),
		core.NewTool("interop_work", "Works until it is cancelled, or finished by another call.", work.begin),
		core.NewTool("interop_finish", "Finishes the work of that name.", work.finish),
		core.NewTool("interop_watch", "Waits for the work of that name to be in a state, and says in which it is.", work.watch),
	}
}

const notePrefix = "interop://notes/"

type (
	operands struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	sum struct {
		Sum int   `json:"sum"`
		Of  []int `json:"of"`
	}
	noteName struct {
		Name string `json:"name"`
	}
	size struct {
		Bytes int `json:"bytes" minimum:"0" maximum:"4194304"`
	}
)

// big returns a text in which no two lines are the same, so that a part that is
// lost or doubled shows in its hash.
func big(_ context.Context, _ *core.Event, in size) (string, error) {
	var text strings.Builder
	for i := 0; text.Len() < in.Bytes; i++ {
		fmt.Fprintf(&text, "line%123d\n", i)
	}
	return text.String()[:in.Bytes], nil
}

type (
	colourForm struct {
		Colour string `json:"colour" enum:"red,green,blue"`
	}
	sizeForm struct {
		Size int `json:"size" minimum:"1" maximum:"9"`
	}
)

var (
	askColour = core.Form[colourForm]("colour", "Which colour?")
	askSize   = core.Form[sizeForm]("size", "Which size?")
	askSignIn = core.URL("sign_in", "Please sign in.", "https://id.example/sign-in?for=interop")
)

func askThreeForms(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	if open := ev.Missing(askName, askColour, askSize); len(open) > 0 {
		return "", ev.InputRequired(open...)
	}
	name, colour, size := askName.Answer(ev), askColour.Answer(ev), askSize.Answer(ev)
	return fmt.Sprintf("%v %q, %v %q, %v %d", name.State, name.Value.Name, colour.State, colour.Value.Colour, size.State, size.Value.Size), nil
}

// askLink takes the consent for the visit. A real tool looks whether there was
// one.
func askLink(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	switch a := askSignIn.Answer(ev); a.State {
	case core.Accepted, core.Declined, core.Cancelled:
		return "The visit was " + a.State.String() + ".", nil
	default:
		return "", ev.InputRequired(askSignIn)
	}
}

func wizard(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	name, err := askName.Require(ev)
	if err != nil {
		return "", err
	}
	colour, err := askColour.Messagef("Which colour, %s?", name.Name).Require(ev)
	if err != nil {
		return "", err
	}
	if err := core.Confirm(ev, "sure", fmt.Sprintf("Paint it %s?", colour.Colour)); err != nil {
		return "", err
	}
	return core.Commit(ev, "paint", func(string) (string, error) {
		return fmt.Sprintf("Painted %s for %s.", colour.Colour, name.Name), nil
	})
}

var polls = core.NewState[polled]("polls")

type polled struct{ Times int }

func stateOnly(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	seen, err := polls.Open(ev)
	if err != nil {
		return "", err
	}
	if seen.Times < 2 { // a flow may do that twice
		return "", polls.InputRequired(ev, polled{seen.Times + 1})
	}
	return fmt.Sprintf("Called again %d times.", seen.Times), nil
}
