package adaptertest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// slowKeepAlive leaves room between at once and after an interval.
const slowKeepAlive = 500 * time.Millisecond

func slow(c *server.Config) { c.KeepAlive = slowKeepAlive }

// testDisconnectStream drops the connection of a stream: the handler's context
// ends, at once where the framework notices, and within two keep-alive
// intervals everywhere.
func testDisconnectStream(t *testing.T, f *fixture) {
	f = f.factory.fixture(t, f.spec, newHouse(t, slow))
	f.disconnect(t, tool("hold", object{"id": "stream", "stream": true}), "stream")
}

// testDisconnectCall drops the connection of a call that has not answered yet.
func testDisconnectCall(t *testing.T, f *fixture) {
	f = f.factory.fixture(t, f.spec, newHouse(t, slow))
	f.disconnect(t, tool("hold", object{"id": "call"}), "call")
	if !f.factory.Silent { // who takes JSON only can be noticed in no other way
		f.disconnect(t, tool("hold", object{"id": "JSON"}).jsonOnly(), "JSON")
	}
}

// testDisconnectDetached has a context hook that derives from Background.
func testDisconnectDetached(t *testing.T, f *fixture) {
	spec := f.spec
	spec.Detached = true
	f = f.factory.fixture(t, spec, newHouse(t, slow))
	f.disconnect(t, tool("hold", object{"id": "stream", "stream": true}).with(UserHeader, "ada"), "stream")
	f.disconnect(t, tool("hold", object{"id": "call"}).with(UserHeader, "ada"), "call")
}

// testStalled reads nothing of a large stream: the write timeout ends it.
func testStalled(t *testing.T, f *fixture) {
	if f.factory.HTTP2 {
		t.Skip("needs a client that speaks HTTP/2 and reads nothing")
	}
	spec := f.spec
	spec.WriteTimeout = 0 // of the framework: the deadlines are the adapter's
	f = f.factory.fixture(t, spec, newHouse(t, impatient))
	f.dial(t).send(tool("flood", object{"id": "stalled"}))
	held := f.holds.get("stalled")
	wait(t, held.ended, "the handler whose client does not read ends")
	if !errors.Is(held.cause, server.ErrClientGone) {
		t.Errorf("cause %v, want ErrClientGone", held.cause)
	}
}

func (f *fixture) disconnect(t *testing.T, msg call, id string) {
	t.Helper()
	c := f.dial(t)
	c.send(msg)
	held := f.holds.get(id)
	wait(t, held.started, "the handler starts")
	if msg.params["arguments"].(object)["stream"] == true {
		// Read it all, or closing would reset the connection, which the next write
		// notices; after a plain end only the one after that does.
		c.skipEvent()
	}
	left := time.Now()
	c.Close()
	wait(t, held.ended, "the handler of "+id+" hears of the disconnect")
	took := time.Since(left)
	const slack = slowKeepAlive * 4 / 5 // of a busy machine
	limit := 2*slowKeepAlive + slack
	if !f.factory.Silent {
		limit = slack
	}
	if took > limit {
		t.Errorf("%s: the handler heard of it after %v, want %v", id, took, limit)
	}
	if !errors.Is(held.cause, server.ErrClientGone) {
		t.Errorf("%s: cause %v, want ErrClientGone", id, held.cause)
	}
}

// skipEvent reads to the end of the first event, without waiting for that of
// the answer as a body does when it is closed.
func (c *connection) skipEvent() {
	c.t.Helper()
	for data := false; ; {
		line, err := c.r.ReadString('\n')
		if err != nil {
			c.t.Fatalf("reading the first event: %v", err)
		}
		if data && line == "\n" {
			return
		}
		data = data || strings.HasPrefix(line, "data:")
	}
}
