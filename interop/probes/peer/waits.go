package peer

import (
	"context"
	"sync"
	"time"
)

// Waits remembers how calls of probe_wait ended.
type Waits struct {
	mu    sync.Mutex
	ended map[string]string
}

func (w *Waits) set(id, state string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended == nil {
		w.ended = map[string]string{}
	}
	w.ended[id] = state
}

// Ended says how a wait ended.
func (w *Waits) Ended(id string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return "it is " + w.ended[id]
}

// Wait waits for as long as in says, or until ctx is done, and reports progress
// meanwhile if in says so.
func (w *Waits) Wait(ctx context.Context, in Wait, report func(n int)) (string, error) {
	w.set(in.ID, "running")
	over := time.NewTimer(time.Duration(in.Milliseconds) * time.Millisecond)
	defer over.Stop()
	var tick <-chan time.Time
	if in.Every > 0 {
		ticker := time.NewTicker(time.Duration(in.Every) * time.Millisecond)
		defer ticker.Stop()
		tick = ticker.C
		report(1)
	}
	for i := 2; ; i++ {
		select {
		case <-tick:
			report(i)
		case <-over.C:
			w.set(in.ID, "finished")
			return "waited", nil
		case <-ctx.Done():
			w.set(in.ID, "cancelled")
			return "", context.Cause(ctx)
		}
	}
}
