package server

import (
	"context"
	"sync"
)

// worker runs a call for a framework that can write a stream only after its
// handler has returned. The call sees the same Open as elsewhere.
type worker struct {
	answered sync.WaitGroup // there is an answer; a channel was one more allocation of every call
	answer   *Response      // what Handle returns
	opened   bool           // guarded by the stream's lock while the call runs

	// Made when a stream is opened.
	sink chan Sink     // what the adapter then streams to
	done chan struct{} // closed when the call has ended

	err error // of Stream, set before done
}

// detached performs a call in a goroutine of its own until it has an answer, or
// has opened a stream. A Goexit of its handler ends that goroutine and not the
// framework's.
func (x *exchange) detached(ctx context.Context, e *entry, f runner) *Response {
	w := &worker{}
	w.answered.Add(1)
	x.open, x.handed = w.open, true
	go func() {
		var answer *Response
		ended := false
		defer w.end()
		defer x.leave()
		defer func() {
			switch {
			case !w.opened:
				w.settle(answer)
			case x.stream.gone:
				w.err = ErrClientGone
			}
		}()
		defer x.rescue(&answer, &ended) //nolint:contextcheck // a stream carries the context of its call
		roomy()
		answer = x.perform(ctx, e, f)
		ended = true
	}()
	w.answered.Wait()
	return w.answer
}

func (w *worker) settle(answer *Response) {
	w.answer = answer
	w.answered.Done()
}

// roomy makes the stack of a new goroutine as large as a call needs it, while
// there is next to nothing on it. It would grow anyway, twice, and moving a deep
// stack took 40 000 of the 87 000 instructions of a small call on Fiber.
//
//go:noinline
func roomy() {
	var room [6 << 10]byte
	keep(&room)
}

//go:noinline
func keep(*[6 << 10]byte) {}

func (w *worker) end() {
	if w.opened {
		close(w.done)
	}
}

// open hands the head of the stream to Handle, and waits for the adapter to
// call Stream.
func (w *worker) open(head *Response) (Sink, error) {
	w.sink, w.done = make(chan Sink, 1), make(chan struct{})
	head.Stream = func(sink Sink) error {
		w.sink <- sink
		<-w.done
		return w.err
	}
	w.opened = true
	w.settle(head)
	return <-w.sink, nil
}
