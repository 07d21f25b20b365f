package companions

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// What everything is timed by.
const (
	// WriteTimeout and ReadTimeout are the HTTP server's: everything slow has to
	// outlive them.
	WriteTimeout = 500 * time.Millisecond
	ReadTimeout  = time.Second

	// Long is how long slow calls and streams take. Middleware with a time limit
	// is measured with one below and with one far above it.
	Long = 2 * time.Second

	keepAlive = 200 * time.Millisecond

	// patience is how long anything else may take, one write of the MCP server
	// among it. Only what does not work waits for so long.
	patience = 5 * time.Second
)

// Origin is the web page that may call the servers that are measured.
const Origin = "https://app.example"

// house is a server and what its tools know.
type house struct {
	server *server.Server
	done   chan struct{} // closed in the end: no tool works on

	mu    sync.Mutex
	holds map[string]*hold
}

// hold is one call of the tool of that name, known by its id.
type hold struct {
	started, release, ended chan struct{}
	cause                   error // of the context, set before ended; nil: let go
}

func newHouse() (*house, error) {
	h := &house{done: make(chan struct{}), holds: map[string]*hold{}}
	srv, err := server.New(server.Config{
		Name: "companions", Version: "1.0.0", AllowedOrigins: []string{Origin},
		KeepAlive: keepAlive, WriteTimeout: patience,
	},
		core.NewTool("echo", "Says what it was told.", echo),
		core.NewTool("count", "Reports progress n times.", count),
		core.NewTool("work", "Works for some time.", h.work),
		core.NewTool("hold", "Waits until it is let go.", h.hold),
		core.NewTool("panic", "Panics.", fail))
	h.server = srv
	return h, err
}

type textInput struct {
	Text string `json:"text"`
}

func echo(_ context.Context, _ *core.Event, in textInput) (string, error) { return in.Text, nil }

type countInput struct {
	N int `json:"n"`
}

func count(_ context.Context, ev *core.Event, in countInput) (string, error) {
	for i := range in.N {
		ev.Progress(float64(i+1), float64(in.N), "")
	}
	return "counted", nil
}

type workInput struct {
	Progress bool `json:"progress,omitempty"` // ten times
}

func (h *house) work(ctx context.Context, ev *core.Event, in workInput) (string, error) {
	tick := time.NewTicker(Long / 10)
	defer tick.Stop()
	for i := range 10 {
		select {
		case <-tick.C:
		case <-h.done:
			return "", errors.New("it is late")
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		if in.Progress {
			ev.Progress(float64(i+1), 10, "")
		}
	}
	return "done", nil
}

type holdInput struct {
	ID     string `json:"id"`
	Stream bool   `json:"stream,omitempty"`
}

func (h *house) hold(ctx context.Context, ev *core.Event, in holdInput) (string, error) {
	held := h.held(in.ID)
	if in.Stream {
		ev.Progress(1, 2, "")
	}
	close(held.started)
	defer close(held.ended)
	select {
	case <-held.release:
		return "let go", nil
	case <-h.done:
		return "", errors.New("it is late")
	case <-ctx.Done():
		held.cause = context.Cause(ctx)
		return "", held.cause
	}
}

func (h *house) held(id string) *hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holds[id] == nil {
		h.holds[id] = &hold{started: make(chan struct{}), release: make(chan struct{}), ended: make(chan struct{})}
	}
	return h.holds[id]
}

// fail panics after it has said something, which is the harder case.
func fail(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	ev.Progress(1, 2, "")
	panic("a tool that fails")
}
