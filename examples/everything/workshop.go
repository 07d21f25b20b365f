package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
)

// How long work goes on that nobody cancels, and how long somebody who watches
// waits.
const (
	longestWork  = 20 * time.Second
	longestWatch = 5 * time.Second
)

// workshop lets one call see what has become of another.
type workshop struct {
	mu     sync.Mutex
	states map[string]string
	next   chan struct{} // closed when a state changes
}

func newWorkshop() *workshop {
	return &workshop{states: map[string]string{}, next: make(chan struct{})}
}

type work struct {
	Name string `json:"name"`
}

type watch struct {
	Name  string `json:"name"`
	Until string `json:"until" enum:"running,cancelled,finished"`
}

func (w *workshop) begin(ctx context.Context, _ *core.Event, in work) (string, error) {
	w.set(in.Name, "running")
	select {
	case <-ctx.Done():
		w.set(in.Name, "cancelled")
		return "", context.Cause(ctx)
	case <-time.After(longestWork):
		w.set(in.Name, "finished")
		return "Done.", nil
	}
}

func (w *workshop) watch(ctx context.Context, _ *core.Event, in watch) (string, error) {
	patience := time.After(longestWatch)
	for {
		state, next := w.state(in.Name)
		if state == in.Until {
			return state, nil
		}
		select {
		case <-next:
		case <-patience:
			return state, nil
		case <-ctx.Done():
			return "", errors.New("nobody watches any more")
		}
	}
}

func (w *workshop) state(name string) (state string, next <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.states[name], w.next
}

func (w *workshop) set(name, state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[name] = state
	close(w.next)
	w.next = make(chan struct{})
}
