package adaptertest

import (
	"bytes"
	"net/http"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testParked: a client that declares elicitation and never answers costs one
// place and no thread. When all are taken the next one is refused at once, and
// after the timeout all are free (M19).
func testParked(t *testing.T, f *fixture) {
	const (
		places  = 64
		timeout = 2 * time.Second
	)
	f = f.sessions(t, func(c *server.Config) {
		c.KeepAlive = 2 * timeout // nothing but the questions
		c.Legacy.MaxParked, c.Legacy.AnswerTimeout = places, timeout
	})
	o := f.begin(t, protocol.Version20251125, "")
	idle := f.measure(t, places, func() *http.Request {
		return f.begin(t, protocol.Version20251125, "").get(t.Context(), "")
	}, "id: 0-0\n")

	threads := pprof.Lookup("threadcreate").Count()
	ask := func() *http.Request { return o.post(t.Context(), o.tool("greet", object{})) }
	began := time.Now()
	parked := f.measure(t, places, ask, "What is your name?")
	if more := pprof.Lookup("threadcreate").Count() - threads; more > 4 { // the runtime's own, of a busy machine
		t.Errorf("%d threads more for %d parked calls", more, places)
	}
	extra := 0.0
	if f.factory.Silent { // the call has a goroutine of its own
		extra = 1
	}
	const stray = 4.0 / places // of the runtime and of the listener, which come and go
	if parked.each > idle.each+extra+stray {
		t.Errorf("%.2f goroutines for a parked call, %.2f for an idle stream", parked.each, idle.each)
	}

	refused := time.Now()
	s := o.do(o.post(t.Context(), o.tool("greet", object{})))
	atOnce := time.Since(refused)
	if s.message.Result["isError"] != true || !strings.Contains(s.message.text(), "waiting for an answer") ||
		atOnce > timeout/2 {
		t.Errorf("one more: after %v, %v: %s", atOnce, time.Since(began), s.body)
	}

	for _, conn := range parked.conns {
		conn.until("did not answer in time")
	}
	freed := time.Since(began)
	if freed > 4*timeout { // of a busy machine
		t.Errorf("free after %v, want %v", freed, timeout)
	}
	parked.leave(t)
	t.Logf("goroutines: %.2f for an idle stream, %.2f for a parked call; threads %d, then %d; one more refused in %v; all free after %v",
		idle.each, parked.each, threads, pprof.Lookup("threadcreate").Count(), atOnce, freed)

	// All places are there again, and the end of a session frees them at once.
	again := f.measure(t, places, ask, "What is your name?")
	began = time.Now()
	o.do(o.delete(t.Context()))
	for _, conn := range again.conns {
		conn.until(`"isError":true`)
	}
	if took := time.Since(began); took > timeout/2 {
		t.Errorf("free after %v, want at once", took)
	}
	again.leave(t)
}

// open are connections on which nothing happens.
type open struct {
	conns []*connection
	each  float64 // goroutines for each
	base  int
}

// measure sends requests, each on a connection of its own, and waits until each
// answer has come as far as a text.
func (f *fixture) measure(t *testing.T, n int, request func() *http.Request, text string) *open {
	t.Helper()
	requests := make([]*http.Request, n)
	for i := range requests {
		requests[i] = request()
	}
	o := &open{base: f.quiet(t)}
	for _, req := range requests {
		conn := f.dial(t)
		conn.write(req)
		o.conns = append(o.conns, conn)
	}
	for _, conn := range o.conns {
		conn.until(text)
	}
	o.each = float64(len(Goroutines())-o.base) / float64(n)
	return o
}

// quiet is the number of goroutines when no more end.
func (f *fixture) quiet(t testing.TB) int {
	t.Helper()
	n, since := len(Goroutines()), time.Now()
	eventually(t, "goroutines come and go", func() bool {
		if now := len(Goroutines()); now != n {
			n, since = now, time.Now()
		}
		return time.Since(since) > 100*time.Millisecond
	})
	return n
}

// leave closes the connections, and waits until nothing is left of them.
func (o *open) leave(t *testing.T) {
	t.Helper()
	for _, conn := range o.conns {
		conn.Close()
	}
	eventually(t, "goroutines are left", func() bool { return len(Goroutines()) <= o.base })
}

// write sends a request and reads nothing.
func (c *connection) write(req *http.Request) {
	c.t.Helper()
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.Write(wire.Bytes()); err != nil {
		c.t.Fatal(err)
	}
}

// until reads lines until one has a text.
func (c *connection) until(text string) {
	c.t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(patience))
	for {
		line, err := c.r.ReadString('\n')
		if strings.Contains(line, text) {
			return
		}
		if err != nil {
			c.t.Fatalf("waiting for %q: %q, %v", text, line, err)
		}
	}
}
