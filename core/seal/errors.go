package seal

import "errors"

// MaxToken is the length in bytes up to which a token is looked at, and up to
// which one is made. [Codec.Open] refuses a longer string before it reads any
// of it.
const MaxToken = 65536

// ErrToken is matched by every error that [Codec.Open] returns because of the
// token it was given. An error of Open that does not match it is a mistake of
// the server: a ring without keys, a mode that is none, a binding that names
// nobody.
var ErrToken = errors.New("parley: token refused")

// Reason says why a token was refused, in words that stay the same from
// release to release, for logs and metrics. A client must not see it: which
// check failed is what an attacker wants to know.
type Reason string

// The reasons. The last two are not given by this package, which neither
// counts rounds nor remembers tokens; they stand here so that all causes of a
// refused state have one list.
const (
	ReasonOversize    Reason = "state_oversize"     // longer than MaxToken
	ReasonEncoding    Reason = "state_encoding"     // not a token of the mode asked for
	ReasonUnknownKey  Reason = "state_unknown_key"  // no key of the ring made it, for this purpose and audience
	ReasonIntegrity   Reason = "state_integrity"    // altered, or forged
	ReasonFuture      Reason = "state_future"       // issued more than a minute ahead of this clock
	ReasonExpired     Reason = "state_expired"      // past its own end
	ReasonFlowExpired Reason = "state_flow_expired" // past the end of its flow
	ReasonRequest     Reason = "state_request"      // made for another request
	ReasonPrincipal   Reason = "state_principal"    // made for another principal
	ReasonRounds      Reason = "state_rounds"       // the flow has had all its rounds
	ReasonReplay      Reason = "state_replay"       // used before
)

// OpenError is the error of [Codec.Open] for a token that does not open. It
// matches [ErrToken] and is for the log only. Values are shared between calls:
// read them, do not write to them.
type OpenError struct {
	// Reason is the first check that failed.
	Reason Reason

	// Retired is set with [ReasonUnknownKey] when the token names a key that
	// was retired. Most likely it is an old one; nothing of it was checked.
	Retired bool
}

// Error names the reason.
func (e *OpenError) Error() string {
	if e.Retired {
		return ErrToken.Error() + ": " + string(e.Reason) + " (retired)"
	}
	return ErrToken.Error() + ": " + string(e.Reason)
}

// Is reports whether target is [ErrToken].
func (*OpenError) Is(target error) bool { return target == ErrToken }

// Made once: refusing a token must cost an attacker's victim nothing.
var (
	errOversize    = &OpenError{Reason: ReasonOversize}
	errEncoding    = &OpenError{Reason: ReasonEncoding}
	errUnknownKey  = &OpenError{Reason: ReasonUnknownKey}
	errRetiredKey  = &OpenError{Reason: ReasonUnknownKey, Retired: true}
	errIntegrity   = &OpenError{Reason: ReasonIntegrity}
	errFuture      = &OpenError{Reason: ReasonFuture}
	errExpired     = &OpenError{Reason: ReasonExpired}
	errFlowExpired = &OpenError{Reason: ReasonFlowExpired}
	errRequest     = &OpenError{Reason: ReasonRequest}
	errPrincipal   = &OpenError{Reason: ReasonPrincipal}
)
