package server

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/parleymcp/parley/core/server/internal/session"
)

// stream is the answer to one call while it may still become an event stream.
// It opens when the first notification is written, or when the call has run
// for one keep-alive interval; until then nothing has been written and the
// answer can be JSON. Everything that is written passes its one lock.
type stream struct {
	srv   *Server
	ctx   follower                      // the handler's; here it is no allocation of its own
	open  func(*Response) (Sink, error) // called at most once
	kept  *session.Stream               // nil: who loses the connection has lost the rest
	prime []byte                        // what an open stream begins with; nil: nothing

	link link // guarded by the keepAlive's lock

	mu    sync.Mutex
	lost  chan struct{} // nil: nobody watches; closed when a client leaves whose call goes on
	deaf  func() bool   // ends watching
	sink  Sink          // nil: nothing was written
	gone  bool          // nothing can be written any more
	mute  bool          // the writer cannot stream after all: the answer is a body
	ended bool          // nothing may be written any more
	left  bool          // the client had gone for good when it ended
}

// send writes an event, and opens the stream before the first one.
func (st *stream) send(event []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.tell(event)
}

// tell writes an event. One that is kept has been delivered as far as the
// handler is concerned, once there is a stream that the client knows of.
func (st *stream) tell(event []byte) error {
	if st.kept == nil || st.ended {
		return st.write(event)
	}
	event = st.kept.Append(event)
	if st.kept.Moved() {
		st.kept.HandOver(&st.ctx)
		return nil
	}
	if err := st.write(event); st.sink == nil {
		return err
	}
	return nil
}

// beat shows the client that the server still works on its call.
func (st *stream) beat() {
	defer func() {
		if r := recover(); r != nil { // in Open or Send, which are the adapter's
			st.srv.panicked("the keep-alive of a call", r)
		}
	}()
	st.mu.Lock()
	defer st.mu.Unlock()
	_ = st.write(comment) // a failure has cancelled the handler, which is all there is to do
}

// end writes the answer, if the stream is open, and lets nothing follow. It is
// false when nothing was written, so that the answer can be a body.
func (st *stream) end(answer message) (written bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.ended {
		if st.sink != nil && answer != nil {
			_ = st.tell(answer.event())
		}
		moved := st.kept != nil && st.kept.Moved() // its client waits on another connection
		st.ended = true
		st.left = abandoned(&st.ctx) || st.ctx.outlives && !moved && (st.gone || abandoned(st.ctx.request))
		if st.kept != nil {
			st.kept.End()
		}
		if st.deaf != nil {
			st.deaf()
		}
		st.srv.keepAlive.forget(st)
		st.ctx.end(nil)
	}
	return st.sink != nil || st.gone
}

func (st *stream) write(event []byte) error {
	switch {
	case st.mute:
		return errors.ErrUnsupported
	case st.ended, st.gone, abandoned(&st.ctx):
		return ErrClientGone
	}
	st.gone = true // should Open or Send panic, which are the adapter's
	if st.ctx.outlives && abandoned(st.ctx.request) {
		return st.fail()
	}
	if st.sink == nil {
		sink, err := st.open(st.srv.eventStream())
		if errors.Is(err, errors.ErrUnsupported) { // and nothing was written
			st.gone, st.mute = false, true
			return err
		}
		if err != nil {
			return st.fail()
		}
		st.sink = sink
		if st.prime != nil {
			event = slices.Concat(st.prime, event)
		}
	}
	if err := st.sink.Send(event); err != nil {
		return st.fail()
	}
	st.gone = false
	st.srv.keepAlive.expect(st)
	return nil
}

func (st *stream) fail() error {
	st.srv.keepAlive.forget(st)
	switch {
	case !st.ctx.outlives:
		st.ctx.end(ErrClientGone)
	case st.lost != nil:
		close(st.lost)
	}
	return ErrClientGone
}

// watch returns a channel that is closed when the client leaves. Its call goes
// on, so until something waits for answers nobody has to know: to be told took
// six allocations of every call.
func (st *stream) watch() <-chan struct{} {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.lost != nil || !st.ctx.outlives {
		return st.lost
	}
	st.lost = make(chan struct{})
	if st.gone {
		close(st.lost)
		return st.lost
	}
	request := st.ctx.request
	st.deaf = context.AfterFunc(request, func() {
		if abandoned(request) { // else the application ended the call, and its client waits for the answer
			st.lose()
		}
	})
	return st.lost
}

// lose is told that the client has left, where nothing is being written.
func (st *stream) lose() {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !st.ended && !st.gone {
		st.gone = true
		_ = st.fail()
	}
}

// eventStream is the head of every event stream (MCP 2026-07-28,
// basic/transports). Proxies must neither keep it nor collect it.
func (s *Server) eventStream() *Response {
	return &Response{
		Status: 200, WriteTimeout: s.cfg.WriteTimeout,
		Header: []Field{
			{"Content-Type", "text/event-stream"},
			{"Cache-Control", "no-cache, no-transform"},
			{"X-Accel-Buffering", "no"},
		},
	}
}

func (s *Server) panicked(where string, r any) {
	s.notices.log.Error("panic in "+where, slog.Any("panic", r), slog.String("stack", string(debug.Stack())))
}
