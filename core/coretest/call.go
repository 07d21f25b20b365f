package coretest

import (
	"reflect"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Call runs a tool to its end and returns what a client would get, decoded into
// the tool's result type. The error is a [ToolError], a *[core.Error] or an
// [UnansweredError].
func Call[In, Out any](t testing.TB, tool *core.Tool[In, Out], in In, opts ...Option) (Out, error) {
	t.Helper()
	result, err := first(t, tool, protocol.MethodToolsCall, tool.Name(), encodeArguments(t, in), opts).complete()
	return decode[Out](t, result, err)
}

// Get runs a prompt to its end.
func Get[Args, Out any](t testing.TB, p *core.Prompt[Args, Out], args Args, opts ...Option) (*core.PromptResult, error) {
	t.Helper()
	result, err := first(t, p, protocol.MethodPromptsGet, p.Name(), encodeArguments(t, args), opts).complete()
	if err != nil {
		return nil, err
	}
	out, _ := result.(*core.PromptResult)
	return out, nil
}

// Read reads a resource, or a URI of a template, to its end.
func Read(t testing.TB, f core.Feature, uri string, opts ...Option) (*core.ResourceResult, error) {
	t.Helper()
	result, err := first(t, f, protocol.MethodResourcesRead, uri, nil, opts).complete()
	if err != nil {
		return nil, err
	}
	out, ok := result.(*core.ResourceResult)
	if !ok {
		t.Fatalf("coretest: %s is no resource", f.Name())
	}
	return out, nil
}

// decode makes a tool's result the value that its handler returned.
func decode[Out any](t testing.TB, result any, err error) (Out, error) {
	t.Helper()
	var out Out
	if err != nil {
		return out, err
	}
	tool, _ := result.(*core.ToolResult)
	switch dst := any(&out).(type) {
	case *string:
		*dst = text(tool)
	case **core.ToolResult:
		*dst = tool
	case *[]core.Content:
		*dst = tool.Content
	case *core.Content:
		*dst = tool.Content[0]
	default:
		if err := jsonx.UnmarshalUser(tool.StructuredContent, dst); err != nil {
			t.Fatalf("coretest: the structured content does not fit %v: %v", reflect.TypeFor[Out](), err)
		}
	}
	return out, nil
}
