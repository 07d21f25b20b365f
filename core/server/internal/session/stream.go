package session

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Stream is an event stream of a session: number 0 is the one that is open for
// the session's own sake, all others answer one call. Its events are numbered,
// and the last ones kept, so that a client that lost its connection can be sent
// what it missed.
type Stream struct {
	// Needs are the scopes without which the stream is not to be read.
	Needs []string

	session *Session
	number  uint64

	// Guarded by the session's lock.
	last    uint64 // number of the last event
	lost    uint64 // number of the last event that is not kept any more
	read    uint64 // number of the last event that a reader was given
	ended   bool
	endedAt time.Time
	turns   uint64 // given to readers
	reader  uint64 // turn of the last that took it
	leave   context.CancelFunc
	wake    chan struct{}
	took    chan struct{} // the reader has taken what there was, or has left
}

// event is one that is kept.
type event struct {
	stream *Stream
	number uint64
	bytes  []byte
}

// Open begins the stream of a call, which needs scopes.
func (s *Session) Open(needs ...string) *Stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	st := s.stream(s.opened)
	st.Needs = needs
	return st
}

// Own is the stream of the session itself.
func (s *Session) Own() *Stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream(0)
}

func (s *Session) stream(number uint64) *Stream {
	st := s.streams[number]
	if st == nil {
		st = &Stream{session: s, number: number, wake: make(chan struct{}, 1), took: make(chan struct{}, 1)}
		if s.streams == nil {
			s.streams = make(map[uint64]*Stream)
		}
		if !s.ended {
			s.streams[number] = st
		}
	}
	return st
}

// Find returns the stream of an event id, and the number of that event. It is
// nil when what came after it is not kept.
func (s *Session) Find(eventID string) (*Stream, uint64) {
	before, after, _ := strings.Cut(eventID, "-")
	number, err := strconv.ParseUint(before, 10, 64)
	at, err2 := strconv.ParseUint(after, 10, 64)
	if err != nil || err2 != nil {
		return nil, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if number == 0 {
		st := s.stream(0)
		return st, min(max(at, st.lost), st.last)
	}
	st := s.streams[number]
	if st == nil || at < st.lost || at > st.last {
		return nil, 0
	}
	return st, at
}

// EventID is the id of the event of a number.
func (st *Stream) EventID(number uint64) string {
	return strconv.FormatUint(st.number, 10) + "-" + strconv.FormatUint(number, 10)
}

// Read is the number of the last event that a reader was given, by
// [Stream.Since].
func (st *Stream) Read() uint64 {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	return st.read
}

// Append numbers an event, keeps it, and returns it with its id.
func (st *Stream) Append(message []byte) []byte {
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	st.last++
	framed := slices.Concat([]byte("id: "+st.EventID(st.last)+"\n"), message)
	s.keep(event{st, st.last, framed})
	st.ring()
	return framed
}

// keep makes room by what is oldest. An event that is larger than all of the
// room is kept only for somebody who is reading, until he has it.
func (s *Session) keep(e event) {
	most := s.table.limits.Events
	if s.ended || len(e.bytes) > most && !e.stream.expects() {
		s.clear(e.stream) // what came before it cannot be continued any more
		e.stream.lost = e.number
		return
	}
	for len(s.events) > 0 && s.size+len(e.bytes) > most {
		s.drop(0)
	}
	s.events = append(s.events, e)
	s.size += len(e.bytes)
}

func (s *Session) drop(i int) {
	e := s.events[i]
	s.size -= len(e.bytes)
	s.events = slices.Delete(s.events, i, i+1)
	e.stream.lost = e.number
	if e.stream.ended && e.stream.lost == e.stream.last {
		delete(s.streams, e.stream.number)
	}
	if len(s.events) == 0 {
		s.events = nil
	}
}

// clear drops the events of a stream.
func (s *Session) clear(st *Stream) {
	s.events = slices.DeleteFunc(s.events, func(e event) bool {
		if e.stream == st {
			s.size -= len(e.bytes)
		}
		return e.stream == st
	})
	if len(s.events) == 0 {
		s.events = nil
	}
}

// forget drops everything of a stream.
func (s *Session) forget(st *Stream) {
	s.clear(st)
	delete(s.streams, st.number)
}

// End says that nothing follows. What is kept stays for a while.
func (st *Stream) End() {
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	st.ended, st.endedAt = true, time.Now()
	if st.lost == st.last {
		delete(s.streams, st.number)
	}
	st.ring()
}

func (st *Stream) ring() {
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

// Turn is the place of a reader in the order in which they came.
func (st *Stream) Turn() uint64 {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	st.turns++
	return st.turns
}

// Take makes the caller the only reader: the context of the one before ends.
// Where a later turn has taken the stream already it is his own that has ended.
// The function must be called when he has finished.
func (st *Stream) Take(ctx context.Context, turn uint64) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || turn < st.reader {
		cancel()
		return ctx, cancel
	}
	st.expel()
	st.reader, st.leave = turn, cancel
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		if st.reader == turn {
			st.leave = nil
		}
		st.ring() // it may have been the next reader's ring that this one heard
		st.handed()
	}
}

// HandOver waits until the reader has taken everything, or there is none, or ctx
// is done: what is said faster than it is read would be lost.
func (st *Stream) HandOver(ctx context.Context) {
	s := st.session
	for {
		s.mu.Lock()
		waits := st.expects() && st.read < st.last
		s.mu.Unlock()
		if !waits {
			return
		}
		select {
		case <-st.took:
		case <-ctx.Done():
			return
		}
	}
}

func (st *Stream) handed() {
	select {
	case st.took <- struct{}{}:
	default:
	}
}

func (st *Stream) expel() {
	if st.leave != nil {
		st.leave()
		st.leave = nil
	}
}

// Moved reports whether another connection came for the stream: from then on the
// one that it began on would miss something.
func (st *Stream) Moved() bool {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	return st.turns > 0
}

// expects reports whether there is a reader, or one who has his turn and is
// about to begin.
func (st *Stream) expects() bool { return st.leave != nil || st.turns > st.reader }

// Taken reports whether somebody reads it, by [Stream.Take].
func (st *Stream) Taken() bool {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	return st.leave != nil
}

// Since returns the events after a number, in one piece, the number of the last
// one, and whether the reader has finished with it: the stream has ended, or ctx
// is done since another one reads, or something was lost before it was read. A
// client that comes back is told of that; on the stream of the session itself
// it would be no matter.
func (st *Stream) Since(ctx context.Context, after uint64) (events []byte, last uint64, ended bool) {
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || st.number != 0 && after < st.lost {
		return nil, after, true
	}
	for _, e := range s.events {
		if e.stream == st && e.number > after {
			events = append(events, e.bytes...)
		}
	}
	for s.size > s.table.limits.Events { // one that was kept to be read
		s.drop(0)
	}
	st.read = st.last
	st.handed()
	return events, st.last, st.ended
}

// Wake tells the one reader that there is something new.
func (st *Stream) Wake() <-chan struct{} { return st.wake }
