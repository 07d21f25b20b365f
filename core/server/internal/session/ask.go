package session

import (
	"strconv"
	"time"
)

// Round is the questions that one call waits for the answers to.
type Round struct {
	session *Session
	first   uint64
	count   int
	replies chan Reply
}

// Reply is the answer to the question Index of a round: with a result, or with
// an error.
type Reply struct {
	Index         int
	Result, Error []byte
	By            Credentials
}

// Credentials are what an answer was sent with. Their owner is the session's,
// or it would have reached none.
type Credentials struct {
	Scopes  []string
	Expires time.Time // zero: never
}

// question is one that has not been answered.
type question struct {
	index   int
	replies chan<- Reply
}

// Ask reserves the ids of count questions. End must follow.
func (s *Session) Ask(count int) *Round {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &Round{session: s, first: s.asked + 1, count: count, replies: make(chan Reply, count)}
	s.asked += uint64(count) //nolint:gosec // a count of asks
	if s.asks == nil {
		s.asks = make(map[string]question)
	}
	for i := range count {
		s.asks[r.ID(i)] = question{i, r.replies}
	}
	return r
}

// ID is the JSON-RPC id of question i.
func (r *Round) ID(i int) string {
	return strconv.FormatUint(r.first+uint64(i), 10) //nolint:gosec // an index
}

// Replies has each answer once.
func (r *Round) Replies() <-chan Reply { return r.replies }

// End forgets the questions that nobody has answered, and returns their ids.
func (r *Round) End() []string {
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []string
	for i := range r.count {
		if _, waits := s.asks[r.ID(i)]; waits {
			open = append(open, r.ID(i))
			delete(s.asks, r.ID(i))
		}
	}
	if len(s.asks) == 0 {
		s.asks = nil // an idle session keeps no empty map
	}
	return open
}

// Answer hands a client's answer to the call that waits for it. It is false
// when no call does, or no longer.
func (s *Session) Answer(id, result, problem []byte, by Credentials) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, waits := s.asks[string(id)]
	if !waits {
		return false
	}
	delete(s.asks, string(id))
	q.replies <- Reply{q.index, result, problem, by} // has room for each question's
	return true
}
