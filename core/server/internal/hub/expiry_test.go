package hub_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
)

// A stream with an end looks at it in time, be that before its first beat or
// after many, and hears of nothing after it.
func TestExpiry(t *testing.T) {
	for _, life := range []time.Duration{
		-time.Second, 0, 1, time.Millisecond, interval / 2, interval - 1, interval, interval + 1, interval * 17 / 16, 10*interval + 3*time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			h := hub.New(interval, 10)
			began := time.Now()
			s, err := h.Subscribe(hub.Tools, []string{"docs://a"}, began.Add(life))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			other := subscribe(t, h, hub.Tools)
			for {
				n, err := s.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if n.Expired {
					break
				}
			}
			if took := time.Since(began); took != max(life, 0) {
				t.Errorf("%v: expired after %v", life, took)
			}
			h.Publish(hub.Tools)
			h.Updated("docs://a")
			if got := news(t, s); got != "{0 [] false false false true}" {
				t.Errorf("%v: heard %s", life, got)
			}
			if n, err := other.Next(t.Context()); err != nil || n.Expired {
				t.Errorf("%v: another stream: %+v, %v", life, n, err)
			}
		})
	}
}

// A stream that is closed leaves no timer behind.
func TestExpiryOfAClosedStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 10)
		s, err := h.Subscribe(hub.Tools, nil, time.Now().Add(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		<-time.After(2 * time.Second)
		if n := h.Open(); n != 0 {
			t.Errorf("%d streams are open", n)
		}
	})
}
