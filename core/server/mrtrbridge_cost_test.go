package server_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/parleymcp/parley/core/server"
)

// M19: a call that waits for an answer costs a goroutine, its request and what
// the handler left, and nothing of the handler itself; when it is over nothing
// is left.
func TestM19ParkedCost(t *testing.T) {
	const count = 500
	for name, open := range directStyles {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t, withSessions(func(c *server.Config) { c.Legacy.EventBuffer = 4 << 20 }), greeter)
			d := beginWith(t, srv, v2025Nov, forms)
			d.open = open
			measure := func() (heap uint64, goroutines int) {
				var m runtime.MemStats
				runtime.GC()
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapInuse + m.StackInuse, runtime.NumGoroutine()
			}
			before, running := measure()
			var calls sync.WaitGroup
			asked := &counter{t: t, most: count, full: make(chan struct{})}
			for i := range count {
				calls.Go(func() {
					mine := *d
					resp := mine.do(http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"greet"}}`, i), func(r *server.Request) {
						if r.Open != nil {
							r.Open = func(*server.Response) (server.Sink, error) { return asked, nil }
						}
					})
					if resp != nil && resp.Stream != nil {
						_ = resp.Stream(asked)
					}
				})
			}
			wait(t, asked.full, "the questions")
			after, parkedNow := measure()
			per := int(after-before) / count //nolint:gosec // a few MiB
			t.Logf("%d bytes, %.1f goroutines a parked call", per, float64(parkedNow-running)/count)
			most := 24 << 10
			if raceEnabled {
				most *= 2
			}
			if per > most {
				t.Errorf("%d bytes a parked call, at most %d", per, most)
			}
			for i := range count {
				d.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, i+1, accepted))
			}
			calls.Wait()
			if n := asked.answers(); n != count {
				t.Errorf("%d answers", n)
			}
			eventually(t, "goroutines", func() bool { return runtime.NumGoroutine() <= running })
			if err := srv.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// counter counts questions and answers of many streams.
type counter struct {
	t          *testing.T
	mu         sync.Mutex
	most       int
	asked, got int
	full       chan struct{}
}

func (c *counter) Send(p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if strings.Contains(string(p), "elicitation/create") {
		if c.asked++; c.asked == c.most {
			close(c.full)
		}
	}
	if strings.Contains(string(p), "Hello, Ada!") {
		c.got++
	}
	return nil
}

func (c *counter) answers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.got
}
