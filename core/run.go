package core

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Run runs f's handler for one request and says how it ended. It never panics:
// a handler's panic becomes an internal error, its stack goes to the log. Only
// runtime.Goexit passes through.
func Run(ctx context.Context, h *Host, f Feature, c *Call) Outcome {
	d := f.describe()
	ev := newEvent(ctx, h, c, d.Kind, d.Name)
	value, err := guard(ev, func() (any, error) { return f.run(ctx, ev) })
	return ev.finish(value, err, f.convert)
}

// RunCompleter runs the completer of an argument of f: of a prompt's argument or a
// template's variable (MCP 2026-07-28, server/utilities/completion). An
// argument without one has no values.
func RunCompleter(ctx context.Context, h *Host, f Feature, c *Call, argument, value string) Outcome {
	d := f.describe()
	ev := newEvent(ctx, h, c, d.Kind, d.Name)
	values, err := guard(ev, func() (any, error) {
		complete := f.completer(argument)
		if complete == nil {
			return []string{}, nil
		}
		return complete(ctx, ev, value)
	})
	return ev.finish(values, err, func(_ *Event, v any) (any, error) {
		list, _ := v.([]string)
		return &Completion{Values: list}, nil
	})
}

// guard turns a panic into an error. A panicking handler must not complete a
// call that it left a question open in, so the event fails.
func guard(ev *Event, f func() (any, error)) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			ev.panicked(r)
			value, err = nil, fmt.Errorf("parley: the handler panicked")
		}
	}()
	return f()
}

func (ev *Event) panicked(r any) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	ev.logger().LogAttrs(ev.ctx, slog.LevelError, "the handler panicked",
		slog.String("method", ev.call.Method), slog.String("feature", ev.name),
		slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
	ev.failure = &failure{err: internalError()}
}
