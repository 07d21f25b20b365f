package hub

import (
	"context"
	"sync"
	"time"
)

// flags are the news a stream has not read yet. The low bits are Kinds.
type flags uint8

const (
	flagBeat flags = 1 << (iota + 6)
	flagEnd

	flagLists = flags(Tools | Prompts | Resources)
)

// interest is one resource one stream wants to hear of.
type interest struct {
	sub     *Subscription
	uri     string
	pending bool // guarded by the subscription's lock
}

// Subscription is one open stream, read by one goroutine.
type Subscription struct {
	hub         *Hub
	lists       Kind
	slot, index int // place on the wheel, guarded by the hub's lock; −1: closed
	interests   []interest
	wake        chan struct{}
	until       time.Time   // zero: no end
	timer       *time.Timer // of until, when that is near; guarded by the hub's lock

	mu      sync.Mutex
	news    flags
	updated []*interest
}

// News is what happened since the last look.
type News struct {
	Lists   Kind     // these lists changed
	Updated []string // these resources changed, each once, in order
	Beat    bool     // the stream should show that it lives
	End     bool     // the hub was closed; nothing follows
	Expired bool     // the stream's own time is over; there is no other news
}

// Next waits for news. The error is the context's.
func (s *Subscription) Next(ctx context.Context) (News, error) {
	for {
		if err := ctx.Err(); err != nil {
			return News{}, err
		}
		if n, some := s.take(); some {
			return n, nil
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

// Close gives up the stream's place. It may be called twice.
func (s *Subscription) Close() { s.hub.remove(s) }

func (s *Subscription) take() (News, bool) {
	if !s.until.IsZero() && !time.Now().Before(s.until) {
		return News{Expired: true}, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news == 0 && len(s.updated) == 0 {
		return News{}, false
	}
	n := News{
		Lists: Kind(s.news & flagLists),
		Beat:  s.news&flagBeat != 0,
		End:   s.news&flagEnd != 0,
	}
	if len(s.updated) > 0 {
		n.Updated = make([]string, len(s.updated))
		for i, in := range s.updated {
			n.Updated[i], in.pending = in.uri, false
		}
		s.updated = nil
	}
	s.news = 0
	return n, true
}

func (s *Subscription) post(f flags) {
	s.mu.Lock()
	s.news |= f
	s.mu.Unlock()
	s.ring()
}

func (s *Subscription) update(in *interest) {
	s.mu.Lock()
	if !in.pending {
		in.pending = true
		s.updated = append(s.updated, in)
	}
	s.mu.Unlock()
	s.ring()
}

// ring never blocks: one waiting ring is enough for all the news there is.
func (s *Subscription) ring() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
