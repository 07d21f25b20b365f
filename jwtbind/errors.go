package jwtbind

import (
	"context"

	"github.com/parleymcp/parley/core"
)

// Errors of what [Verify] and [FromContext] make, which are those of package core
// under the names of this one; one of them is in the chain of each. The texts say
// what was wrong and hold nothing that was in the request: no token, no header,
// no claim. They are for the log. What a client is told of them is in RFC 6750,
// section 3.1.
var (
	// ErrNoToken says that the request has no bearer token: no Authorization
	// header or one of another scheme, or nothing in its context. It is a 401
	// without an error code.
	ErrNoToken = core.ErrNoCredentials

	// ErrMalformed says that there is an Authorization header that cannot be
	// read: sent twice, or not a scheme and one token. It is a 400 with
	// invalid_request.
	ErrMalformed = core.ErrMalformedCredentials

	// ErrInvalidToken says that there is a token and it is not accepted. It is
	// a 401 with invalid_token. In the chain there may be errors of the JWT
	// library, such as jwt.ErrTokenSignatureInvalid, and what a Keyfunc returned;
	// their texts are not part of this one's.
	ErrInvalidToken = core.ErrInvalidToken
)

// refusal is one of the errors above with a reason. Its text is written here
// and nowhere else, since those of other packages quote what they read.
type refusal struct {
	kind   error
	reason string
	causes []error
}

func (r *refusal) Error() string { return r.kind.Error() + ": " + r.reason }

func (r *refusal) Unwrap() []error { return append([]error{r.kind}, r.causes...) }

func malformed(reason string) error { return &refusal{kind: ErrMalformed, reason: reason} }

func invalid(reason string, causes ...error) error {
	return &refusal{kind: ErrInvalidToken, reason: reason, causes: causes}
}

// refuseAll is returned beside a configuration error: with nil, to whoever
// overlooks that error, every caller would be anonymous.
type refuseAll struct{ err error }

func (r refuseAll) Authenticate(context.Context, core.Header) (core.Identity, error) {
	return core.Identity{}, r.err
}
