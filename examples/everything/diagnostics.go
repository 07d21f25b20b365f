package main

import (
	"context"
	"log/slog"
	"sync"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// diagnosticTools let the runner look at what a server does around a call.
var diagnosticTools = []core.Feature{
	core.NewTool("test_missing_capability", "Needs a client that can be asked for a sample.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			answer, ok := askGreeting.Accepted(ev)
			if !ok {
				return "", ev.InputRequired(askGreeting)
			}
			return sampled(answer), nil
		}),
	core.NewTool("test_streaming_elicitation", "Says how far it is, then asks.",
		func(ctx context.Context, ev *core.Event, in core.NoInput) (string, error) {
			ev.Progress(1, 2, "About to ask")
			return greet(ctx, ev, in)
		}),
	core.NewTool("test_logging_tool", "Logs, for clients that want to read it.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			ev.Log(slog.LevelInfo, "This is for clients that asked for it.")
			return "Logged.", nil
		}),
}

// triggerTools change the lists of tools and prompts whenever they are called.
func triggerTools(srv *server.Server) []core.Feature {
	tools := &toggle{srv: srv, feature: core.NewTool("test_dynamic_tool", "Comes and goes.",
		func(context.Context, *core.Event, core.NoInput) (string, error) { return "Here, for now.", nil })}
	prompts := &toggle{srv: srv, feature: core.NewPrompt("test_dynamic_prompt", "Comes and goes.",
		func(context.Context, *core.Event, core.NoInput) (string, error) { return "Here, for now.", nil })}
	return []core.Feature{
		core.NewTool("test_trigger_tool_change", "Changes the list of tools.", tools.flip),
		core.NewTool("test_trigger_prompt_change", "Changes the list of prompts.", prompts.flip),
	}
}

// toggle is a feature that is registered or not.
type toggle struct {
	srv     *server.Server
	feature core.Feature

	mu         sync.Mutex
	registered bool
}

func (t *toggle) flip(context.Context, *core.Event, core.NoInput) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.registered {
		t.srv.Remove(t.feature)
		t.registered = false
		return "Removed " + t.feature.Name() + ".", nil
	}
	if err := t.srv.Add(t.feature); err != nil {
		return "", err
	}
	t.registered = true
	return "Added " + t.feature.Name() + ".", nil
}
