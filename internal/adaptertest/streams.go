package adaptertest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testFirstEvent reads the header and the first event of a tool that will not
// go on before.
func testFirstEvent(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	s := c.open(t.Context(), tool("hold", object{"id": t.Name(), "stream": true}))
	if m := c.must(s); m.Method != protocol.NotificationProgress {
		t.Errorf("first event %+v", m)
	}
	want := map[string]string{
		"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no", "Content-Length": "", AppHeader: "1",
	}
	for name, value := range want {
		if got := s.resp.Header.Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	close(f.holds.get(t.Name()).release)
	if m := c.must(s); m.text() != "let go" {
		t.Errorf("answer %+v", m)
	}
	if _, err := s.next(); !errors.Is(err, io.EOF) {
		t.Errorf("end: %v", err)
	}
}

// testQuiet gets a header and comments of a tool that says nothing. Between
// them every deadline passes.
func testQuiet(t *testing.T, f *fixture) {
	const interval = 2*writeTimeout + writeTimeout/2
	f = f.strict(t, func(c *server.Config) { c.KeepAlive, c.WriteTimeout = interval, 2*writeTimeout })
	c := newClient(t, f.app)
	s := c.open(t.Context(), tool("work", object{"milliseconds": int(7 * interval / 2 / time.Millisecond)}))
	if m := c.must(s); m.text() != "done" {
		t.Errorf("answer %+v", m)
	}
	if s.comments < 2 {
		t.Errorf("%d comments in more than three keep-alive intervals", s.comments)
	}
}

func testThousand(t *testing.T, f *fixture) {
	const n = 1000
	c := newClient(t, f.app)
	s := c.open(t.Context(), tool("count", object{"n": n}))
	for i := range n {
		if m := c.must(s); m.Method != protocol.NotificationProgress || m.Params["progress"] != float64(i+1) {
			t.Fatalf("event %d: %+v", i+1, m)
		}
	}
	if m := c.must(s); m.text() != "counted" {
		t.Errorf("answer %+v", m)
	}
	if _, err := s.next(); !errors.Is(err, io.EOF) {
		t.Errorf("end: %v", err)
	}
}

func testLongStream(t *testing.T, f *fixture) {
	c := newClient(t, f.strict(t, nil).app)
	s := c.open(t.Context(), tool("work", object{"milliseconds": 2000, "progress": true}))
	for i := range 10 {
		if m := c.must(s); m.Params["progress"] != float64(i+1) {
			t.Fatalf("event %d: %+v", i+1, m)
		}
	}
	if m := c.must(s); m.text() != "done" {
		t.Errorf("answer %+v", m)
	}
	if _, err := s.next(); !errors.Is(err, io.EOF) {
		t.Errorf("end: %v", err)
	}
}

func testSlowJSON(t *testing.T, f *fixture) {
	c := newClient(t, f.strict(t, nil).app)
	a := c.do(c.request(t.Context(), tool("work", object{"milliseconds": 1000}).jsonOnly()))
	if a.message.text() != "done" || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, Content-Type %q, body %q", a.status, a.header.Get("Content-Type"), a.body)
	}
}

// testConnection sends other requests on the connection of a stream, later
// than any deadline that was set for the stream.
func testConnection(t *testing.T, f *fixture) {
	if f.factory.HTTP2 {
		t.Skip("a stream of HTTP/2 is not the connection")
	}
	for _, timeout := range []time.Duration{writeTimeout, 0} { // of the framework
		spec := f.spec
		spec.WriteTimeout = timeout
		c := f.factory.fixture(t, spec, newHouse(t, impatient)).dial(t)
		for range 2 {
			if m := c.last(tool("count", object{"n": 3})); m.text() != "counted" {
				t.Fatalf("answer %+v", m)
			}
			<-time.After(writeTimeout + writeTimeout/2)
		}
		// And a call that becomes a stream because it is slow.
		if m := c.last(tool("work", object{"milliseconds": 500})); m.text() != "done" {
			t.Errorf("answer %+v", m)
		}
	}
}

// connection is one connection, and what is read from it.
type connection struct {
	*client
	net.Conn
	r *bufio.Reader
}

func (f *fixture) dial(t *testing.T) *connection {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", f.app.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &connection{client: newClient(t, f.app), Conn: conn, r: bufio.NewReader(conn)}
}

// send writes a call and reads nothing.
func (c *connection) send(msg call) {
	c.t.Helper()
	c.sendAs("HTTP/1.1", msg)
}

func (c *connection) sendAs(protocol string, msg call) {
	c.t.Helper()
	var wire bytes.Buffer
	if err := c.request(c.t.Context(), msg).Write(&wire); err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.Write(bytes.Replace(wire.Bytes(), []byte("HTTP/1.1"), []byte(protocol), 1)); err != nil {
		c.t.Fatal(err)
	}
}

// last is the last event of the stream that answers a call; the connection
// must stay.
func (c *connection) last(msg call) message {
	c.t.Helper()
	c.send(msg)
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := readAll(msg.method, resp.Body)
	if err != nil || resp.Close || len(all) == 0 {
		c.t.Fatalf("%d events, error %v, connection closed %v", len(all), err, resp.Close)
	}
	return all[len(all)-1]
}
