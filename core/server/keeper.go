package server

import (
	"sync"
	"time"
)

// keeper has streams beat that have been quiet for an interval. It is as long
// for all of them, so they stand in the order in which their times come, and
// one timer is enough: one each was an eighth of the time of a small call.
type keeper struct {
	interval time.Duration

	mu          sync.Mutex
	first, last *stream
	since       time.Time // when the timer was set
	wakes       time.Time // when it fires; zero: there is none
	turn        int       // counts timers; only the last one means anything
}

// place is where a stream stands; guarded by the keeper's lock.
type place struct {
	before, behind *stream
	due            time.Time // zero: in no line
}

// expect has st beat one interval from now, and not before.
func (k *keeper) expect(st *stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(st)
	now := time.Now()
	st.place = place{before: k.last, due: now.Add(k.interval)}
	if k.last != nil {
		k.last.place.behind = st
	} else {
		k.first = st
	}
	k.last = st
	// A timer that is overdue, or was set later than now, is one of a bubble of
	// testing/synctest that is over: it never fires.
	if k.wakes.IsZero() || now.After(k.wakes) || !now.After(k.since) {
		k.set(now)
	}
}

// forget has st beat no more.
func (k *keeper) forget(st *stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(st)
}

func (k *keeper) remove(st *stream) {
	p := st.place
	if p.due.IsZero() {
		return
	}
	if p.before != nil {
		p.before.place.behind = p.behind
	} else {
		k.first = p.behind
	}
	if p.behind != nil {
		p.behind.place.before = p.before
	} else {
		k.last = p.before
	}
	st.place = place{}
}

func (k *keeper) set(now time.Time) {
	k.since, k.wakes = now, k.first.place.due
	k.turn++
	turn := k.turn
	time.AfterFunc(k.wakes.Sub(now), func() { k.wake(turn) })
}

func (k *keeper) wake(turn int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if turn != k.turn {
		return
	}
	now := time.Now()
	for k.first != nil && !k.first.place.due.After(now) {
		st := k.first
		k.remove(st)
		go st.beat() // a client that does not read holds up nobody else
	}
	k.wakes = time.Time{}
	if k.first != nil {
		k.set(now)
	}
}
