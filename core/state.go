package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// State is what a handler must remember between the rounds of one call: a
// value of type T that travels through the client as requestState, sealed and
// bound to the method, the tool, its arguments, the caller and the server, so
// that it opens for no other call and no other caller (MCP 2026-07-28,
// basic/patterns/mrtr: request state). It is declared once, as a package
// variable: keys and caller are the server's.
//
// It is signed, not encrypted, unless [StateEncrypted] says so: the client can
// read it. It does not accumulate: what the next round needs is sealed again.
type State[T any] struct {
	name  string
	mode  seal.Mode
	ttl   time.Duration // 0: the server's
	binds []string      // nil: all arguments
}

// StateOption changes how a [State] is sealed.
type StateOption func(*stateOptions)

type stateOptions struct {
	mode  seal.Mode
	ttl   *time.Duration
	long  bool
	binds []string
}

// maxStateTTL is the longest lifetime of one round that needs no special word.
const maxStateTTL = 24 * time.Hour

// StateTTL is how long one round's state lives: how long the user may take to
// answer. The default is the server's RoundTTL, 10 minutes; at most 24 hours.
func StateTTL(ttl time.Duration) StateOption { return func(o *stateOptions) { o.ttl = &ttl } }

// DangerouslyLongStateTTL is [StateTTL] beyond 24 hours: a stolen state can be
// replayed for as long.
func DangerouslyLongStateTTL(ttl time.Duration) StateOption {
	return func(o *stateOptions) { o.ttl, o.long = &ttl, true }
}

// StateEncrypted hides the value from the client, with XAES-256-GCM.
func StateEncrypted() StateOption { return func(o *stateOptions) { o.mode = seal.Encrypted } }

// StateBinds ties the state to the named arguments only, so that the client
// may change the others between rounds; without a name, to none.
func StateBinds(arguments ...string) StateOption {
	return func(o *stateOptions) { o.binds = append([]string{}, arguments...) }
}

// NewState declares typed state. The name keeps its tokens apart from those of
// other states; T is anything that encoding/json can encode. It panics on a
// blank name or a lifetime that is not positive, or over 24 hours.
func NewState[T any](name string, opts ...StateOption) *State[T] {
	o := stateOptions{mode: seal.Signed}
	for _, opt := range opts {
		opt(&o)
	}
	err := checkText("name of a state", name)
	if o.ttl != nil && (*o.ttl <= 0 || *o.ttl > maxStateTTL && !o.long) {
		err = errors.Join(err, fmt.Errorf(
			"the lifetime %v must be above 0 and at most %v; see DangerouslyLongStateTTL", *o.ttl, maxStateTTL))
	}
	if err != nil {
		panic(fmt.Sprintf("parley: NewState %q: %v", name, err))
	}
	s := &State[T]{name: name, mode: o.mode, binds: o.binds}
	if o.ttl != nil {
		s.ttl = *o.ttl
	}
	return s
}

// sealedState is the payload of a token: an object with asked, quiet and value.
type sealedState struct {
	asked []string
	quiet int
	value json.RawMessage
}

func (p *sealedState) encode() []byte {
	out := append(make([]byte, 0, len(p.value)+64), `{"asked":[`...)
	for i, key := range p.asked {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendString(out, key)
	}
	out = append(out, `],"quiet":`...)
	out = strconv.AppendInt(out, int64(p.quiet), 10)
	out = append(append(out, `,"value":`...), p.value...)
	return append(out, '}')
}

func (p *sealedState) decode(payload []byte) bool {
	ok := true
	object := jsonx.Members(payload, func(name string, value []byte) {
		switch name {
		case "asked":
			ok = ok && jsonx.Unmarshal(value, &p.asked) == nil
		case "quiet":
			ok = ok && jsonx.Unmarshal(value, &p.quiet) == nil
		case "value":
			p.value = value
		default:
			ok = false
		}
	})
	return object && ok && p.value != nil
}

// maxQuietRounds is how many rounds of a flow may ask nothing: go-sdk's client
// gives up at the third.
const maxQuietRounds = 2

// Open returns what the last round sealed, or the zero value if the request
// carries no state: the first round. It comes before any answer is read; from
// then on only answers to what that round asked count.
//
// State that is not intact, expired, or sealed for another call or caller fails
// the request with −32602, the same for all of these; return the error.
func (s *State[T]) Open(ev *Event) (T, error) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	var value T
	if err := ev.enter(styleState, "State.Open"); err != nil {
		return value, err
	}
	if ev.failure != nil {
		return value, ev.failure.err
	}
	if ev.opened != nil {
		if ev.opened.by != any(s) {
			return value, ev.misuse("a second typed state, %q, is opened in one call", s.name)
		}
		value, _ = ev.opened.value.(T)
		return value, nil
	}
	claims, payload, err := ev.openRound(s.purpose(), s.mode, s.binds)
	if err != nil {
		return value, err
	}
	var sealed sealedState
	if payload != nil && (!sealed.decode(payload) || jsonx.UnmarshalUserStrict(sealed.value, &value) != nil) {
		var zero T
		return zero, ev.refuseState(&seal.OpenError{Reason: seal.ReasonEncoding})
	}
	ev.opened = &opened{by: s, claims: claims, asked: sealed.asked, quiet: sealed.quiet, value: value}
	return value, nil
}

// InputRequired seals v and asks, in one call; return its error, as that of
// [Event.InputRequired]. Without asks the client only comes back with the
// state, for work that takes several calls; a flow may do that twice.
func (s *State[T]) InputRequired(ev *Event, v T, asks ...InputRequest) error {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if err := ev.enter(styleState, "State.InputRequired"); err != nil {
		return err
	}
	switch {
	case ev.failure != nil:
		return ev.failure.err
	case ev.opened == nil || ev.opened.by != any(s):
		return ev.misuse("the typed state %q is sealed before it is opened", s.name)
	case ev.opened.sealed:
		return ev.misuse("the typed state %q is sealed twice in one round", s.name)
	}
	token, err := s.seal(ev, v, asks)
	if err != nil {
		return err
	}
	err = ev.pause(asks, token)
	ev.opened.sealed = pauseIn(err) != nil
	return err
}

func (s *State[T]) seal(ev *Event, v T, asks []InputRequest) (string, error) {
	next := sealedState{quiet: ev.opened.quiet}
	for _, ask := range asks {
		next.asked = append(next.asked, ask.Key())
	}
	if len(asks) == 0 {
		if next.quiet++; next.quiet > maxQuietRounds {
			return "", ev.misuse("a third round without a question: clients stop there")
		}
	}
	value, err := jsonx.MarshalUser(v)
	if err != nil {
		return "", ev.misuse("the typed state %q cannot be encoded: %v", s.name, err)
	}
	next.value = value
	return ev.sealRound(s.purpose(), s.mode, s.binds, s.ttl, next.encode())
}

func (s *State[T]) purpose() string { return "state/" + s.name }
