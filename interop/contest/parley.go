package contest

import (
	"context"
	"errors"
	"log/slog"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

// Where servers are mounted: with ten tools, a thousand, and ten thousand.
const (
	PathTen      = "/mcp"
	PathThousand = "/thousand"
	PathMany     = "/many"
)

func textTool[In any](name string, f func(In) string) core.Feature {
	return core.NewTool(name, "Says something about "+name+".",
		func(_ context.Context, _ *core.Event, in In) (string, error) { return f(in), nil })
}

// form is what the tools that ask, ask.
type form struct {
	Name string `json:"name" title:"Your name" maxLength:"80"`
}

type step struct{ N int }

var (
	askName   = core.Form[form]("name", "What is your name?")
	askColour = core.Form[form]("colour", "Which colour?")
	askSize   = core.Form[form]("size", "Which size?")
	wizard    = core.NewState[step]("wizard")

	asking = core.NewTool("asking", "Asks with typed state.",
		func(_ context.Context, ev *core.Event, in EchoIn) (string, error) {
			st, err := wizard.Open(ev)
			if err != nil {
				return "", err
			}
			if a, ok := askName.Accepted(ev); ok {
				return in.Text + ", " + a.Name, nil
			}
			return "", wizard.InputRequired(ev, step{st.N + 1}, askName)
		})

	flow = core.NewTool("flow", "Asks three things in a row.",
		func(_ context.Context, ev *core.Event, in EchoIn) (string, error) {
			name, err := askName.Require(ev)
			if err != nil {
				return "", err
			}
			colour, err := askColour.Require(ev)
			if err != nil {
				return "", err
			}
			size, err := askSize.Require(ev)
			if err != nil {
				return "", err
			}
			return in.Text + ", " + name.Name + colour.Name + size.Name, nil
		})
)

// tools are the ten that are called.
func tools() []core.Feature {
	return []core.Feature{
		textTool("echo", func(in EchoIn) string { return in.Text }),
		textTool("search", Searched),
		textTool("ascii", TextSize),
		textTool("accents", TextSize),
		textTool("tree", TreeSize),
		textTool("raw", rawSize),
		core.NewTool("weather", "The weather in a city.",
			func(_ context.Context, _ *core.Event, in CityIn) (Weather, error) { return WeatherIn(in), nil }),
		asking, flow,
		textTool("last", func(in EchoIn) string { return in.Text }),
	}
}

// NewParley makes a server with so many tools, ten at least, and everything on.
func NewParley(count int, changes ...func(*server.Config)) *server.Server {
	features := tools()
	for _, name := range Fill(count - len(features)) {
		features = append(features, core.NewTool(name, FillText,
			func(_ context.Context, _ *core.Event, in EchoIn) (string, error) { return in.Text, nil }))
	}
	config := server.Config{
		Name: "bench", Version: "1.0.0",
		Keys: []seal.Key{seal.EphemeralKey()}, Logger: slog.New(slog.DiscardHandler),
		MaxListens: 100_000,
	}
	for _, change := range changes {
		change(&config)
	}
	srv, err := server.New(config, features...)
	if err != nil {
		panic(errors.Join(errors.New("contest: the server"), err))
	}
	return srv
}

// Extra is one more tool, to change a list with.
func Extra(name string) core.Feature {
	return textTool(name, func(in EchoIn) string { return in.Text })
}
