package replay

import (
	"context"
	"errors"
	"time"
)

// Store keeps claims. It is safe for concurrent use, and by all instances of a
// server that may see the same request. Any error means that nothing may be
// done: a store that cannot answer must not let an effect happen.
//
// A claim is named by an id that nobody can choose, such as a digest of a
// random flow id. It is Fresh once, then in flight until it is finished or
// released, and gone at a time that is set when it begins. Whoever got Fresh is
// the only one to finish or release it.
type Store interface {
	// Begin claims id until a time, with a digest of what the effect depends
	// on. Exactly one of all calls for an id is told Fresh, and that one may
	// cause the effect. For the others nothing changes, neither digest nor
	// time: they are told InFlight or Done, or Conflict if their digest is
	// another. A time that is not in the future is an error.
	//
	// Redis 7: SET id digest NX PXAT until GET, with until in milliseconds. No
	// reply is Fresh; otherwise the first 32 bytes of the reply are compared
	// with digest, and a reply that is longer is Done, with the result after a
	// separator.
	Begin(ctx context.Context, id, digest [32]byte, until time.Time) (Claim, error)

	// Finish stores the result of an effect that happened, for as long as its
	// claim lasts. It is an error that matches ErrNoClaim if the claim is not
	// in flight: never begun, gone, released, or finished before. Callers pass
	// a context that outlives the request, since the effect cannot be undone.
	//
	// Redis: a script that, if STRLEN id is 32, does APPEND id with a separator
	// and the result; that keeps the time to live.
	Finish(ctx context.Context, id [32]byte, result []byte) error

	// Release gives a claim back whose effect returned an error, so that it may
	// begin again, with the same digest or another. It is an error as from
	// Finish if the claim is not in flight; a result is never dropped.
	//
	// Redis: a script that, if STRLEN id is 32, does DEL id.
	Release(ctx context.Context, id [32]byte) error
}

// Claim is the answer of [Store.Begin].
type Claim struct {
	Status Status

	// Result is what the effect returned, if Status is Done. It is the
	// caller's own.
	Result []byte
}

// Status says what a caller of [Store.Begin] may do.
type Status int

// The states of a claim, as the one who asks for it sees them.
const (
	Fresh    Status = iota // it is the caller's: cause the effect, then Finish or Release
	InFlight               // another has it and is not done: try again later
	Done                   // it happened: take the result
	Conflict               // another has or had it with another digest: refuse
)

var (
	// ErrFull is matched by the error of a store that has no room for another
	// claim and nothing that has expired.
	ErrFull = errors.New("parley: replay: the store is full")

	// ErrNoClaim is matched by the error of Finish and Release for a claim that
	// is not in flight.
	ErrNoClaim = errors.New("parley: replay: no such claim is in flight")
)
