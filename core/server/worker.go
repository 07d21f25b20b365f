package server

import "context"

// worker runs a call for a framework that can write a stream only after its
// handler has returned. The call sees the same Open as elsewhere.
type worker struct {
	answer chan *Response // what Handle returns
	sink   chan Sink      // what the adapter then streams to
	done   chan struct{}  // closed when the call has ended
	opened bool           // guarded by the stream's lock while the call runs
	err    error          // of Stream, set before done
}

// detached runs f in a goroutine of its own until it has an answer, or has
// opened a stream. A Goexit of f ends that goroutine and not the framework's.
func (x *exchange) detached(ctx context.Context, f func(context.Context) *Response) *Response {
	w := &worker{answer: make(chan *Response, 1), sink: make(chan Sink, 1), done: make(chan struct{})}
	x.open, x.handed = w.open, true
	go func() {
		var answer *Response
		ended := false
		defer close(w.done)
		defer x.leave()
		defer func() {
			switch {
			case !w.opened:
				w.answer <- answer
			case x.stream.gone:
				w.err = ErrClientGone
			}
		}()
		defer x.rescue(&answer, &ended)
		answer = f(ctx)
		ended = true
	}()
	return <-w.answer
}

// open hands the head of the stream to Handle, and waits for the adapter to
// call Stream.
func (w *worker) open(head *Response) (Sink, error) {
	head.Stream = func(sink Sink) error {
		w.sink <- sink
		<-w.done
		return w.err
	}
	w.opened = true
	w.answer <- head
	return <-w.sink, nil
}
