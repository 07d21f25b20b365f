// Program soak sends mixed requests to servers on net/http and on Fiber for
// ten minutes, as fast as they come, and fails unless memory and goroutines
// stay where they were.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/interop/contest"
	"github.com/parleymcp/parley/interop/report"
)

func main() {
	long := flag.Duration("for", 10*time.Minute, "how long")
	flag.Parse()
	if err := run(*long); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// looks is how often memory is looked at.
const looks = 30

// quiet is the memory while nobody sends, and what they have left has been
// noticed.
func quiet(pause *sync.RWMutex) runtime.MemStats {
	pause.Lock()
	defer pause.Unlock()
	<-time.After(3 * beat)
	runtime.GC()
	runtime.GC() // pools give up what they hold only then
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m
}

// beat is how often a quiet stream is written to. Fiber learns from the next
// beat that a client has left.
const beat = 500 * time.Millisecond

func run(long time.Duration) error {
	var (
		workers  sync.WaitGroup
		requests atomic.Int64
		pause    sync.RWMutex // held for reading by whoever sends
		stop     = make(chan struct{})
		failed   = make(chan error, 16)
	)
	for _, framework := range []string{"net/http", "fiber"} {
		addr, err := serve(framework)
		if err != nil {
			return err
		}
		for range 4 {
			workers.Go(func() {
				if err := visit(addr, &requests, &pause, stop); err != nil {
					failed <- err
				}
			})
		}
	}
	var heap, stacks, goroutines []float64
	tick := time.NewTicker(long / looks)
	defer tick.Stop()
	for range looks {
		select {
		case err := <-failed:
			return err
		case <-tick.C:
		}
		m := quiet(&pause)
		heap, stacks = append(heap, float64(m.HeapAlloc)), append(stacks, float64(m.StackInuse))
		goroutines = append(goroutines, float64(runtime.NumGoroutine()))
	}
	close(stop)
	workers.Wait()
	_, _ = fmt.Fprintf(os.Stdout, "%d requests in %v\n", requests.Load(), long)
	return errors.Join(flat("heap", heap), flat("stacks", stacks), flat("goroutines", goroutines))
}

// flat holds the last third of the looks to the second; the first is for
// pools, the store of what was used once, and the like.
func flat(what string, list []float64) error {
	third := len(list) / 3
	before, after := report.Median(list[third:2*third]), report.Median(list[2*third:])
	_, _ = fmt.Fprintf(os.Stdout, "%s: %.0f, then %.0f\n", what, before, after)
	if after > before*1.1 {
		return fmt.Errorf("soak: %s grew from %.0f to %.0f", what, before, after)
	}
	return nil
}

func serve(framework string) (addr string, err error) {
	e := contest.Mounted(framework, contest.NewParley(100, func(c *server.Config) { c.KeepAlive = beat }))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		if e.App != nil {
			_ = e.App.Listener(listener)
			return
		}
		_ = (&http.Server{Handler: e.HTTP, ReadHeaderTimeout: time.Minute}).Serve(listener)
	}()
	return listener.Addr().String(), nil
}
