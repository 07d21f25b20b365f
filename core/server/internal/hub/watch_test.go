package hub_test

import (
	"testing"
	"testing/synctest"

	"github.com/parleymcp/parley/core/server/internal/hub"
)

// What a subscription hears of can change while it is open.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hub.New(interval, 10)
		s := subscribe(t, h, 0, "a")
		for _, c := range []struct {
			uri         string
			most, bytes int
			want        bool
		}{
			{"b", 1, 100, false}, // one is watched already
			{"b", 2, 1, false},   // two bytes
			{"b", 2, 2, true},
			{"b", 2, 100, true}, // again
			{"c", 2, 100, false},
		} {
			if got := s.Watch(c.uri, c.most, c.bytes); got != c.want {
				t.Errorf("Watch(%q, %d, %d) = %t", c.uri, c.most, c.bytes, got)
			}
		}
		h.Updated("a")
		h.Updated("b")
		h.Updated("c")
		s.Unwatch("a") // takes what was not read yet along
		s.Unwatch("a")
		s.Unwatch("nobody's")
		if got := news(t, s); got != "{0 [b] false false false}" {
			t.Errorf("got %s", got)
		}
		h.Updated("a")
		if got := news(t, s); got != "" {
			t.Errorf("after Unwatch: %s", got)
		}
		s.Nudge()
		if got := news(t, s); got != "{0 [] true false false}" {
			t.Errorf("after Nudge: %s", got)
		}
		s.Close()
		if s.Watch("d", 10, 100) {
			t.Error("a closed subscription watches")
		}
		s.Unwatch("b")
	})
}
