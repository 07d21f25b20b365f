package seal

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
)

// Ring is the set of keys of a server. The first active key seals; every key
// that is not retired opens. It is safe for concurrent use, and the keys are
// replaced as a whole: a token is sealed or opened under the old set or the new
// one, never a mixture.
//
// To rotate without losing a token: add the new key as [Key.OpenOnly] on every
// instance, then put it first and make the old one OpenOnly, and drop the old
// one when no flow can be older.
type Ring struct {
	// OnOldKey, if not nil, is called with the id of the key (as [Key.String]
	// shows it) each time a token was opened under another key than the one
	// that seals. A counter in it tells when an old key can go. Set it before
	// the ring is used; it must be quick and safe for concurrent use.
	OnOldKey func(id string)

	keys   atomic.Pointer[keySet]
	mu     sync.Mutex // writers of codecs
	codecs atomic.Pointer[map[scope]*Codec]
}

// keySet is one state of a ring, never changed once it is stored.
type keySet struct {
	keys    []Key
	sealing int
}

type scope struct{ purpose, audience string }

// NewRing makes a ring. Its error names every problem of every key at once and
// shows none of them: keys under 32 bytes, with repeated, counting or fewer
// than 8 different bytes, badly written, the zero Key, duplicates, and a ring
// in which no key is active.
func NewRing(keys ...Key) (*Ring, error) {
	r := new(Ring)
	if err := r.Replace(keys...); err != nil {
		return nil, err
	}
	return r, nil
}

// Replace swaps all keys at once. On an error, which is as from [NewRing],
// nothing has changed. Codecs of the ring follow.
func (r *Ring) Replace(keys ...Key) error {
	set, err := newKeySet(keys)
	if err != nil {
		return err
	}
	r.keys.Store(set)
	return nil
}

func newKeySet(keys []Key) (*keySet, error) {
	set := &keySet{sealing: -1}
	var errs []error
	for i, k := range keys {
		if k.secret == nil && k.err == nil {
			k.err = errZeroKey
		}
		if k.err != nil {
			errs = append(errs, fmt.Errorf("parley: keys[%d]: %w", i, k.err))
		}
		for j, other := range keys[:i] {
			if sameSecret(k, other) {
				errs = append(errs, fmt.Errorf("parley: keys[%d]: the same secret as keys[%d]", i, j))
				break
			}
		}
		if k.state == active && set.sealing < 0 {
			set.sealing = i
		}
		set.keys = append(set.keys, k)
	}
	switch {
	case len(keys) == 0:
		errs = append(errs, errors.New("parley: no keys: make one with GenerateKey or `openssl rand -hex 32`"))
	case set.sealing < 0:
		errs = append(errs, errors.New("parley: no active key: one key at least must be neither open only nor retired"))
	}
	return set, errors.Join(errs...)
}

func sameSecret(a, b Key) bool {
	return a.secret != nil && b.secret != nil && subtle.ConstantTimeCompare(a.secret.root(), b.secret.root()) == 1
}

// Ephemeral reports whether the key that seals is an [EphemeralKey], which is
// worth a line in the log of a server that starts.
func (r *Ring) Ephemeral() bool {
	set := r.keys.Load()
	return set != nil && set.keys[set.sealing].secret.ephemeral
}

// Codec returns the codec for one purpose (what the payload is, such as the
// name of a typed state) and one audience (the server that may open it). A
// token opens under the same purpose and audience only. Keys are derived once
// for each state of the ring and kept, and so is the codec: call it as often as
// you like, with names that come from the program and never from a request.
func (r *Ring) Codec(purpose, audience string) *Codec {
	s := scope{purpose, audience}
	if known := r.codecs.Load(); known != nil {
		if c, ok := (*known)[s]; ok {
			return c
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	next := make(map[scope]*Codec)
	if known := r.codecs.Load(); known != nil {
		if c, ok := (*known)[s]; ok {
			return c
		}
		next = maps.Clone(*known)
	}
	next[s] = &Codec{ring: r, scope: s}
	r.codecs.Store(&next)
	return next[s]
}
