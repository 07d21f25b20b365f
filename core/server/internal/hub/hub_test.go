package hub_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
)

const interval = 16 * time.Second

func subscribe(t *testing.T, h *hub.Hub, lists hub.Kind, uris ...string) *hub.Subscription {
	t.Helper()
	s, err := h.Subscribe(lists, uris)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// news is what waits, without waiting for more.
func news(t *testing.T, s *hub.Subscription) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	n, err := s.Next(ctx)
	if err != nil {
		return ""
	}
	return fmt.Sprint(n)
}

// Each stream hears what it asked for, once for each kind and resource however
// often that changed.
func TestCoalescing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 10)
		all := subscribe(t, h, hub.Tools|hub.Prompts|hub.Resources, "a", "b", "c")
		tools := subscribe(t, h, hub.Tools)
		for range 100 {
			h.Updated("c")
			h.Updated("a")
			h.Updated("nobody's")
			h.Publish(hub.Tools)
		}
		h.Publish(hub.Resources)
		if got := news(t, all); got != "{5 [c a] false false false}" {
			t.Errorf("all: %s", got)
		}
		if got := news(t, tools); got != "{1 [] false false false}" {
			t.Errorf("tools: %s", got)
		}
		if got := news(t, all) + news(t, tools); got != "" {
			t.Errorf("the same news again: %s", got)
		}
		h.Updated("a")
		if got := news(t, all); got != "{0 [a] false false false}" {
			t.Errorf("after a look: %s", got)
		}
	})
}

// One beat in each interval, whatever else happens, and none without streams.
func TestBeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 100)
		began := time.Now()
		var streams []*hub.Subscription
		for range 50 {
			streams = append(streams, subscribe(t, h, hub.Tools))
			<-time.After(interval / 50)
		}
		beats := make([]int, len(streams))
		ctx, cancel := context.WithDeadline(t.Context(), began.Add(10*interval))
		defer cancel()
		var wg sync.WaitGroup
		for i, s := range streams {
			wg.Go(func() {
				last := time.Now()
				for {
					n, err := s.Next(ctx)
					if err != nil {
						return
					}
					if !n.Beat || time.Since(last) > interval+interval/16 {
						t.Errorf("stream %d: %v after %v", i, n, time.Since(last))
					}
					last = time.Now()
					beats[i]++
				}
			})
		}
		wg.Wait()
		for i, n := range beats {
			if n < 9 || n > 10 {
				t.Errorf("stream %d: %d beats in nine intervals", i, n)
			}
			streams[i].Close()
			streams[i].Close()
		}
		if n := h.Open(); n != 0 {
			t.Errorf("%d streams are open", n)
		}
		again := subscribe(t, h, hub.Tools)
		synctest.Wait()
		if got := news(t, again); got != "" {
			t.Errorf("a stream begins with %s", got)
		}
		<-time.After(interval)
		if got := news(t, again); got != "{0 [] false true false}" {
			t.Errorf("a stream after all others have ended: %s", got)
		}
	})
}

// A reader that does not read stops nobody, and has no more waiting for it than
// it asked for.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 10)
		var uris []string
		for i := range 100 {
			uris = append(uris, strconv.Itoa(i))
		}
		slow := subscribe(t, h, hub.Tools, uris...)
		for range 1000 {
			h.Publish(hub.Tools)
			for _, u := range uris {
				h.Updated(u)
			}
		}
		n, err := slow.Next(t.Context())
		if err != nil || n.Lists != hub.Tools || !slices.Equal(n.Updated, uris) {
			t.Errorf("got %v, %v", n, err)
		}
	})
}

func TestLimitAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 2)
		one := subscribe(t, h, hub.Tools)
		two := subscribe(t, h, hub.Tools)
		if _, err := h.Subscribe(hub.Tools, nil); !errors.Is(err, hub.ErrFull) {
			t.Errorf("a third stream: %v", err)
		}
		two.Close()
		three := subscribe(t, h, hub.Tools, "a")
		h.Publish(hub.Tools)
		h.Close()
		h.Close()
		for _, s := range []*hub.Subscription{one, three} {
			if got := news(t, s); got != "{1 [] false false true}" {
				t.Errorf("at the end %s", got)
			}
			s.Close()
		}
		if _, err := h.Subscribe(hub.Tools, nil); !errors.Is(err, hub.ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
	})
}

// A context that is done ends the wait, also when there is news.
func TestContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 2)
		s := subscribe(t, h, hub.Tools)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-time.After(time.Second)
			cancel()
		}()
		if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		h.Publish(hub.Tools)
		if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// Streams come and go while changes are published; everything is given back.
func TestStorm(t *testing.T) {
	h := hub.New(10*time.Millisecond, 1000)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				s, err := h.Subscribe(hub.Tools, []string{strconv.Itoa(i % 7), strconv.Itoa(g)})
				if err != nil {
					t.Errorf("Subscribe: %v", err)
					return
				}
				h.Publish(hub.Tools)
				h.Updated(strconv.Itoa(i % 5))
				if n, err := s.Next(ctx); err == nil && n.Lists != hub.Tools && len(n.Updated) == 0 && !n.Beat {
					t.Errorf("got %v, %v", n, err)
				}
				s.Close()
			}
		})
	}
	wg.Wait()
	if n := h.Open(); n != 0 {
		t.Errorf("%d streams are open", n)
	}
}

// What an idle stream costs here.
func TestMemory(t *testing.T) {
	const n = 10_000
	h := hub.New(time.Hour, n)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	streams := make([]*hub.Subscription, 0, n)
	for range n {
		s, err := h.Subscribe(hub.Tools, []string{"docs://readme"})
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, s)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := (after.HeapAlloc - before.HeapAlloc) / n
	t.Logf("%d bytes a stream", per)
	if per > 600 {
		t.Errorf("%d bytes a stream", per)
	}
	for _, s := range streams {
		s.Close()
	}
}
