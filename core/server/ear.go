package server

import (
	"context"
	"errors"
)

// ear is an open stream that goes on when its exchange is over: a subscription,
// or what an older client opens with GET. It is all that an idle stream keeps
// in memory.
type ear interface {
	// run opens the stream and writes until the client leaves or the server
	// closes.
	run(ctx context.Context, open func() (Sink, error)) error

	// mute is the answer where nothing can be pushed. Its frame is no part of one
	// that waits: it would double the stack of every idle stream.
	mute(ctx context.Context) *Response
}

// goOn is the answer that hands a request over to an ear.
func (x *exchange) goOn(ctx context.Context, l ear) *Response {
	x.ear = l
	head := x.srv.eventStream()
	head.Stream = func(sink Sink) error {
		return l.run(ctx, func() (Sink, error) { return sink, nil })
	}
	return head
}

// survive ends an open stream whose Open or Send panics, which are the
// adapter's. It must be deferred itself.
func (s *Server) survive(err *error) {
	if r := recover(); r != nil {
		s.panicked("an open stream", r)
		*err = ErrClientGone
	}
}

// stay runs the stream within Handle, where the framework can.
func (s *Server) stay(ctx context.Context, l ear, head *Response, open func(*Response) (Sink, error)) *Response {
	err := l.run(ctx, func() (Sink, error) { return open(head) })
	if errors.Is(err, errors.ErrUnsupported) { // found out late, and nothing was written
		return l.mute(ctx)
	}
	return nil
}
