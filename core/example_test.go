package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
)

// play runs a feature as a server does, answering each question as given, and
// prints what is asked and how it ends. Tests of your own use package coretest;
// an example has no test to hand it.
func play(f core.Feature, method, target, arguments string, answers map[string]string) {
	ring, err := seal.NewRing(seal.EphemeralKey())
	if err != nil {
		fmt.Fprintln(os.Stdout, err)
		return
	}
	host := &core.Host{Keys: ring, Audience: "example", Replay: replay.NewMemory(100)}
	call := &core.Call{
		Method: method, Target: target, Version: "2026-07-28", CanAsk: true, Principal: core.Anonymous,
		Arguments: json.RawMessage(arguments), Capabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}}}`),
	}
	for {
		out := core.Run(context.Background(), host, f, call)
		if out.Interim == nil {
			printEnd(out)
			return
		}
		call.Responses = map[string]json.RawMessage{}
		call.State = &out.Interim.State
		if *call.State == "" {
			call.State = nil
		}
		for _, q := range out.Interim.Requests {
			var p struct{ Message string }
			if err := json.Unmarshal(q.Params, &p); err != nil {
				fmt.Fprintln(os.Stdout, err)
			}
			fmt.Fprintf(os.Stdout, "asks %s: %s\n", q.Key, p.Message)
			call.Responses[q.Key] = json.RawMessage(answers[q.Key])
		}
	}
}

func printEnd(out core.Outcome) {
	switch r := out.Result.(type) {
	case nil:
		fmt.Fprintln(os.Stdout, "error:", out.Error)
	case *core.ToolResult:
		fmt.Fprintln(os.Stdout, r.Content[0].Text)
	case *core.PromptResult:
		fmt.Fprintln(os.Stdout, r.Messages[0].Content.Text)
	case *core.ResourceResult:
		fmt.Fprintln(os.Stdout, r.Contents[0].Text)
	}
}

type Name struct {
	Name string `json:"name" title:"Your name" maxLength:"80"`
}

var askUser = core.Form[Name]("username", "What is your name?") // asks and reads

// A tool that asks its user by returning. Declined is an answer: asking again
// would ask for ever.
func ExampleAsk_Answer() {
	whoami := core.NewTool("whoami", "Greets the user by name.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			switch a := askUser.Answer(ev); a.State {
			case core.Accepted:
				return "Hello, " + a.Value.Name + "!", nil
			case core.Declined, core.Cancelled:
				return "No problem, carrying on without a name.", nil
			default: // not asked yet, or not a valid answer
				return "", ev.InputRequired(askUser)
			}
		})

	play(whoami, "tools/call", "whoami", `{}`, map[string]string{
		"username": `{"action":"accept","content":{"name":"Ada"}}`,
	})
	play(whoami, "tools/call", "whoami", `{}`, map[string]string{"username": `{"action":"decline"}`})
	// Output:
	// asks username: What is your name?
	// Hello, Ada!
	// asks username: What is your name?
	// No problem, carrying on without a name.
}

// Typed input becomes the schema that the model sees, and what breaks it never
// reaches the handler. A struct that is returned becomes structured content.
func ExampleNewTool() {
	type input struct {
		City string `json:"city" description:"a city" minLength:"1"`
		Days int    `json:"days,omitempty" minimum:"1" maximum:"7"`
	}
	type forecast struct {
		City    string `json:"city"`
		Celsius []int  `json:"celsius"`
	}
	weather := core.NewTool("weather", "Forecasts the weather.",
		func(_ context.Context, _ *core.Event, in input) (*forecast, error) {
			return &forecast{City: in.City, Celsius: make([]int, in.Days)}, nil
		}, core.ReadOnly(), core.Title("Weather"))

	play(weather, "tools/call", "weather", `{"city":"Oslo","days":2}`, nil)
	play(weather, "tools/call", "weather", `{"city":"Oslo","days":9}`, nil)
	// Output:
	// {"city":"Oslo","celsius":[0,0]}
	// Invalid arguments: days must be at most 7.
}

func ExampleNewPrompt() {
	type args struct {
		Language string `json:"language" description:"what the code is written in"`
	}
	review := core.NewPrompt("review", "Reviews code.",
		func(_ context.Context, _ *core.Event, a args) (string, error) {
			return "Review the following " + a.Language + " code.", nil
		},
		core.Complete("language", func(_ context.Context, _ *core.Event, _ string) ([]string, error) {
			return []string{"go", "rust"}, nil
		}))

	play(review, "prompts/get", "review", `{"language":"go"}`, nil)
	// Output: Review the following go code.
}

func ExampleNewTemplate() {
	type vars struct {
		Month string `json:"month"`
	}
	statements := core.NewTemplate("bank://statements/{month}", "statements",
		func(_ context.Context, ev *core.Event, v vars) (string, error) {
			if v.Month != "2026-07" {
				return "", core.ResourceNotFound(ev.Target())
			}
			return "1 booking in " + v.Month, nil
		})

	play(statements, "resources/read", "bank://statements/2026-07", ``, nil)
	play(statements, "resources/read", "bank://statements/1999-01", ``, nil)
	// Output:
	// 1 booking in 2026-07
	// error: parley: Resource not found (-32602)
}

// A client that cannot be asked is no reason to fail, if the tool can do
// without.
func ExampleEvent_CanRequest() {
	hello := core.NewTool("hello", "Greets.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			askModel := core.Raw("greeting", "sampling/createMessage", []byte(`{"maxTokens":50,"messages":[]}`))
			if !ev.CanRequest(askModel) {
				return "Hello, stranger!", nil
			}
			return "", ev.InputRequired(askModel)
		})

	play(hello, "tools/call", "hello", `{}`, nil)
	// Output: Hello, stranger!
}
