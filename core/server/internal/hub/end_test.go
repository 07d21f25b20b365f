package hub_test

import (
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
)

// TestEndStays: whoever reads a subscription after its reader, as a new
// connection of a session does, hears of the end as well.
func TestEndStays(t *testing.T) {
	h := hub.New(time.Hour, 1)
	s, err := h.Subscribe(hub.Tools, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	h.Publish(hub.Tools)
	h.Close()
	for i, lists := range []hub.Kind{hub.Tools, 0} {
		if news, err := s.Next(t.Context()); err != nil || !news.End || news.Lists != lists {
			t.Errorf("look %d: %+v, %v, want the end", i+1, news, err)
		}
	}
}
