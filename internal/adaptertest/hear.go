package adaptertest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testHear opens the stream of a session. Something is there at once (T14), no
// deadline cuts it (T13), and what changes arrives on one stream, the newest.
func testHear(t *testing.T, f *fixture) {
	strict := *f
	strict.spec.WriteTimeout = writeTimeout
	f = strict.sessions(t, func(c *server.Config) { c.KeepAlive = 3 * writeTimeout })
	changes := 0
	change := func() {
		changes++
		extra := core.NewTool(fmt.Sprintf("extra-%d", changes), "Is new.", echo)
		if err := f.server.Add(extra); err != nil {
			t.Fatal(err)
		}
	}
	for _, version := range olderVersions {
		o := f.begin(t, version, "ada")
		began := time.Now()
		s := o.listen(t.Context(), "")
		line, err := s.r.ReadString('\n')
		if version >= protocol.Version20251125 && line != "id: 0-0\n" || version < protocol.Version20251125 && line[0] != ':' || err != nil {
			t.Errorf("%s: the stream begins with %q, %v", version, line, err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: first event after %v", version, took)
		}
		if got := s.resp.Header.Get("Cache-Control"); got != "no-cache, no-transform" || s.resp.Header.Get(AppHeader) != "1" {
			t.Errorf("%s: header %v", version, s.resp.Header)
		}
		<-time.After(2 * writeTimeout) // past every deadline
		change()
		if m := o.must(s); m.Method != protocol.NotificationToolsListChanged || s.id != "0-1" {
			t.Errorf("%s: event %q %+v", version, s.id, m)
		}

		newer := o.listen(t.Context(), "")
		o.end(s)
		change()
		if m := o.must(newer); m.Method != protocol.NotificationToolsListChanged || newer.id != "0-2" {
			t.Errorf("%s: event %q %+v", version, newer.id, m)
		}
		newer.close()
		// What comes while nobody reads waits for who comes back.
		change()
		newer = o.listen(t.Context(), "0-1")
		for _, id := range []string{"0-2", "0-3"} {
			if m := o.must(newer); m.Method != protocol.NotificationToolsListChanged || newer.id != id {
				t.Errorf("%s: event %q %+v, want %s", version, newer.id, m, id)
			}
		}
		if a := o.do(o.delete(t.Context())); a.status != http.StatusNoContent {
			t.Errorf("%s: DELETE: status %d", version, a.status)
		}
		o.end(newer)
	}
}

// testSubscribed hears of a resource.
func testSubscribed(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "")
	s := o.listen(t.Context(), "")
	uri := object{"uri": "test://greet"}
	if result := o.result(t.Context(), o.ask(protocol.MethodSubscribe, uri)); len(result) != 0 {
		t.Errorf("subscribe: %v", result)
	}
	f.server.ResourceUpdated("test://greet")
	if m := o.must(s); m.Method != protocol.NotificationResourceUpdated || m.Params["uri"] != "test://greet" {
		t.Errorf("event %+v", m)
	}
	o.result(t.Context(), o.ask(protocol.MethodUnsubscribe, uri))
	f.server.ResourceUpdated("test://greet")
	if err := f.server.Add(core.NewTool("extra", "Is new.", echo)); err != nil {
		t.Fatal(err)
	}
	if m := o.must(s); m.Method != protocol.NotificationToolsListChanged {
		t.Errorf("event %+v", m)
	}
}

// testResume cuts the connection of a call in the middle, and asks for the rest
// of its stream: all of it, in order, once.
func testResume(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "ada")
	cut := o.start(t.Context(), o.tool("work", object{"milliseconds": 500, "progress": true}))
	ids := make([]string, 4)
	for i := range ids {
		o.must(cut)
		ids[i] = cut.id
	}
	if cut.primes != 1 {
		t.Errorf("%d events without a message before the first", cut.primes)
	}
	cut.close()
	for range 2 { // while it runs, and when it has ended
		s := o.listen(t.Context(), ids[1])
		for i := 2; i < 10; i++ {
			if m := o.must(s); m.Params["progress"] != float64(i+1) {
				t.Fatalf("event %q %+v, want progress %d", s.id, m, i+1)
			}
		}
		if m := o.must(s); m.text() != "done" || m.ID != float64(o.last) {
			t.Errorf("answer %+v", m)
		}
		o.end(s)
	}
	for _, id := range []string{"77-0", ids[0] + "00", "-", strings.Replace(ids[0], "-", " ", 1)} {
		if a := o.do(o.get(t.Context(), id)); a.status != http.StatusBadRequest || a.message.code() != protocol.CodeInvalidRequest {
			t.Errorf("after %q: status %d, body %s", id, a.status, a.body)
		}
	}
	other := f.begin(t, protocol.Version20251125, "ada")
	if a := other.do(other.get(t.Context(), ids[0])); a.status != http.StatusBadRequest {
		t.Errorf("after an event of another session: status %d, body %s", a.status, a.body)
	}
}

// testRunsOn: in older revisions a client that leaves cancels nothing (T12); one
// that says so does, but only in its own session.
func testRunsOn(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "ada")
	for _, stream := range []bool{false, true} {
		id := fmt.Sprintf("%s %v", t.Name(), stream)
		ctx, leave := cancellable(t)
		call := o.post(ctx, o.tool("hold", object{"id": id, "stream": stream}))
		left := make(chan struct{})
		go func() {
			defer close(left)
			_, _ = o.try(call)
		}()
		held := f.holds.get(id)
		wait(t, held.started, "the handler starts")
		leave()
		<-left
		select {
		case <-held.ended:
			t.Errorf("stream %v: the handler was cancelled: %v", stream, held.cause)
		case <-time.After(3 * keepAlive):
		}
		if stream {
			close(held.release)
			wait(t, held.ended, "the handler ends")
			continue
		}
		cancel := object{"method": protocol.NotificationCancelled, "params": object{"requestId": o.last}}
		other := f.begin(t, protocol.Version20251125, "ada")
		if a := other.do(other.post(t.Context(), cancel)); a.status != http.StatusAccepted {
			t.Errorf("notifications/cancelled: status %d, body %s", a.status, a.body)
		}
		select {
		case <-held.ended:
			t.Errorf("cancelled by another session: %v", held.cause)
		case <-time.After(keepAlive):
		}
		if a := o.do(o.post(t.Context(), cancel)); a.status != http.StatusAccepted {
			t.Errorf("notifications/cancelled: status %d, body %s", a.status, a.body)
		}
		wait(t, held.ended, "the handler is cancelled")
		if held.cause == nil {
			t.Error("the handler was let go")
		}
	}
}

// testCancelled: a call that its client has cancelled has no response.
func testCancelled(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "ada")
	id := t.Name()
	s := o.start(t.Context(), o.tool("hold", object{"id": id, "stream": true}))
	o.must(s)
	cancel := object{"method": protocol.NotificationCancelled, "params": object{"requestId": o.last}}
	o.do(o.post(t.Context(), cancel))
	wait(t, f.holds.get(id).ended, "the handler is cancelled")
	o.end(s)

	parked := o.start(t.Context(), o.tool("interview", object{}))
	o.question(parked)
	o.question(parked)
	cancel = object{"method": protocol.NotificationCancelled, "params": object{"requestId": o.last}}
	o.do(o.post(t.Context(), cancel))
	for range 2 { // the questions are taken back
		if m := o.must(parked); m.Method != protocol.NotificationCancelled || m.Params["requestId"] == nil {
			t.Errorf("event %+v", m)
		}
	}
	o.end(parked)
}
