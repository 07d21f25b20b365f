package adaptertest

import (
	"context"
	"errors"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testOlderDeadline: a deadline of the application ends the handler in older
// revisions as well. Its client is still there, and gets an answer.
func testOlderDeadline(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "ada")
	for _, stream := range []bool{false, true} {
		if stream && f.factory.Silent {
			return // there a stream goes on when the middleware with the deadline is over
		}
		id := t.Name()
		if stream {
			id += " stream"
		}
		req := o.post(t.Context(), o.tool("hold", object{"id": id, "stream": stream}))
		req.Header.Set(DeadlineHeader, "50ms")
		if a := o.do(req); a.message.Result["isError"] != true || a.message.ID != float64(o.last) {
			t.Errorf("stream %v: status %d, body %s", stream, a.status, a.body)
		}
		if cause := f.holds.get(id).cause; !errors.Is(cause, context.DeadlineExceeded) {
			t.Errorf("stream %v: cause %v", stream, cause)
		}
	}
	parked := o.post(t.Context(), o.tool("greet", object{}))
	parked.Header.Set(DeadlineHeader, "50ms")
	s := o.stream("", parked)
	o.question(s)
	if m := o.must(s); m.Method != protocol.NotificationCancelled {
		t.Errorf("event %+v", m)
	}
	if m := o.must(s); m.Result["isError"] != true {
		t.Errorf("answer %+v", m)
	}
	o.end(s)
}

// testQuietResumed: a call that has said nothing when its connection is lost has
// told its client where to come back.
func testQuietResumed(t *testing.T, f *fixture) {
	f = f.sessions(t, func(c *server.Config) { c.KeepAlive = keepAlive / 4 })
	o := f.begin(t, protocol.Version20251125, "ada")
	s := o.start(t.Context(), o.tool("hold", object{"id": t.Name()})) // one interval later
	line, err := s.r.ReadString('\n')
	if line != "id: 1-0\n" || err != nil {
		t.Fatalf("the stream begins with %q, %v", line, err)
	}
	s.close()
	rest := o.listen(t.Context(), "1-0")
	close(f.holds.get(t.Name()).release)
	if m := o.must(rest); m.text() != "let go" {
		t.Errorf("answer %+v", m)
	}
	o.end(rest)
}
