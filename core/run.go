package core

import (
	"context"
	"log/slog"
	"runtime/debug"
)

// Run runs f's handler for one request and says how it ended. It never panics:
// a handler's panic becomes an internal error, its stack goes to the log. Only
// runtime.Goexit passes through.
func Run(ctx context.Context, h *Host, f Feature, c *Call) Outcome {
	info := f.describe()
	ev := newEvent(ctx, h, c, info.Kind, info.Name)
	return ev.guard(func() Outcome {
		value, err := f.run(ctx, ev)
		return ev.finish(value, err, f.convert) //nolint:contextcheck // the event carries ctx
	})
}

// RunCompleter runs the completer of an argument of f: of a prompt's argument
// or a template's variable (MCP 2026-07-28, server/utilities/completion). An
// argument without one has no values.
func RunCompleter(ctx context.Context, h *Host, f Feature, c *Call, argument, value string) Outcome {
	info := f.describe()
	ev := newEvent(ctx, h, c, info.Kind, info.Name)
	return ev.guard(func() Outcome {
		values := []string{}
		var err error
		if complete := info.completers[argument]; complete != nil {
			values, err = complete(ctx, ev, value)
		}
		return ev.finish(values, err, func(_ *Event, v any) (any, error) { //nolint:contextcheck // the event carries ctx
			list, _ := v.([]string)
			return &Completion{Values: list}, nil
		})
	})
}

// guard turns a panic into an internal error: of the handler, and of the
// application's methods that are called on what it returned.
func (ev *Event) guard(f func() Outcome) (out Outcome) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		ev.mu.Lock()
		defer ev.mu.Unlock()
		ev.done = true
		out = Outcome{Error: internalError()}
		ev.log(slog.LevelError, "the handler panicked",
			slog.String("method", ev.call.Method), slog.String("feature", ev.name),
			slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
	}()
	return f()
}
