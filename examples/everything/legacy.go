package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/parleymcp/parley/core"
)

// legacyTools are those that the runner calls in older revisions of the
// protocol. They ask as all others do.
var legacyTools = []core.Feature{
	core.NewTool("test_tool_with_logging", "Logs while it works.", logWhileWorking),
	core.NewTool("test_sampling", "Asks the client's model.",
		func(_ context.Context, ev *core.Event, in samplingInput) (string, error) {
			ask := sampling("sample", in.Prompt, 100)
			answer, ok := ask.Accepted(ev)
			if !ok {
				return "", ev.InputRequired(ask)
			}
			return "LLM response: " + sampled(answer), nil
		}),
	core.NewTool("test_elicitation", "Asks for a name and an address.",
		func(_ context.Context, ev *core.Event, in elicitationInput) (string, error) {
			return elicit(ev, askUser.Messagef("%s", in.Message))
		}),
	core.NewTool("test_elicitation_sep1034_defaults", "Asks with a default for each kind of field.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			return elicit(ev, askDefaults)
		}),
	core.NewTool("test_elicitation_sep1330_enums", "Asks with each kind of choice.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			return elicit(ev, askEnums)
		}),
	core.NewTool("test_reconnection", "Says that it has begun, and takes a little time.",
		func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			ev.Log(slog.LevelInfo, "Reconnection test started") // which opens the stream
			return "Reconnection test completed.", pause(ctx, 100*time.Millisecond)
		}),
}

type samplingInput struct {
	Prompt string `json:"prompt" description:"What to ask the model"`
}

type elicitationInput struct {
	Message string `json:"message" description:"What to ask the user"`
}

var (
	askUser     = core.Form[userForm]("user", "Who are you?")
	askDefaults = core.Form[defaultsForm]("defaults", "Please check these values")
	askEnums    = core.Raw("enums", "elicitation/create", json.RawMessage(enumsParams))
)

type userForm struct {
	Username string `json:"username" description:"User's response"`
	Email    string `json:"email" description:"User's email address"`
}

type defaultsForm struct {
	Name     string  `json:"name,omitempty" default:"John Doe" description:"A string"`
	Age      int     `json:"age,omitempty" default:"30" description:"An integer"`
	Score    float64 `json:"score,omitempty" default:"95.5" description:"A number"`
	Status   string  `json:"status,omitempty" enum:"active,inactive,pending" default:"active" description:"A choice"`
	Verified bool    `json:"verified,omitempty" default:"true" description:"A boolean"`
}

// enumsParams has one field for each way to write choices. It is raw because
// enumNames is not in the vocabulary of struct tags: it is what clients before
// 2025-11-25 know, and the server writes it for them.
const enumsParams = `{
	"mode": "form",
	"message": "Please choose",
	"requestedSchema": {
		"type": "object",
		"properties": {
			"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
			"titledSingle": {"type": "string", "oneOf": [
				{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]},
			"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
			"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
			"titledMulti": {"type": "array", "items": {"anyOf": [
				{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]}}
		},
		"required": []
	}
}`

// elicit asks once, and shows what came back.
func elicit[T any](ev *core.Event, ask core.Ask[T]) (string, error) {
	switch a := ask.Answer(ev); a.State {
	case core.Accepted:
		return "User response: " + show(a.Value), nil
	case core.Declined, core.Cancelled:
		return "User response: " + a.State.String(), nil
	default:
		return "", ev.InputRequired(ask)
	}
}

func show(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		return string(raw)
	}
	return fmt.Sprintf("%+v", v)
}

func logWhileWorking(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	ev.Log(slog.LevelInfo, "Tool execution started")
	if err := pause(ctx, 50*time.Millisecond); err != nil {
		return "", err
	}
	ev.Log(slog.LevelInfo, "Tool processing data")
	if err := pause(ctx, 50*time.Millisecond); err != nil {
		return "", err
	}
	ev.Log(slog.LevelInfo, "Tool execution completed")
	return "Tool with logging executed successfully.", nil
}
