package core

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// encoder makes a tool's value a result.
type encoder[Out any] func(Out) (*ToolResult, error)

var errNilResult = errors.New("parley: the handler returned nil without an error")

// outputOf says how a tool's result type is sent, and its schema if it has one.
func outputOf[Out any](d *definition) (*schema.Schema, encoder[Out], error) {
	t := reflect.TypeFor[Out]()
	if enc := plainEncoder[Out](); enc != nil && d.output == nil {
		return nil, enc, nil
	}
	var (
		s   *schema.Schema
		err error
	)
	switch {
	case d.output != nil:
		s, err = schema.ParseOutput(d.output)
	case t.Kind() == reflect.Interface:
		// Nothing is known of an any, so nothing is promised.
	default:
		s, err = schema.ForOutput(t)
	}
	if err != nil {
		return nil, nil, err
	}
	if t == reflect.TypeFor[*ToolResult]() {
		return s, func(out Out) (*ToolResult, error) {
			r, _ := any(out).(*ToolResult)
			return checkedResult(r, s)
		}, nil
	}
	return s, func(out Out) (*ToolResult, error) { return structured(out, s) }, nil
}

// plainEncoder is for the types that are content, not structure.
func plainEncoder[Out any]() encoder[Out] {
	switch any((*Out)(nil)).(type) {
	case *string:
		return func(out Out) (*ToolResult, error) {
			text, _ := any(out).(string)
			return textResult(text), nil
		}
	case *Content:
		return func(out Out) (*ToolResult, error) {
			c, _ := any(out).(Content)
			return &ToolResult{Content: []Content{c}}, nil
		}
	case *[]Content:
		return func(out Out) (*ToolResult, error) {
			list, _ := any(out).([]Content)
			return &ToolResult{Content: list}, nil
		}
	case **ToolResult:
		return func(out Out) (*ToolResult, error) {
			r, _ := any(out).(*ToolResult)
			return checkedResult(r, nil)
		}
	}
	return nil
}

// textResult is a result with one text block, in one allocation.
func textResult(text string) *ToolResult {
	r := &struct {
		ToolResult
		content [1]Content
	}{content: [1]Content{Text(text)}}
	r.Content = r.content[:]
	return &r.ToolResult
}

// checkedResult holds a result to the tool's output schema. Structured content
// without a text block gets one with its JSON, on a copy: the handler's value
// is never written to.
func checkedResult(r *ToolResult, s *schema.Schema) (*ToolResult, error) {
	if r == nil {
		return nil, errNilResult
	}
	if r.StructuredContent == nil {
		if s != nil && !r.IsError {
			return nil, errors.New("parley: the tool has an output schema, and the result no structured content")
		}
		return r, nil
	}
	compact, err := jsonx.Compact(r.StructuredContent)
	if err != nil {
		return nil, fmt.Errorf("parley: the structured content is not JSON: %w", err)
	}
	if s != nil && !r.IsError {
		if violation := s.Check(compact); violation != nil {
			return nil, fmt.Errorf("parley: the structured content breaks the output schema: %w", violation)
		}
	}
	out := *r
	out.StructuredContent = compact
	if !slices.ContainsFunc(out.Content, func(c Content) bool { return c.Type == protocol.TypeText }) {
		out.Content = append(slices.Clone(out.Content), Text(string(compact)))
	}
	return &out, nil
}

// structured encodes a value as structuredContent, and as text for clients that
// read only that.
func structured[Out any](out Out, s *schema.Schema) (*ToolResult, error) {
	if isNilPointer(out) {
		return nil, errNilResult
	}
	raw, err := jsonx.MarshalUser(out)
	if err != nil {
		return nil, fmt.Errorf("parley: the result cannot be encoded: %w", err)
	}
	if s != nil {
		if violation := s.Check(raw); violation != nil {
			return nil, fmt.Errorf("parley: the result breaks the output schema: %w", violation)
		}
	}
	r := textResult(string(raw))
	r.StructuredContent = raw
	return r, nil
}

// isNilPointer reports a nil pointer or interface. Nil slices and maps are
// empty ones.
func isNilPointer(v any) bool {
	if v == nil {
		return true
	}
	rv := reflect.ValueOf(v)
	return rv.Kind() == reflect.Pointer && rv.IsNil()
}
