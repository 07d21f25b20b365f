package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/parleymcp/parley/core"
)

var prompts = []core.Feature{
	core.NewPrompt("test_simple_prompt", "A text.",
		func(context.Context, *core.Event, core.NoInput) (string, error) {
			return "This is a simple prompt for testing.", nil
		}),
	core.NewPrompt("test_prompt_with_arguments", "A text with two arguments.",
		func(_ context.Context, _ *core.Event, args twoArguments) (string, error) {
			return fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args.Arg1, args.Arg2), nil
		},
		core.Complete("arg1", oneOf("test", "testValue1", "testing"))),
	core.NewPrompt("test_prompt_with_embedded_resource", "A resource, and what to do with it.",
		func(_ context.Context, _ *core.Event, args resourceArgument) ([]core.PromptMessage, error) {
			return fromUser(
				core.Embedded(core.ResourceContents{
					URI: args.ResourceURI, MIMEType: "text/plain", Text: "Embedded resource content for testing.",
				}),
				core.Text("Please process the embedded resource above."),
			), nil
		}),
	core.NewPrompt("test_prompt_with_image", "A picture, and what to do with it.",
		func(context.Context, *core.Event, core.NoInput) ([]core.PromptMessage, error) {
			return fromUser(core.Image("image/png", pixel), core.Text("Please analyze the image above.")), nil
		}),
	core.NewPrompt("test_input_required_result_prompt", "Asks what it is about.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			switch a := askContext.Answer(ev); a.State {
			case core.Accepted:
				return "Use this context: " + a.Value.Context, nil
			case core.Declined, core.Cancelled:
				return "There is no context.", nil
			default:
				return "", ev.InputRequired(askContext)
			}
		}),
}

type twoArguments struct {
	Arg1 string `json:"arg1" description:"The first argument"`
	Arg2 string `json:"arg2" description:"The second argument"`
}

type resourceArgument struct {
	ResourceURI string `json:"resourceUri" description:"The URI of the embedded resource"`
}

var askContext = core.Form[contextForm]("user_context", "What context should the prompt use?")

type contextForm struct {
	Context string `json:"context"`
}

func fromUser(content ...core.Content) []core.PromptMessage {
	messages := make([]core.PromptMessage, len(content))
	for i, c := range content {
		messages[i] = core.PromptMessage{Role: core.RoleUser, Content: c}
	}
	return messages
}

// oneOf completes to those of values that begin as what was typed.
func oneOf(values ...string) func(context.Context, *core.Event, string) ([]string, error) {
	return func(_ context.Context, _ *core.Event, prefix string) ([]string, error) {
		return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !strings.HasPrefix(v, prefix) }), nil
	}
}
