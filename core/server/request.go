package server

import (
	"errors"
	"io"
	"net"
	"time"

	"github.com/parleymcp/parley/core"
)

// Request is one HTTP request as an adapter hands it over. Everything in it
// stays valid, and keeps its value, until Handle or the response's Stream has
// returned: an adapter of a framework that reuses its buffers copies them.
type Request struct {
	Method string
	Path   string
	Host   string // as the client sent it, never a forwarded one

	LocalAddr net.Addr // that the connection came to; nil when unknown

	Header core.Header

	// Body is read once, to its end, on the goroutine that calls Handle and
	// before it returns. ContentLength is the declared length, −1 when unknown:
	// a body that is shorter was consumed by earlier middleware.
	Body          io.Reader
	ContentLength int64

	// CanStream says whether the innermost writer can push. Without it the
	// answer is JSON, and what needs a stream is an error.
	CanStream bool

	// Open starts the response from inside Handle, on the request's goroutine or
	// any other while Handle runs; it is called at most once and is nil where the
	// framework streams only after its handler has returned (fasthttp). After a
	// call of Open, Handle returns nil: the answer has been written. An error
	// that matches [errors.ErrUnsupported] says that nothing was written and
	// nothing can be pushed, which Handle then answers as without CanStream;
	// every other error is a client that has gone.
	//
	// A handler that leaves by [runtime.Goexit] takes the goroutine of Handle
	// with it. What Open is called with then is the head of a complete JSON body,
	// with its Content-Length, and Send gets that body.
	Open func(*Response) (Sink, error)
}

// Response is what an adapter writes. Body and Stream exclude each other. Header
// is shared between requests, so it is read-only; the server never touches Body
// again.
type Response struct {
	Status int
	Header []Field

	// WriteTimeout is the time that one write may take: an adapter sets the
	// connection's write deadline anew before each and clears it afterwards.
	WriteTimeout time.Duration

	Body []byte

	// Stream writes an event stream. An adapter calls it exactly once, after it
	// has sent the status and the header; it returns when the stream has ended
	// and never panics.
	Stream func(Sink) error
}

// Field is one header field of a response.
type Field struct{ Name, Value string }

// Sink takes the bytes of a response that is being written. Send writes and
// pushes; the server never calls it twice at a time, and not again after an
// error. Implementations do not keep p.
type Sink interface {
	Send(p []byte) error
}

// ErrClientGone is the cause of the context of a handler whose client has
// closed its connection.
var ErrClientGone = errors.New("parley: the client has gone")
