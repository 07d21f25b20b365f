package server

import (
	"sync"
	"time"
)

// keepAlive has streams beat that have been quiet for an interval. It is as long
// for all of them, so they stand in the order in which their times come, and
// one timer is enough. One each was an eighth of the time of a small call on one
// core, and on two still takes longer than waiting for this lock.
type keepAlive struct {
	interval time.Duration

	mu          sync.Mutex
	first, last *stream
	setAt       time.Time // the timer
	firesAt     time.Time // zero: there is none
	generation  int       // of the timer: one of another bubble cannot be stopped, only outlived
}

// link is a stream's place in the line. It stands in the stream, since a list of
// package container/list would allocate for every call.
type link struct {
	prev, next *stream
	due        time.Time // zero: in no line
}

// expect has st beat one interval from now, and not before.
func (k *keepAlive) expect(st *stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(st)
	now := time.Now()
	st.link = link{prev: k.last, due: now.Add(k.interval)}
	if k.last != nil {
		k.last.link.next = st
	} else {
		k.first = st
	}
	k.last = st
	// A timer that is long overdue, or was not set before now, is one of a bubble
	// of testing/synctest that is over: it never fires.
	if k.firesAt.IsZero() || now.After(k.firesAt.Add(k.interval)) || !now.After(k.setAt) {
		k.set(now)
	}
}

// forget has st beat no more.
func (k *keepAlive) forget(st *stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(st)
}

func (k *keepAlive) remove(st *stream) {
	l := st.link
	if l.due.IsZero() {
		return
	}
	if l.prev != nil {
		l.prev.link.next = l.next
	} else {
		k.first = l.next
	}
	if l.next != nil {
		l.next.link.prev = l.prev
	} else {
		k.last = l.prev
	}
	st.link = link{}
}

func (k *keepAlive) set(now time.Time) {
	k.setAt, k.firesAt = now, k.first.link.due
	k.generation++
	generation := k.generation
	time.AfterFunc(k.firesAt.Sub(now), func() { k.wake(generation) })
}

func (k *keepAlive) wake(generation int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	for k.first != nil && !k.first.link.due.After(now) {
		st := k.first
		k.remove(st)
		go st.beat() // a client that does not read holds up nobody else
	}
	if generation != k.generation {
		return // a later timer goes on
	}
	k.firesAt = time.Time{}
	if k.first != nil {
		k.set(now)
	}
}
