package core

import "context"

// Feature is a tool, a prompt, a resource or a resource template, ready to be
// registered with a server. It is immutable and may be registered with many.
type Feature interface {
	// Name is what requests name it by: the name of a tool or prompt, the URI of
	// a resource, the URI template of a template. It is unique within its kind.
	Name() string

	describe() *FeatureInfo
	run(ctx context.Context, ev *Event) (any, error)
	convert(ev *Event, value any) (any, error) // a handler's value into a result
}

// completer proposes values for an argument.
type completer func(ctx context.Context, ev *Event, prefix string) ([]string, error)
