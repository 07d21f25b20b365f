package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

const interval = 10 * time.Second

// sleeper is a server with a tool that takes as many seconds as it is told to,
// and a keep-alive of ten.
func sleeper(t *testing.T) *server.Server {
	type in struct {
		Seconds int `json:"seconds"`
		Says    int `json:"says,omitempty"` // after so many seconds
	}
	return newServer(t, func(c *server.Config) { c.KeepAlive = interval },
		core.NewTool("sleep", "", func(_ context.Context, ev *core.Event, in in) (string, error) {
			if in.Says > 0 {
				<-time.After(time.Duration(in.Says) * time.Second)
				ev.Progress(1, 1, "")
			}
			<-time.After(time.Duration(in.Seconds-in.Says) * time.Second)
			return "done", nil
		}))
}

// stopwatch is a sink that notes when what was written, in seconds from its
// call. A comment takes as long as pace.
type stopwatch struct {
	began time.Time
	pace  time.Duration
	marks []string
}

func (s *stopwatch) Send(p []byte) error {
	kind := "event"
	if p[0] == ':' {
		kind = "comment"
	}
	s.marks = append(s.marks, fmt.Sprint(kind, " ", int(time.Since(s.began).Seconds())))
	if kind == "comment" {
		<-time.After(s.pace)
	}
	return nil
}

// sleep makes one call and returns what was written when.
func sleep(t *testing.T, srv *server.Server, pace time.Duration, seconds, says int) []string {
	t.Helper()
	d := &direct{t: t, srv: srv, version: v2025Nov}
	sink := &stopwatch{began: time.Now(), pace: pace}
	resp := d.do("POST", message("tools/call", fmt.Sprintf(
		`"_meta":{"progressToken":1},"name":"sleep","arguments":{"seconds":%d,"says":%d}`, seconds, says)),
		func(r *server.Request) {
			r.Open = func(*server.Response) (server.Sink, error) { return sink, nil }
		})
	if resp != nil {
		var answer struct{ Result json.RawMessage }
		if err := json.Unmarshal(resp.Body, &answer); err != nil || answer.Result == nil {
			t.Errorf("got %d %s", resp.Status, resp.Body)
		}
	}
	return sink.marks
}

// Every call beats in its own time, whatever others do beside it.
func TestKeepAliveOfEach(t *testing.T) {
	for name, tc := range map[string]struct {
		seconds, says int
		pace          time.Duration
		want          []string
	}{
		"quiet":                      {seconds: 25, want: []string{"comment 10", "comment 20", "event 25"}},
		"short":                      {seconds: 4},
		"a client that reads slowly": {seconds: 25, pace: 9 * time.Second, want: []string{"comment 10", "event 25"}},
		"quiet since it has spoken":  {seconds: 28, says: 6, want: []string{"event 6", "comment 16", "comment 26", "event 28"}},
	} {
		t.Run(name, func(t *testing.T) { // alone
			synctest.Test(t, func(t *testing.T) {
				if got := sleep(t, sleeper(t), tc.pace, tc.seconds, tc.says); !slices.Equal(got, tc.want) {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) { // all beside each other, and one whose client reads slowly
		srv := sleeper(t)
		var all sync.WaitGroup
		all.Go(func() {
			if got, want := sleep(t, srv, 9*time.Second, 25, 0), []string{"comment 10", "event 25"}; !slices.Equal(got, want) {
				t.Errorf("who reads slowly: got %q, want %q", got, want)
			}
		})
		for range 3 {
			for _, start := range []int{0, 3, 3, 4, 7, 18} {
				all.Go(func() {
					<-time.After(time.Duration(start) * time.Second)
					want := []string{"comment 10", "comment 20", "event 21"}
					if got := sleep(t, srv, time.Millisecond, 21, 0); !slices.Equal(got, want) {
						t.Errorf("from %d: got %q, want %q", start, got, want)
					}
				})
			}
		}
		all.Wait()
	})
}

// A server that lives longer than a bubble of testing/synctest, as a package
// variable does, beats in the next one too.
func TestKeepAliveInBubbles(t *testing.T) {
	srv := sleeper(t)
	sleep(t, srv, 0, 0, 0)
	for _, seconds := range []int{1, 12, 12} {
		synctest.Test(t, func(t *testing.T) {
			want := []string{"comment 10", "event 12"}
			if got := sleep(t, srv, 0, seconds, 0); seconds > 10 && !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
