package core

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

// This file is what typed state and flows share: how a round's token is keyed,
// bound, limited and refused.

// opened is what a call has opened: typed state, or the journal of a flow.
type opened struct {
	by     any // the *State or *flow that it was opened for
	claims seal.Claims
	asked  []string // keys that the sealed round asked
	quiet  int      // rounds of the flow that asked nothing
	value  any      // of typed state
	sealed bool     // this round's typed state is on the interim result
}

func (o *opened) hasAsked(key string) bool { return slices.Contains(o.asked, key) }

func (o *opened) flowID() string { return flowID(o.claims) }

func flowID(c seal.Claims) string { return hex.EncodeToString(c.Flow[:]) }

// openRound opens the token that the request brought and claims it, if tokens
// are used once. On the first round of a call there is none, and no payload.
func (ev *Event) openRound(purpose string, m seal.Mode, binds []string) (seal.Claims, []byte, error) {
	codec, err := ev.codec(purpose)
	if err != nil {
		return seal.Claims{}, nil, err
	}
	if ev.call.State == nil {
		return ev.newFlow(), nil, nil
	}
	binding, err := ev.binding(binds)
	if err != nil {
		return seal.Claims{}, nil, err
	}
	claims, payload, err := codec.Open(m, binding, *ev.call.State, ev.now())
	switch {
	case err != nil:
		return claims, nil, ev.refuseState(err)
	case int(claims.Round) > ev.maxRounds():
		return claims, nil, ev.refuseState(&seal.OpenError{Reason: seal.ReasonRounds})
	}
	return claims, payload, ev.claimRound(claims)
}

// sealRound makes the token of this round's interim result. ttl 0 is the
// server's.
func (ev *Event) sealRound(purpose string, m seal.Mode, binds []string, ttl time.Duration, payload []byte) (string, error) {
	claims, err := ev.nextRound(ttl)
	if err != nil {
		return "", err
	}
	binding, err := ev.binding(binds)
	if err != nil {
		return "", err
	}
	codec, err := ev.codec(purpose)
	if err != nil {
		return "", err
	}
	token, err := codec.Seal(m, binding, claims, payload)
	if err != nil {
		return "", ev.misuse("what is to be remembered cannot be sealed: %v", err)
	}
	return token, nil
}

// codec is the host's for one purpose.
func (ev *Event) codec(purpose string) (*seal.Codec, error) {
	if ev.host.Keys == nil {
		return nil, ev.misuse("state needs a key, and the server has none: set Config.Keys, " +
			"for instance to seal.HexKey(os.Getenv(\"STATE_KEY\")) with the output of openssl rand -hex 32")
	}
	return ev.host.Keys.Codec(purpose, ev.host.Audience), nil
}

// binding is what a token of this call is tied to. nil binds all arguments.
func (ev *Event) binding(binds []string) (seal.Binding, error) {
	digest, err := requestDigest(ev.call, binds)
	if err != nil {
		return seal.Binding{}, ev.misuse("the arguments cannot be bound: %v", err)
	}
	principal, err := ev.call.Principal.binding()
	if err != nil {
		return seal.Binding{}, ev.misuse("%v", err)
	}
	return seal.Binding{Request: digest, Principal: principal}, nil
}

// newFlow begins a flow: the claims of a round before the first.
func (ev *Event) newFlow() seal.Claims {
	ttl := ev.host.FlowTTL
	if ttl == 0 {
		ttl = time.Hour
	}
	c := seal.Claims{FlowUntil: ev.now().Add(ttl)}
	_, _ = rand.Read(c.Flow[:]) // never fails: crypto/rand
	return c
}

var errTooLong = toolText("This call took too long; start again.")

var errRounds = toolText("This call took too many rounds of questions; start again.")

// nextRound is the claims of the token that this round seals.
func (ev *Event) nextRound(ttl time.Duration) (seal.Claims, error) {
	c := ev.opened.claims
	if int(c.Round) >= ev.maxRounds() {
		ev.note(slog.LevelWarn, "too many rounds", string(seal.ReasonRounds))
		return c, errRounds
	}
	c.Round++
	if ttl == 0 {
		ttl = ev.host.RoundTTL
	}
	if ttl == 0 {
		ttl = 10 * time.Minute
	}
	c.Issued = ev.now()
	c.Expires = c.Issued.Add(ttl)
	if !c.FlowUntil.After(c.Issued) { // it ended while the handler ran
		ev.note(slog.LevelWarn, "the flow is over", string(seal.ReasonFlowExpired))
		return c, errTooLong
	}
	_, _ = rand.Read(c.ID[:])
	return c, nil
}

func (ev *Event) maxRounds() int {
	if ev.host.MaxRounds == 0 {
		return 8
	}
	return ev.host.MaxRounds
}

// refuseState fails the request with the one answer that every bad state gets.
func (ev *Event) refuseState(err error) error {
	open, ok := errors.AsType[*seal.OpenError](err)
	if !ok {
		return ev.misuse("the state cannot be opened: %v", err) // the server's own mistake
	}
	return ev.fail(InvalidState(), string(open.Reason), "")
}

// Round is the number of this round of the call: 1 on the first, as far as
// sealed state that was opened proves it; without state it is always 1.
func (ev *Event) Round() int {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if ev.opened == nil {
		return 1
	}
	return int(ev.opened.claims.Round) + 1
}
