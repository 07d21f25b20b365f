package core

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/schema"
)

// Prompt is a message, or several, that a user may choose to start from
// (MCP 2026-07-28, server/prompts).
type Prompt[Args, Out any] struct {
	desc    FeatureInfo
	handler func(ctx context.Context, ev *Event, args Args) (Out, error)
	decode  func(raw []byte) (Args, *schema.Violation)
	encode  func(Out) (*PromptResult, error)
}

// NewPrompt declares a prompt. Args is a struct of strings, its tags json,
// title and description saying what the arguments are; a pointer or omitempty
// makes one optional. Out is a string, which becomes one message of the user, a
// [PromptMessage] or a slice of it, or a *[PromptResult].
//
// An argument that is missing or no string is −32602. NewPrompt panics if the
// name is blank or a type does not fit.
func NewPrompt[Args, Out any](
	name, description string, handler func(ctx context.Context, ev *Event, args Args) (Out, error), opts ...FeatureOption,
) *Prompt[Args, Out] {
	d := define(KindPrompt, name, description, opts)
	p := &Prompt[Args, Out]{handler: handler, encode: promptEncoder[Out]()}
	err := checkText("name of a prompt", name)
	if handler == nil {
		err = errors.Join(err, errNilHandler)
	}
	if p.encode == nil {
		err = errors.Join(err, fmt.Errorf(
			"a prompt returns string, PromptMessage, []PromptMessage or *PromptResult, not %v", reflect.TypeFor[Out]()))
	}
	input, inputErr := schema.ForInput(reflect.TypeFor[Args]())
	arguments, argumentsErr := schema.PromptArguments(reflect.TypeFor[Args]())
	if err := errors.Join(err, inputErr, argumentsErr); err != nil {
		panic(fmt.Sprintf("parley: NewPrompt %q: %v", name, err))
	}
	p.decode = decoderOf[Args](input)

	definition := &protocol.Prompt{
		Name: name, Title: d.title, Description: description, Icons: d.icons, Meta: d.meta,
	}
	names := make([]string, 0, len(arguments))
	for _, a := range arguments {
		definition.Arguments = append(definition.Arguments, protocol.PromptArgument(a))
		names = append(names, a.Name)
	}
	d.checkCompleters(names)
	p.desc = FeatureInfo{
		Kind: KindPrompt, Name: name, Definition: definition, Completes: d.completes(), completers: d.completers,
		Scopes: d.scopes, Problems: d.problems,
	}
	return p
}

// Name is the prompt's name.
func (p *Prompt[Args, Out]) Name() string { return p.desc.Name }

func (p *Prompt[Args, Out]) describe() *FeatureInfo { return &p.desc }

func (p *Prompt[Args, Out]) run(ctx context.Context, ev *Event) (any, error) {
	args, violation := p.decode(ev.call.Arguments)
	if violation != nil {
		return nil, InvalidParams("Invalid arguments: %s", problemOf(violation))
	}
	return p.handler(ctx, ev, args)
}

func (p *Prompt[Args, Out]) convert(_ *Event, value any) (any, error) {
	out, _ := value.(Out)
	return p.encode(out)
}

func promptEncoder[Out any]() func(Out) (*PromptResult, error) {
	messages := func(m ...PromptMessage) (*PromptResult, error) { return &PromptResult{Messages: m}, nil }
	switch any((*Out)(nil)).(type) {
	case *string:
		return func(out Out) (*PromptResult, error) {
			text, _ := any(out).(string)
			return messages(PromptMessage{Role: RoleUser, Content: Text(text)})
		}
	case *PromptMessage:
		return func(out Out) (*PromptResult, error) {
			m, _ := any(out).(PromptMessage)
			return messages(m)
		}
	case *[]PromptMessage:
		return func(out Out) (*PromptResult, error) {
			list, _ := any(out).([]PromptMessage)
			return messages(list...)
		}
	case **PromptResult:
		return func(out Out) (*PromptResult, error) {
			r, _ := any(out).(*PromptResult)
			if r == nil {
				return nil, errNilResult
			}
			return r, nil
		}
	}
	return nil
}
