package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/interop/contest"
	"github.com/parleymcp/parley/interop/report"
)

// BenchmarkListen publishes to a thousand open streams and waits until all
// have it, beside a thousand goroutines that one channel each wakes.
func BenchmarkListen(b *testing.B) {
	const streams = 1000
	var told sync.WaitGroup
	ctx, leave := context.WithCancel(b.Context())
	srv := contest.NewParley(10)
	call := contest.Listen()
	var open, over sync.WaitGroup
	open.Add(streams)
	wake := make([]chan struct{}, streams)
	for i := range streams {
		over.Go(func() {
			sink := &counting{open: &open, told: &told}
			srv.Handle(ctx, &server.Request{
				Method: "POST", Host: "127.0.0.1", Header: call.Header, CanStream: true,
				Body: bytes.NewReader(call.Body), ContentLength: int64(len(call.Body)),
				Open: func(*server.Response) (server.Sink, error) { return sink, nil },
			})
		})
		wake[i] = make(chan struct{}, 1)
		over.Go(func() {
			for {
				select {
				case <-wake[i]:
					told.Done()
				case <-ctx.Done():
					return
				}
			}
		})
	}
	open.Wait()
	tool := contest.Extra(fmt.Sprintf("extra_%d", b.N))
	add := false
	var ratios []float64
	for b.Loop() {
		told.Add(streams)
		began := time.Now()
		if add = !add; add {
			if err := srv.Add(tool); err != nil {
				b.Fatal(err)
			}
		} else {
			srv.Remove(tool)
		}
		told.Wait()
		half := time.Now()
		told.Add(streams)
		for _, w := range wake {
			w <- struct{}{}
		}
		told.Wait()
		ratios = append(ratios, float64(half.Sub(began))/float64(time.Since(half)))
	}
	b.ReportMetric(report.Median(ratios), "parley/channels")
	leave()
	over.Wait()
}

// counting is the sink of a stream that greets first.
type counting struct {
	greeted    bool
	open, told *sync.WaitGroup
}

func (c *counting) Send([]byte) error {
	if !c.greeted {
		c.greeted = true
		c.open.Done()
		return nil
	}
	c.told.Done()
	return nil
}
