package schema

import (
	"errors"
	"fmt"
	"reflect"
)

// Argument describes one argument of a prompt (MCP 2026-07-28, PromptArgument).
type Argument struct {
	Name, Title, Description string
	Required                 bool
}

// PromptArguments lists the arguments of a prompt, in the order of the fields
// of the struct t. Prompt arguments are strings, so the fields are as well; a
// pointer, omitempty or omitzero makes one optional. The other tags are for
// [ForInput], which checks them. The error names every field that is wrong.
func PromptArguments(t reflect.Type) ([]Argument, error) {
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("parley: %s has no prompt arguments; they are a struct of strings", typeName(t))
	}
	fields, problems := structFields(t)
	args := make([]Argument, 0, len(fields))
	for _, f := range fields {
		ft := f.Type
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		if ft.Kind() != reflect.String {
			problems = append(problems, fieldProblem(t, f.path, f.Type, "is no string, which prompt arguments are"))
		}
		if name, ok := f.Tag.Lookup("header"); ok {
			problems = append(problems, fieldProblem(t, f.path, f.Type, "has the tag header:%q, which only tool arguments can have", name))
		}
		args = append(args, Argument{
			Name: f.name, Title: f.Tag.Get("title"), Description: f.Tag.Get("description"),
			Required: !f.optional && f.Type.Kind() != reflect.Pointer,
		})
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return args, nil
}
