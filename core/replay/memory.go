package replay

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"sync"
	"time"
)

// memory keeps claims by id, and in a heap by the time they go. There is no
// timer and no goroutine: whoever begins a claim clears away a few old ones.
type memory struct {
	capacity int

	mu     sync.Mutex
	claims map[[32]byte]*claim
	oldest queue
}

type claim struct {
	id, digest [32]byte
	until      time.Time
	done       bool
	result     []byte
	at         int // its place in the queue
}

// NewMemory returns a store that holds at most capacity claims, in this process
// only: two instances of a server need a store that they share. It forgets
// nothing before its time and refuses with [ErrFull] when there is no room. A
// claim takes about 300 bytes and its result. It panics if
// capacity is not positive.
func NewMemory(capacity int) Store {
	if capacity < 1 {
		panic(fmt.Sprintf("parley: replay: NewMemory(%d): a store holds at least one claim", capacity))
	}
	return &memory{capacity: capacity, claims: make(map[[32]byte]*claim)}
}

// Begin implements [Store].
func (m *memory) Begin(ctx context.Context, id, digest [32]byte, until time.Time) (Claim, error) {
	if err := ctx.Err(); err != nil {
		return Claim{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if !until.After(now) {
		return Claim{}, fmt.Errorf("parley: replay: a claim until %v, which is not in the future", until)
	}
	m.expire(now)
	if c := m.live(id, now); c != nil {
		switch {
		case c.digest != digest:
			return Claim{Status: Conflict}, nil
		case c.done:
			return Claim{Status: Done, Result: bytes.Clone(c.result)}, nil
		default:
			return Claim{Status: InFlight}, nil
		}
	}
	if len(m.claims) >= m.capacity {
		return Claim{}, ErrFull
	}
	c := &claim{id: id, digest: digest, until: until}
	m.claims[id] = c
	heap.Push(&m.oldest, c)
	return Claim{Status: Fresh}, nil
}

// Finish implements [Store]. The context is not looked at: what happened is
// stored.
func (m *memory) Finish(_ context.Context, id [32]byte, result []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.live(id, time.Now())
	if c == nil || c.done {
		return ErrNoClaim
	}
	c.done = true
	c.result = bytes.Clone(result)
	return nil
}

// Release implements [Store]. The context is not looked at.
func (m *memory) Release(_ context.Context, id [32]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.live(id, time.Now())
	if c == nil || c.done {
		return ErrNoClaim
	}
	m.drop(c)
	return nil
}

// live returns the claim of an id, unless it has expired.
func (m *memory) live(id [32]byte, now time.Time) *claim {
	c := m.claims[id]
	if c == nil {
		return nil
	}
	if !now.Before(c.until) {
		m.drop(c)
		return nil
	}
	return c
}

// expire drops two claims that have expired, if there are. Since one is added
// for two that go, the old ones do not pile up, and nobody waits while a
// thousand are cleared away; a full store has room if any has expired.
func (m *memory) expire(now time.Time) {
	for range 2 {
		if len(m.oldest) == 0 || now.Before(m.oldest[0].until) {
			return
		}
		m.drop(m.oldest[0])
	}
}

func (m *memory) drop(c *claim) {
	heap.Remove(&m.oldest, c.at)
	delete(m.claims, c.id)
}

// queue is a heap of claims by the time they go.
type queue []*claim

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].until.Before(q[j].until) }

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

func (q *queue) Push(x any) {
	c := x.(*claim)
	c.at = len(*q)
	*q = append(*q, c)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return c
}
