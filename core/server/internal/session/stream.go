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
	session *Session
	number  uint64

	// Guarded by the session's lock.
	last    uint64 // number of the last event
	lost    uint64 // number of the last event that is not kept any more
	ended   bool
	endedAt time.Time
	readers uint64 // that have read it, so the number of the one that does
	leave   context.CancelFunc
	wake    chan struct{}
}

// event is one that is kept.
type event struct {
	stream *Stream
	number uint64
	bytes  []byte
}

// Open begins the stream of a call.
func (s *Session) Open() *Stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	return s.stream(s.opened)
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
		st = &Stream{session: s, number: number, wake: make(chan struct{}, 1)}
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

// EventID is the id of the last event.
func (st *Stream) EventID() string {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	return st.eventID()
}

func (st *Stream) eventID() string {
	return strconv.FormatUint(st.number, 10) + "-" + strconv.FormatUint(st.last, 10)
}

// Last is the number of the last event.
func (st *Stream) Last() uint64 {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	return st.last
}

// Append numbers an event, keeps it, and returns it with its id.
func (st *Stream) Append(message []byte) []byte {
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	st.last++
	framed := slices.Concat([]byte("id: "+st.eventID()+"\n"), message)
	s.keep(event{st, st.last, framed})
	select {
	case st.wake <- struct{}{}:
	default:
	}
	return framed
}

// keep makes room by what is oldest.
func (s *Session) keep(e event) {
	most := s.table.limits.Events
	for len(s.events) > 0 && s.size+len(e.bytes) > most {
		s.drop(0)
	}
	if s.ended || len(e.bytes) > most {
		e.stream.lost = e.number
		return
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

// forget drops everything of a stream.
func (s *Session) forget(st *Stream) {
	s.events = slices.DeleteFunc(s.events, func(e event) bool {
		if e.stream == st {
			s.size -= len(e.bytes)
		}
		return e.stream == st
	})
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
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

// Take makes the caller the only reader: the context of the one before ends.
// The function must be called when he has finished.
func (st *Stream) Take(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	st.expel()
	st.readers++
	mine := st.readers
	st.leave = cancel
	if s.ended {
		cancel()
	}
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		if st.readers == mine {
			st.leave = nil
		}
	}
}

func (st *Stream) expel() {
	if st.leave != nil {
		st.leave()
		st.leave = nil
	}
}

// Taken reports whether somebody reads it, by [Stream.Take].
func (st *Stream) Taken() bool {
	st.session.mu.Lock()
	defer st.session.mu.Unlock()
	return st.leave != nil
}

// Since returns the events after a number, in one piece, the number of the last
// one, and whether the stream has ended with it.
func (st *Stream) Since(after uint64) (events []byte, last uint64, ended bool) {
	s := st.session
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if e.stream == st && e.number > after {
			events = append(events, e.bytes...)
		}
	}
	return events, st.last, st.ended
}

// Wake tells the one reader that there is something new.
func (st *Stream) Wake() <-chan struct{} { return st.wake }
