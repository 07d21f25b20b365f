package coretest

import (
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
)

// Flow is a tool call that is run round by round.
type Flow[Out any] struct{ round *round }

// Start runs the first round of a tool call.
func Start[In, Out any](t testing.TB, tool *core.Tool[In, Out], in In, opts ...Option) *Flow[Out] {
	t.Helper()
	return &Flow[Out]{first(t, tool, protocol.MethodToolsCall, tool.Name(), encodeArguments(t, in), opts)}
}

// Asked is what the last round asked; nil once the call is complete.
func (f *Flow[Out]) Asked() []core.Request {
	if f.round.outcome.Interim == nil {
		return nil
	}
	return f.round.outcome.Interim.Requests
}

// State is the requestState that the last round sent; "" if none.
func (f *Flow[Out]) State() string {
	if f.round.outcome.Interim == nil {
		return ""
	}
	return f.round.outcome.Interim.State
}

// Next runs the next round, sending those answers that the last one asked for;
// answers of earlier options count on. It changes f and returns it. A call that
// is complete has no next round: that fails the test.
func (f *Flow[Out]) Next(opts ...Option) *Flow[Out] {
	f.round.t.Helper()
	f.round = f.round.next(opts)
	return f
}

// Fork is a second client at the same point: what happens to one does not
// change the other.
func (f *Flow[Out]) Fork() *Flow[Out] { return &Flow[Out]{f.round} }

// Result is how the call ended; an [UnansweredError] while it asks.
func (f *Flow[Out]) Result() (Out, error) {
	f.round.t.Helper()
	result, err := f.round.result()
	return decode[Out](f.round.t, result, err)
}
