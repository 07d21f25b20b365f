package fasthttpio

import (
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/parleymcp/parley/core/server"
)

// statusClientGone is what access logs see of a request whose client did not
// wait for the answer; nginx has made the number known.
const statusClientGone = 499

// respond puts the answer where fasthttp writes it from, once the handler has
// returned. fasthttp's own WriteTimeout bounds a body.
func respond(ctx *fasthttp.RequestCtx, resp *server.Response) {
	out := &ctx.Response
	if resp == nil {
		out.SetStatusCode(statusClientGone)
		return
	}
	out.SetStatusCode(resp.Status)
	for _, f := range resp.Header {
		if f.Name != fasthttp.HeaderVary { // there every layer has its say
			out.Header.Del(f.Name)
		}
	}
	for _, f := range resp.Header {
		out.Header.Add(f.Name, f.Value)
	}
	if resp.Stream == nil {
		out.SetBodyRaw(resp.Body) // not copied: nobody changes it
		return
	}
	if !ctx.Request.IsBodyStream() {
		ctx.Request.SwapBody(nil) // fasthttp would keep it for as long as the stream is open
	}
	s := &stream{
		conn:    ctx.Conn(),
		timeout: resp.WriteTimeout,
		events:  make(chan []byte),
		written: make(chan struct{}, 1),
		gone:    make(chan struct{}),
	}
	out.ImmediateHeaderFlush = true
	out.SetBodyStream(s, -1)
	go s.run(resp.Stream)
}

// stream hands events to fasthttp's goroutine of the connection, which reads
// the body of a response and writes it in chunks. Send returns when its bytes
// are on the connection: behind a pipe, as SetBodyStreamWriter has one, a
// failure would show only with the event after next.
type stream struct {
	conn    net.Conn
	timeout time.Duration
	events  chan []byte   // from Send to Read; closed when the stream has ended
	written chan struct{} // from Read to Send
	gone    chan struct{} // closed by Close

	rest    []byte // of the event that is being read
	reading bool   // an event has been taken and not been reported as written
	closed  bool
}

// run writes the stream. It is a goroutine of ours, where a panic would end
// the process.
func (s *stream) run(write func(server.Sink) error) {
	defer close(s.events)
	defer func() {
		if p := recover(); p != nil {
			slog.Error("parley: panic in an event stream", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	_ = write(s) // its failures are Send's, and the server knows them
}

// Send hands p over and waits for it to be written.
func (s *stream) Send(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	select {
	case s.events <- p:
	case <-s.gone:
		return server.ErrClientGone
	}
	select {
	case <-s.written:
		return nil
	case <-s.gone:
		return server.ErrClientGone
	}
}

// Read is called by fasthttp only after it has written and flushed what it has
// read before. Each event, and the end, gets a deadline of its own.
func (s *stream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.reading {
			s.reading = false
			s.written <- struct{}{}
		}
		event, ok := <-s.events
		if s.timeout > 0 {
			_ = s.conn.SetWriteDeadline(time.Now().Add(s.timeout)) // the write fails as well
		}
		if !ok {
			return 0, io.EOF
		}
		s.rest, s.reading = event, true
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Close is called by fasthttp when the end has been written, and as soon as a
// write fails or a middleware replaces the response. The deadline must not
// meet the next request on the connection, for which fasthttp may set none.
func (s *stream) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.gone)
	return s.conn.SetWriteDeadline(time.Time{})
}
