package session

import (
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
)

// Limits of a table.
type Limits struct {
	Sessions, SessionsPerOwner int
	Parked, ParkedPerOwner     int           // calls that wait for an answer
	ParkedBytes                int           // that all of them together may keep in memory
	Idle                       time.Duration // an unused session ends after it
	Events                     int           // bytes of events that one session keeps
}

// Owner is whom a session belongs to. The zero Owner is anybody who need not
// say who he is; the limits of one owner do not bind them all together.
type Owner struct{ Issuer, Subject, Tenant, Client string }

// retention is how long the events of a stream that has ended are kept, and
// sweeps how often in the idle time somebody looks for sessions to end.
const (
	retention = time.Minute
	sweeps    = 8
)

var (
	// ErrFull says that there are as many sessions as may be.
	ErrFull = errors.New("parley: too many sessions")
	// ErrOwnerFull says that this owner has as many as one may have.
	ErrOwnerFull = errors.New("parley: too many sessions of one principal")
	// ErrClosed says that the table was closed.
	ErrClosed = errors.New("parley: the sessions are closed")
	// ErrEnded is the cause that cancels what runs in a session that has ended.
	ErrEnded = errors.New("parley: the session has ended")
)

// Table knows the sessions. Its methods are safe for concurrent use.
type Table struct {
	limits  Limits
	hub     *hub.Hub
	closing chan struct{}

	mu       sync.Mutex
	closed   bool
	sessions map[string]*Session
	owned    map[Owner]int
	parked   int
	bytes    int // that the parked calls keep
	parkedBy map[Owner]int
	timer    *time.Timer // nil: no session, no timer
}

// New makes a table whose sessions hear of changes through a hub, which must
// have room for as many.
func New(l Limits, h *hub.Hub) *Table {
	return &Table{
		limits: l, hub: h, closing: make(chan struct{}),
		sessions: make(map[string]*Session), owned: make(map[Owner]int), parkedBy: make(map[Owner]int),
	}
}

// Client is what a client says of itself when its session begins.
type Client struct {
	Version            string // negotiated
	Info, Capabilities []byte // as they were sent; copied
}

// Create begins a session and takes part in it, so that [Session.Leave] must
// follow. Its id is 128 bits of chance.
func (t *Table) Create(o Owner, c Client) (*Session, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, ErrClosed
	case len(t.sessions) >= t.limits.Sessions:
		return nil, ErrFull
	case o != Owner{} && t.owned[o] >= t.limits.SessionsPerOwner:
		return nil, ErrOwnerFull
	}
	sub, err := t.hub.Subscribe(hub.Tools|hub.Prompts|hub.Resources, nil, time.Time{})
	switch {
	case errors.Is(err, hub.ErrClosed):
		return nil, ErrClosed
	case err != nil:
		return nil, err
	}
	s := &Session{
		id: rand.Text(), version: c.Version, table: t, owner: o, sub: sub,
		info: slices.Clone(c.Info), capabilities: slices.Clone(c.Capabilities),
		busy: 1, last: time.Now(),
	}
	t.sessions[s.id] = s
	t.owned[o]++
	if t.timer == nil {
		t.timer = time.AfterFunc(t.tick(), t.sweep)
	}
	return s, nil
}

// Enter finds the session of an id and takes part in it; [Session.Leave] must
// follow. It is nil for an id that nobody has, or somebody else.
func (t *Table) Enter(id string, o Owner) *Session {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sessions[id]
	if s == nil || s.owner != o {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy++
	return s
}

// End ends a session: what runs in it is cancelled, and its id is nobody's.
func (t *Table) End(s *Session) {
	t.mu.Lock()
	known := t.remove(s)
	t.mu.Unlock()
	if known {
		s.end()
	}
}

// remove takes s out of the table; false when it is out already.
func (t *Table) remove(s *Session) bool {
	if t.sessions[s.id] != s {
		return false
	}
	delete(t.sessions, s.id)
	if t.owned[s.owner]--; t.owned[s.owner] == 0 {
		delete(t.owned, s.owner)
	}
	if len(t.sessions) == 0 && t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	return true
}

// Close lets no session begin, and wakes whoever waits on Closing. Calls go on
// until they have ended by themselves; the sessions themselves end with them.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	close(t.closing)
	if t.timer != nil {
		t.timer.Reset(0)
	}
}

// Closing is closed when the table is.
func (t *Table) Closing() <-chan struct{} { return t.closing }

// Len is the number of sessions.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.sessions)
}

func (t *Table) tick() time.Duration {
	if t.closed {
		return retention / 60
	}
	return max(min(t.limits.Idle, retention)/sweeps, time.Millisecond)
}

// sweep ends the sessions that nobody uses, and forgets events that nobody
// came for. A closed table waits only for those that are in use.
func (t *Table) sweep() {
	now := time.Now()
	t.mu.Lock()
	var over []*Session
	idle := t.limits.Idle
	if t.closed {
		idle = 0
	}
	for s := range maps.Values(t.sessions) {
		if s.expired(now, idle) {
			over = append(over, s)
		}
	}
	for _, s := range over {
		t.remove(s)
	}
	if t.timer != nil {
		t.timer.Reset(t.tick())
	}
	t.mu.Unlock()
	for _, s := range over {
		s.end()
	}
}

// Park takes one of the places for calls that wait for an answer, for one that
// keeps so many bytes; Unpark must follow. It is false when all are taken, or
// all of this owner's, or there is no room for the bytes.
func (t *Table) Park(o Owner, size int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.parked >= t.limits.Parked || t.bytes+size > t.limits.ParkedBytes ||
		o != (Owner{}) && t.parkedBy[o] >= t.limits.ParkedPerOwner {
		return false
	}
	t.parked++
	t.bytes += size
	t.parkedBy[o]++
	return true
}

// Unpark gives the place back.
func (t *Table) Unpark(o Owner, size int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parked--
	t.bytes -= size
	if t.parkedBy[o]--; t.parkedBy[o] == 0 {
		delete(t.parkedBy, o)
	}
}

// Parked is how many calls wait.
func (t *Table) Parked() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.parked
}
