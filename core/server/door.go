package server

import "sync"

// door counts the work that is going on, and lets no more in once it is shut.
// A WaitGroup would not do: work may begin while somebody waits for its end.
type door struct {
	mu     sync.Mutex
	inside int
	idle   chan struct{} // not nil: shut; closed: and nobody is inside
}

// enter is false when the door is shut; otherwise leave must follow.
func (d *door) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.idle != nil {
		return false
	}
	d.inside++
	return true
}

func (d *door) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.inside--; d.inside == 0 && d.idle != nil {
		close(d.idle)
	}
}

// shut returns a channel that is closed when all have left.
func (d *door) shut() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.idle == nil {
		d.idle = make(chan struct{})
		if d.inside == 0 {
			close(d.idle)
		}
	}
	return d.idle
}
