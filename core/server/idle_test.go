package server_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// counting is the sink of an idle stream: it counts events and keeps nothing.
type counting struct {
	events       int
	first, again *sync.WaitGroup
}

func (c *counting) Send([]byte) error {
	switch c.events++; c.events {
	case 1:
		c.first.Done()
	case 2:
		c.again.Done()
	}
	return nil
}

// Ten thousand idle streams: what each costs beyond the goroutine that the
// framework gives it, and how long a change takes to reach all.
func TestIdleListens(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		const n = 10_000
		srv := newServer(t, nil, documents()...)
		r := ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["docs://readme"]}`}.build(t, "http://127.0.0.1/")
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		var first, again, streams sync.WaitGroup
		first.Add(n)
		again.Add(n)
		var failed atomic.Bool
		open := func() {
			sink := &counting{first: &first, again: &again}
			req := &server.Request{
				Method: r.Method, Host: r.Host, Header: r.Header, CanStream: true,
				Body: bytes.NewReader(bytes.Clone(body)), ContentLength: int64(len(body)),
			}
			if !detached {
				req.Open = func(*server.Response) (server.Sink, error) { return sink, nil }
			}
			if resp := srv.Handle(t.Context(), req); resp != nil {
				failed.Store(resp.Stream(sink) != nil)
			}
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		goroutines := runtime.NumGoroutine()
		for range n {
			streams.Go(open)
		}
		first.Wait()
		runtime.GC()
		runtime.ReadMemStats(&after)
		per := (after.HeapAlloc - before.HeapAlloc) / n
		if extra := runtime.NumGoroutine() - goroutines - n; extra > 0 {
			t.Errorf("%d goroutines more than streams", extra)
		}
		began := time.Now()
		if err := srv.Add(core.NewTool("more", "More.", echo)); err != nil {
			t.Fatal(err)
		}
		again.Wait()
		published := time.Since(began)
		began = time.Now()
		err = srv.Close(t.Context())
		streams.Wait()
		t.Logf("%d bytes of heap a stream, a change reached all in %v, Close took %v", per, published, time.Since(began))
		if err = errors.Join(err); err != nil || failed.Load() {
			t.Errorf("the end: %v, failed streams %v", err, failed.Load())
		}
		if per > 1536+512 { // 512 are this test's request, its body and its sink
			t.Errorf("%d bytes of heap a stream", per)
		}
	})
}
