package core

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Identity is a caller, and what the credentials that he showed on this request
// allow him.
type Identity struct {
	Principal

	// Scopes are what the credentials were granted (RFC 6749, section 3.3). They
	// bind nothing: they may grow, or shrink, between two rounds of a call, and
	// are checked on each.
	Scopes []string

	// Expires is the first moment at which the credentials are no longer good;
	// open streams end then. Zero: they do not expire.
	Expires time.Time
}

// Header looks up the headers of the request that is served; http.Header fits.
type Header interface {
	Get(name string) string
	Values(name string) []string
}

// Authenticator says who is calling. It is asked once a request, before anything
// of the message is acted on, and must be safe for concurrent use; ctx carries
// what the adapter's context hook put there.
//
// An error refuses the request and its text goes to the log only, so it must
// not hold a token. One that matches [ErrMalformedCredentials] is answered with
// 400, every other one with 401; [ErrNoCredentials] and [ErrInvalidToken] decide
// what the challenge says (RFC 6750, section 3.1). A panic is answered with 500,
// and the log has the type of its value instead of the value.
type Authenticator interface {
	Authenticate(ctx context.Context, h Header) (Identity, error)
}

// Errors of an [Authenticator], to be matched by those it returns.
var (
	// ErrNoCredentials says that the request has no credentials that are looked
	// at here.
	ErrNoCredentials = errors.New("parley: no credentials")

	// ErrMalformedCredentials says that there is an Authorization header which
	// cannot be read: sent twice, or not a scheme and one token.
	ErrMalformedCredentials = errors.New("parley: malformed Authorization header")

	// ErrInvalidToken says that there are credentials and they are not accepted:
	// expired, forged, for somebody else.
	ErrInvalidToken = errors.New("parley: invalid token")
)

// PrincipalFunc is an [Authenticator] whose callers have no scopes and whose
// credentials do not expire: for sessions, client certificates and API keys.
type PrincipalFunc func(ctx context.Context, h Header) (Principal, error)

// Authenticate calls f.
func (f PrincipalFunc) Authenticate(ctx context.Context, h Header) (Identity, error) {
	p, err := f(ctx, h)
	return Identity{Principal: p}, err
}

type identityKey struct{}

// WithIdentity returns a context that says who is calling, for
// [IdentityFromContext]. It belongs into an adapter's WithContext option, behind
// middleware that has verified the caller on this request. Where that has found
// nobody, do not call it.
func WithIdentity(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// IdentityFromContext returns an [Authenticator] that believes what
// [WithIdentity] has put into the context of the request. Without it a request
// has no credentials, whatever its headers say.
func IdentityFromContext() Authenticator { return fromContext{} }

type fromContext struct{}

func (fromContext) Authenticate(ctx context.Context, _ Header) (Identity, error) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	if !ok {
		return Identity{}, ErrNoCredentials
	}
	return id, nil
}

// ValidScope reports whether s is one scope: printable ASCII without spaces,
// quotes and backslashes (RFC 6749, section 3.3).
func ValidScope(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return s != ""
}

// Scopes are what a caller needs to use a feature, all of them. Without them it
// is in no list for him, and using it is answered with 403 and a challenge that
// names them all, so that his client can ask for more. They are checked on every
// round of a call. The server needs an [Authenticator] that knows scopes.
func Scopes(scopes ...string) FeatureOption {
	return func(d *definition) {
		for _, s := range scopes {
			switch {
			case !ValidScope(s):
				d.problem("the scope %q: allowed is printable ASCII without spaces, quotes and backslashes", s)
			case s == "offline_access":
				d.problem("the scope %q is for refresh tokens, and no feature needs it", s)
			case slices.Contains(d.scopes, s):
				d.problem("the scope %q is given twice", s)
			default:
				d.scopes = append(d.scopes, s)
			}
		}
	}
}
