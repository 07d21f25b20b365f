package main

import (
	"context"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
)

// longestWork is how long work goes on that nobody cancels.
const longestWork = 20 * time.Second

// workshop lets one call see what has become of another.
type workshop struct {
	mu     sync.Mutex
	states map[string]string
	next   chan struct{} // closed when a state changes
}

// The states of work.
const (
	running   = "running"
	cancelled = "cancelled"
	finished  = "finished"
)

func newWorkshop() *workshop {
	return &workshop{states: map[string]string{}, next: make(chan struct{})}
}

type work struct {
	Name string `json:"name"`
}

type watch struct {
	Name  string `json:"name"`
	Until string `json:"until" enum:"running,cancelled,finished"`

	Patience int `json:"patience" description:"In milliseconds" minimum:"0" maximum:"60000"`
}

// begin works until the call is cancelled, or its work finished by another.
func (w *workshop) begin(ctx context.Context, _ *core.Event, in work) (string, error) {
	w.set(in.Name, running)
	state, err := w.wait(ctx, in.Name, longestWork, finished)
	if err != nil {
		w.set(in.Name, cancelled)
		return "", err
	}
	return state, nil
}

func (w *workshop) watch(ctx context.Context, _ *core.Event, in watch) (string, error) {
	return w.wait(ctx, in.Name, time.Duration(in.Patience)*time.Millisecond, in.Until)
}

// finish finishes work that nobody has cancelled.
func (w *workshop) finish(_ context.Context, _ *core.Event, in work) (string, error) {
	if state, _ := w.state(in.Name); state != running {
		return state, nil
	}
	w.set(in.Name, finished)
	return finished, nil
}

// wait waits until work is in a state, or for so long, and returns in which it
// is then.
func (w *workshop) wait(ctx context.Context, name string, d time.Duration, until string) (string, error) {
	patience := time.After(d)
	for {
		state, next := w.state(name)
		if state == until {
			return state, nil
		}
		select {
		case <-next:
		case <-patience:
			return state, nil
		case <-ctx.Done():
			return "", context.Cause(ctx)
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
