package adaptertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
)

func listen(kinds ...string) call {
	wanted := object{}
	for _, kind := range kinds {
		wanted[kind] = true
	}
	return call{method: protocol.MethodListen, params: object{"notifications": wanted}}
}

// testChurn adds and removes tools while subscriptions come and go. Each is
// acknowledged first, and none misses the last change.
func testChurn(t *testing.T, f *fixture) {
	const listeners, times = 8, 10
	f = f.factory.fixture(t, f.spec, newHouse(t, nil))
	c := newClient(t, f.app)
	last := c.open(t.Context(), listen("toolsListChanged"))
	if m := c.must(last); m.Method != protocol.NotificationAcknowledged {
		t.Fatalf("first event %+v", m)
	}

	stop := make(chan struct{})
	var churn, readers sync.WaitGroup
	churn.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			extra := core.NewTool(fmt.Sprintf("extra-%d", i%3), "Comes and goes.", echo)
			if err := f.server.Add(extra); err != nil {
				t.Errorf("Add: %v", err)
				return
			}
			f.server.Remove(extra)
		}
	})
	for range listeners {
		readers.Go(func() {
			for range times {
				if err := listenOnce(t.Context(), newClient(t, f.app)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Wait()
	close(stop)
	churn.Wait()

	// Of all that was missed while nobody read, one word is left, and the last
	// change is not lost.
	if err := f.server.Add(core.NewTool("last", "Stays.", echo)); err != nil {
		t.Fatal(err)
	}
	if m := c.must(last); m.Method != protocol.NotificationToolsListChanged {
		t.Errorf("event %+v", m)
	}
	list := c.post(t.Context(), call{method: protocol.MethodToolsList})
	if tools, _ := list.Result["tools"].([]any); len(tools) != 10 {
		t.Errorf("%d tools at the end", len(tools))
	}
}

// listenOnce reads the acknowledgement and one change, and leaves.
func listenOnce(ctx context.Context, c *client) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := c.http.Do(c.request(ctx, listen("toolsListChanged", "promptsListChanged")))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	s := newEvents(protocol.MethodListen, resp.Body)
	for _, want := range []string{protocol.NotificationAcknowledged, protocol.NotificationToolsListChanged} {
		if m, err := s.next(); err != nil || m.Method != want {
			return fmt.Errorf("event %+v, error %w, want %s", m, err, want)
		}
	}
	return nil
}

// testShutdown ends a process in the order that the documentation asks for:
// the server first, then the framework.
func testShutdown(t *testing.T, f *fixture) {
	const listeners = 20
	f = f.factory.fixture(t, f.spec, newHouse(t, nil))
	c := newClient(t, f.app)
	open := make([]*stream, listeners)
	for i := range open {
		open[i] = c.open(t.Context(), listen("toolsListChanged"))
		c.must(open[i]) // the acknowledgement
	}
	call := c.open(t.Context(), tool("hold", object{"id": "call", "stream": true}))
	c.must(call)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- f.server.Close(ctx) }()
	for _, s := range open { // with their result, and a clean end
		if m := c.must(s); m.Result["resultType"] != "complete" {
			t.Errorf("last event %+v", m)
		}
		if _, err := s.next(); !errors.Is(err, io.EOF) {
			t.Errorf("end: %v", err)
		}
	}
	select {
	case err := <-closed:
		t.Fatalf("Close did not wait for the call: %v", err)
	default:
	}
	if a := c.do(c.request(t.Context(), tool("echo", object{"text": "late"}))); a.status != 503 {
		t.Errorf("a new call: status %d, body %q", a.status, a.body)
	}
	close(f.holds.get("call").release)
	if m := c.must(call); m.text() != "let go" {
		t.Errorf("the running call: %+v", m)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	c.http.CloseIdleConnections()
	began := time.Now()
	if err := f.app.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("Shutdown took %v with nothing left to do", took)
	}
}
