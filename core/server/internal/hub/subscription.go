package hub

import (
	"context"
	"slices"
	"sync"
)

// flags are the news a stream has not read yet. The low bits are Kinds.
type flags uint8

const (
	flagNudge flags = 1 << (iota + 5)
	flagBeat
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
	interests   []*interest
	wake        chan struct{}

	mu      sync.Mutex
	news    flags
	updated []*interest
}

// News is what happened since the last look.
type News struct {
	Lists   Kind     // these lists changed
	Updated []string // these resources changed, each once, in order
	Nudge   bool     // somebody called Nudge
	Beat    bool     // the stream should show that it lives
	End     bool     // the hub was closed; nothing follows
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

// Nudge wakes the stream's reader for something that the hub knows nothing of.
func (s *Subscription) Nudge() { s.post(flagNudge) }

// Watch adds a resource; one that is watched already stays so. It is false
// when that would be more than most of them, or more than mostBytes of URIs, or
// when the subscription is closed.
func (s *Subscription) Watch(uri string, most, mostBytes int) bool {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	size := len(uri)
	for _, in := range s.interests {
		size += len(in.uri)
	}
	switch {
	case s.index < 0:
		return false
	case s.watched(uri) >= 0:
		return true
	case len(s.interests) >= most, size > mostBytes:
		return false
	}
	s.hub.watch(s, new(interest), uri)
	return true
}

// Unwatch takes a resource out again.
func (s *Subscription) Unwatch(uri string) {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	i := s.watched(uri)
	if i < 0 || s.index < 0 {
		return
	}
	in := s.interests[i]
	s.hub.unwatch(in)
	s.interests = slices.Delete(s.interests, i, i+1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updated = slices.DeleteFunc(s.updated, func(other *interest) bool { return other == in })
}

func (s *Subscription) watched(uri string) int {
	return slices.IndexFunc(s.interests, func(in *interest) bool { return in.uri == uri })
}

// Close gives up the stream's place. It may be called twice.
func (s *Subscription) Close() { s.hub.remove(s) }

func (s *Subscription) take() (News, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news == 0 && len(s.updated) == 0 {
		return News{}, false
	}
	n := News{
		Lists: Kind(s.news & flagLists),
		Nudge: s.news&flagNudge != 0,
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
	s.news &= flagEnd // which stays, for whoever reads next
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
