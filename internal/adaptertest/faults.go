package adaptertest

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
)

// testPanic: the client gets a generic error, as a body or as an event of the
// stream that has begun, and the next request works.
func testPanic(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	for _, stream := range []bool{false, true} {
		a := c.do(c.request(t.Context(), tool("panic", object{"stream": stream})))
		if a.message.code() != protocol.CodeInternalError || strings.Contains(string(a.body), secret) {
			t.Errorf("stream %v: status %d, body %q", stream, a.status, a.body)
		}
		if got := a.header.Get("Content-Type") == "text/event-stream"; got != stream {
			t.Errorf("stream %v: Content-Type %q", stream, a.header.Get("Content-Type"))
		}
		if got := c.post(t.Context(), tool("echo", object{"text": "next"})).text(); got != "next|||" {
			t.Errorf("the next request: %q", got)
		}
	}
}

// testGoexit: a tool that ends its goroutine, as a failed assertion of a test
// does. A stream then breaks off in net/http, whose goroutine it was, but only
// after the answer.
func testGoexit(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	a := c.do(c.request(t.Context(), tool("exit", nil)))
	if a.message.code() != protocol.CodeInternalError {
		t.Errorf("status %d, body %q", a.status, a.body)
	}
	s := c.open(t.Context(), tool("exit", object{"stream": true}))
	if m := c.must(s); m.Method != protocol.NotificationProgress {
		t.Errorf("first event %+v", m)
	}
	if m := c.must(s); m.code() != protocol.CodeInternalError {
		t.Errorf("last event %+v", m)
	}
	if m, err := s.next(); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("after the answer: %+v, %v", m, err)
	}
	if got := c.post(t.Context(), tool("echo", object{"text": "next"})).text(); got != "next|||" {
		t.Errorf("the next request: %q", got)
	}
}
