package server_test

import (
	"context"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

type echoIn struct {
	Text string `json:"text,omitempty"`
}

func echo(_ context.Context, _ *core.Event, in echoIn) (string, error) { return in.Text, nil }

var echoTool = core.NewTool("echo", "Says it again.", echo)

// toolOf declares a tool without arguments that returns text.
func toolOf(name string, f func(ctx context.Context, ev *core.Event) (string, error)) core.Feature {
	return core.NewTool(name, "Does "+name+".", func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		return f(ctx, ev)
	})
}

// newServer makes a server whose keep-alive is out of the way.
func newServer(t testing.TB, change func(*server.Config), features ...core.Feature) *server.Server {
	t.Helper()
	cfg := server.Config{Name: "test", Version: "1.2.3", KeepAlive: time.Minute}
	if change != nil {
		change(&cfg)
	}
	srv, err := server.New(cfg, features...)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// modernOnly serves no older revision.
func modernOnly(c *server.Config) { c.Legacy.Off = true }

// start makes a server with these features and returns its URL.
func start(t testing.TB, change func(*server.Config), features ...core.Feature) string {
	t.Helper()
	return serve(t, &bridge{srv: newServer(t, change, features...)})
}

// call is a tools/call of a tool, with arguments as JSON or "".
func call(tool, arguments string) ask {
	a := ask{method: "tools/call", name: tool, params: `"name":"` + tool + `"`}
	if arguments != "" {
		a.params += `,"arguments":` + arguments
	}
	return a
}
