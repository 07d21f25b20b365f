package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/schema"
)

// NoInput is the input of a tool or prompt that takes no arguments.
type NoInput struct{}

// Tool is a function that a model may call (MCP 2026-07-28, server/tools).
type Tool[In, Out any] struct {
	desc    FeatureInfo
	handler func(ctx context.Context, ev *Event, in In) (Out, error)
	input   *schema.Schema
	output  *schema.Schema // nil: none
	decode  func(raw []byte) (In, *schema.Violation)
	encode  encoder[Out]
	text    bool // encode makes one text block of a string
}

// ToolDefinition describes a tool whose schemas are known only at run time.
type ToolDefinition = protocol.Tool

// NewTool declares a tool.
//
// In is a struct whose fields are the arguments, [NoInput], or a map; its tags
// (json, title, description, minimum, maximum, minLength, maxLength, pattern,
// minItems, maxItems, enum, default, format, header) become the input schema. A
// pointer, omitempty or omitzero makes an argument optional; null is not absent.
// default only tells the client: an argument that is left out has its zero
// value. Arguments that the schema does not have are ignored.
// Arguments that break it never reach the handler: the model gets a text that
// names field and rule.
//
// Out is what the handler returns: a string becomes one text block; a *[ToolResult]
// is sent as it is; [Content] or a slice of it becomes the content; anything
// else becomes structuredContent, with an output schema inferred from the type,
// and its JSON as text. A nil pointer without an error is an internal error.
//
// A plain error becomes a result with isError, its text for the model to read;
// an *[Error] becomes a JSON-RPC error. NewTool panics if the name is no tool
// name or a type has no schema: that is a mistake of the program, as in
// [net/http.Handle].
func NewTool[In, Out any](
	name, description string, handler func(ctx context.Context, ev *Event, in In) (Out, error), opts ...FeatureOption,
) *Tool[In, Out] {
	d := define(KindTool, name, description, opts)
	t, err := buildTool(d, handler)
	if err != nil {
		panic(fmt.Sprintf("parley: NewTool: %v", err))
	}
	return t
}

func buildTool[In, Out any](
	d *definition, handler func(ctx context.Context, ev *Event, in In) (Out, error),
) (*Tool[In, Out], error) {
	t := &Tool[In, Out]{handler: handler}
	err := checkToolName(d.name)
	if handler == nil {
		err = errors.Join(err, errNilHandler)
	}
	if t.input, err = inputSchema[In](d, err); err != nil {
		return nil, err
	}
	if t.output, t.encode, err = outputOf[Out](d); err != nil {
		return nil, err
	}
	_, text := any((*Out)(nil)).(*string)
	t.text = text && t.output == nil
	t.decode = decoderOf[In](t.input)
	definition := &protocol.Tool{
		Name: d.name, Title: d.title, Description: d.description, Icons: d.icons,
		InputSchema: t.input.JSON(), Annotations: d.hints, Meta: d.meta,
	}
	if t.output != nil {
		definition.OutputSchema = t.output.JSON()
	}
	t.desc = FeatureInfo{
		Kind: KindTool, Name: d.name, Definition: definition, Scopes: d.scopes, Problems: d.problems,
	}
	for _, h := range t.input.Headers() {
		t.desc.Headers = append(t.desc.Headers, HeaderParam(h))
	}
	return t, nil
}

// NewRawTool declares a tool whose schemas are JSON, given at run time: for
// tools that come from a database or another server. The handler gets the
// arguments as they were received, checked against the schema. All that is
// wrong with the definition is one error. An option, such as [Scopes], says what
// the definition does not.
func NewRawTool(
	def ToolDefinition, handler func(ctx context.Context, ev *Event, args json.RawMessage) (*ToolResult, error),
	opts ...FeatureOption,
) (*Tool[json.RawMessage, *ToolResult], error) {
	opts = append([]FeatureOption{Title(def.Title), Icons(def.Icons...)}, opts...)
	for key, value := range def.Meta {
		opts = append(opts, Meta(key, value))
	}
	d := define(KindTool, def.Name, def.Description, opts)
	if def.Annotations != nil {
		d.hints = def.Annotations
	}
	d.input, d.output = def.InputSchema, def.OutputSchema
	if d.input == nil {
		d.problem("inputSchema is missing; for no arguments it is {\"type\":\"object\"}")
		d.input = json.RawMessage(`{"type":"object"}`)
	}
	t, err := buildTool(d, handler)
	if err := errors.Join(append(d.problems, err)...); err != nil {
		return nil, err
	}
	return t, nil
}

// Name is the tool's name.
func (t *Tool[In, Out]) Name() string { return t.desc.Name }

func (t *Tool[In, Out]) describe() *FeatureInfo { return &t.desc }

func (t *Tool[In, Out]) run(ctx context.Context, ev *Event) (any, error) {
	in, violation := t.decode(ev.call.Arguments)
	if violation != nil {
		return nil, toolText("Invalid arguments: " + problemOf(violation).String() + ".")
	}
	return t.handler(ctx, ev, in)
}

func (t *Tool[In, Out]) convert(ev *Event, value any) (any, error) {
	if t.text && ev.host.Texts {
		return value, nil
	}
	out, _ := value.(Out)
	return t.encode(out)
}

func inputSchema[In any](d *definition, problems error) (*schema.Schema, error) {
	if d.input != nil {
		s, err := schema.ParseInput(d.input)
		return s, errors.Join(problems, err)
	}
	s, err := schema.ForInput(reflect.TypeFor[In]())
	return s, errors.Join(problems, err)
}

// decoderOf checks and decodes arguments; raw ones are only checked.
func decoderOf[In any](s *schema.Schema) func([]byte) (In, *schema.Violation) {
	_, raw := any((*In)(nil)).(*json.RawMessage)
	return func(args []byte) (in In, violation *schema.Violation) {
		if args == nil {
			args = []byte("{}")
		}
		if raw {
			in, _ = any(json.RawMessage(args)).(In)
			return in, s.Check(args)
		}
		violation = s.Decode(args, &in)
		return in, violation
	}
}
