package hub

import (
	"errors"
	"sync"
	"time"
)

// Kind is a set of lists that can change.
type Kind uint8

// The lists.
const (
	Tools Kind = 1 << iota
	Prompts
	Resources
)

// slots divide one beat, so that thousands of streams that were opened
// together are not written to together for ever after.
const slots = 16

var (
	// ErrFull says that as many streams are open as may be.
	ErrFull = errors.New("parley: too many open streams")
	// ErrClosed says that no stream is opened any more.
	ErrClosed = errors.New("parley: the hub is closed")
)

// Hub knows the open streams. Its methods are safe for concurrent use.
type Hub struct {
	tick time.Duration
	most int

	mu     sync.Mutex
	closed bool
	open   int
	at     int // the slot that beat last
	wheel  [slots][]*Subscription
	byURI  map[string]map[*interest]struct{}
	timer  *time.Timer // nil: no stream, no timer
}

// New makes a hub that beats every stream once in each interval and holds at
// most so many streams.
func New(interval time.Duration, most int) *Hub {
	return &Hub{
		tick:  max(interval/slots, 1),
		most:  most,
		byURI: make(map[string]map[*interest]struct{}),
	}
}

// Subscribe opens a stream for changes of the lists and of the resources. The
// first beat comes one interval from now. A full or closed hub refuses.
func (h *Hub) Subscribe(lists Kind, uris []string) (*Subscription, error) {
	s := &Subscription{hub: h, lists: lists, wake: make(chan struct{}, 1)}
	if len(uris) > 0 {
		s.interests = make([]*interest, 0, len(uris))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, ErrClosed
	case h.open >= h.most:
		return nil, ErrFull
	}
	block := make([]interest, len(uris)) // one allocation for all of them
	for i, uri := range uris {
		h.watch(s, &block[i], uri)
	}
	h.open++
	s.slot, s.index = h.at, len(h.wheel[h.at])
	h.wheel[h.at] = append(h.wheel[h.at], s)
	if h.timer == nil {
		h.timer = time.AfterFunc(h.tick, h.beat)
	}
	return s, nil
}

// Open is the number of open streams.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Publish tells the streams that asked for it that lists have changed.
func (h *Hub) Publish(lists Kind) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, slot := range h.wheel {
		for _, s := range slot {
			if hit := s.lists & lists; hit != 0 {
				s.post(flags(hit))
			}
		}
	}
}

// Updated tells the streams that asked for it that a resource has changed.
func (h *Hub) Updated(uri string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for in := range h.byURI[uri] {
		in.sub.update(in)
	}
}

// Close ends every stream and refuses new ones. It does not wait.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, slot := range h.wheel {
		for _, s := range slot {
			s.post(flagEnd)
		}
	}
}

func (h *Hub) beat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == 0 {
		return // the last stream left while this was waiting for the lock
	}
	h.at = (h.at + 1) % slots
	for _, s := range h.wheel[h.at] {
		s.post(flagBeat)
	}
	h.timer.Reset(h.tick)
}

func (h *Hub) watch(s *Subscription, in *interest, uri string) {
	in.sub, in.uri = s, uri
	s.interests = append(s.interests, in)
	set := h.byURI[uri]
	if set == nil {
		set = make(map[*interest]struct{})
		h.byURI[uri] = set
	}
	set[in] = struct{}{}
}

func (h *Hub) unwatch(in *interest) {
	delete(h.byURI[in.uri], in)
	if len(h.byURI[in.uri]) == 0 {
		delete(h.byURI, in.uri)
	}
}

func (h *Hub) remove(s *Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.index < 0 {
		return
	}
	slot := h.wheel[s.slot]
	last := len(slot) - 1
	slot[s.index] = slot[last]
	slot[s.index].index = s.index
	slot[last] = nil
	h.wheel[s.slot] = slot[:last]
	s.index = -1
	for _, in := range s.interests {
		h.unwatch(in)
	}
	if h.open--; h.open == 0 {
		h.timer.Stop()
		h.timer = nil
	}
}
