package server_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// T18: listens end with their result, running calls are waited for, new work is
// refused, and a second Close does the same.
func TestClose(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		started, proceed := make(chan struct{}), make(chan struct{})
		hold := toolOf("hold", func(_ context.Context, ev *core.Event) (string, error) {
			ev.Progress(1, 2, "")
			close(started)
			<-proceed
			return "done", nil
		})
		srv := newServer(t, nil, hold)
		url := serve(t, &bridge{srv: srv, detached: detached})
		e := hear(t, url, "1", `{"toolsListChanged":true}`)
		e.next()
		var answer told
		var calls sync.WaitGroup
		calls.Go(func() { answer = tell(t, url, loudCall("hold")) })
		wait(t, started, "the call")

		short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if err := srv.Close(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close with a running call: %v", err)
		}
		e.want(ended("1"))
		e.want("")
		for _, a := range []ask{call("hold", ""), {method: "tools/list"}, {method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`}} {
			refused{503, -32603, "The server is shutting down"}.check(t, tell(t, url, a), "1")
		}
		closed := make(chan error, 2)
		for range 2 {
			go func() { closed <- srv.Close(t.Context()) }()
		}
		close(proceed)
		for range 2 {
			if err := wait(t, closed, "Close"); err != nil {
				t.Error(err)
			}
		}
		calls.Wait()
		if answer.text() != "done" {
			t.Errorf("the running call: %s", answer.body)
		}
	})
}

// T18: a handler that closes its own server waits no longer than it says.
func TestCloseFromHandler(t *testing.T) {
	var stop func(context.Context) error
	tool := toolOf("stop", func(ctx context.Context, _ *core.Event) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		if err := stop(ctx); !errors.Is(err, context.DeadlineExceeded) {
			return "", errors.New("closed while it was called")
		}
		return "stopped", nil
	})
	srv := newServer(t, nil, tool)
	stop = srv.Close
	if got := tell(t, serve(t, &bridge{srv: srv}), call("stop", "")); got.text() != "stopped" {
		t.Errorf("got %s", got.body)
	}
}

// T26: streams that nobody reads any more leave nothing behind.
func TestAbandonedStreams(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		hold := toolOf("hold", func(ctx context.Context, ev *core.Event) (string, error) {
			ev.Progress(1, 2, "")
			<-ctx.Done()
			return "", ctx.Err()
		})
		srv := newServer(t, func(c *server.Config) { c.KeepAlive = 50 * time.Millisecond }, hold)
		url := serve(t, &bridge{srv: srv, detached: detached})
		before := runtime.NumGoroutine()
		var cancels []context.CancelFunc
		for range 20 {
			e := hear(t, url, "1", `{"toolsListChanged":true}`)
			e.next()
			ctx, cancel := context.WithCancel(t.Context())
			resp, err := http.DefaultClient.Do(loudCall("hold").build(t, url).WithContext(ctx)) //nolint:bodyclose // cancelling does
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("%v, %v", resp, err)
			}
			cancels = append(cancels, e.leave, cancel)
		}
		for _, leave := range cancels {
			leave()
		}
		http.DefaultClient.CloseIdleConnections()
		if !settled(before) {
			t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	})
}

// T18: a client that does not read its last event does not hold up Close.
func TestCloseWithStalledReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer(t, nil, echoTool)
		resp := handle(t, srv, ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`}, func(*server.Request) {})
		stalled := make(chan struct{})
		done := make(chan error, 1)
		go func() {
			done <- resp.Stream(sendFunc(func([]byte) error {
				<-stalled
				return errors.New("write timeout")
			}))
		}()
		synctest.Wait()
		began := time.Now()
		if err := srv.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("Close took %v", took)
		}
		close(stalled)
		if err := <-done; !errors.Is(err, server.ErrClientGone) {
			t.Errorf("the stream ended with %v", err)
		}
	})
}
