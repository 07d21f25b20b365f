package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
)

// Session is what is remembered of one client. Its methods are safe for
// concurrent use.
type Session struct {
	id, version        string
	info, capabilities []byte
	table              *Table
	owner              Owner
	sub                *hub.Subscription

	mu      sync.Mutex
	ended   bool
	busy    int // requests and streams that take part
	last    time.Time
	level   string
	calls   []*call
	asks    map[string]question
	asked   uint64
	streams map[uint64]*Stream
	opened  uint64
	events  []event // oldest first
	size    int     // of events, in bytes
}

// ID is the id that the client was given. It must not be logged.
func (s *Session) ID() string { return s.id }

// Version is the negotiated revision.
func (s *Session) Version() string { return s.version }

// Client is what the client said of itself.
func (s *Session) Client() Client {
	return Client{Version: s.version, Info: s.info, Capabilities: s.capabilities}
}

// Owner is whom the session belongs to.
func (s *Session) Owner() Owner { return s.owner }

// News are the changes that the session has not been told of, and the resources
// that it wants to hear of.
func (s *Session) News() *hub.Subscription { return s.sub }

// Level is the least severe level that the client wants to see, "" until it has
// said so.
func (s *Session) Level() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// SetLevel sets it.
func (s *Session) SetLevel(level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

// Leave ends what Enter or Create began. The idle time counts from here.
func (s *Session) Leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.last = time.Now()
}

// call is a request that runs.
type call struct {
	id     string // as the client spelled it
	cancel context.CancelCauseFunc
}

// Begin makes a running request one that can be cancelled, and returns what
// must be called when it has ended.
func (s *Session) Begin(id []byte, cancel context.CancelCauseFunc) (end func()) {
	c := &call{string(id), cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		cancel(ErrEnded)
	}
	s.calls = append(s.calls, c)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls = slices.DeleteFunc(s.calls, func(other *call) bool { return other == c })
	}
}

// Cancel cancels the running requests of an id, with a cause.
func (s *Session) Cancel(id []byte, cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.id == string(id) {
			c.cancel(cause)
		}
	}
}

// end cancels everything that runs. The session is in no table any more.
func (s *Session) end() {
	s.sub.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for _, c := range s.calls {
		c.cancel(ErrEnded)
	}
	for _, st := range s.streams {
		st.expel()
	}
	s.streams, s.events, s.size = nil, nil, 0
}

// expired reports whether nobody has used the session for the idle time. It
// forgets the events of streams that ended long ago.
func (s *Session) expired(now time.Time, idle time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.streams {
		if st.ended && now.Sub(st.endedAt) >= retention {
			s.forget(st)
		}
	}
	return s.busy == 0 && now.Sub(s.last) >= idle
}
