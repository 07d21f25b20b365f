package jwtbind

import (
	"context"
	"errors"

	"github.com/parleymcp/parley/core"
)

// Errors of the functions that [Verify] and [FromContext] make; one of them is
// in the chain of each. The texts say what was wrong and hold nothing that was
// in the request: no token, no header, no claim. They are for the log. What a
// client may be told of them is in RFC 6750, section 3.1.
var (
	// ErrNoToken says that the request has no bearer token: no Authorization
	// header or one of another scheme, or nothing in its context. It is a 401
	// without an error code.
	ErrNoToken = errors.New("parley: no bearer token")

	// ErrMalformed says that there is an Authorization header that cannot be
	// read: sent twice, or not a scheme and one token. It is a 400 with
	// invalid_request.
	ErrMalformed = errors.New("parley: malformed Authorization header")

	// ErrInvalidToken says that there is a token and it is not accepted. It is
	// a 401 with invalid_token. In the chain there may be errors of the JWT
	// library, such as jwt.ErrTokenSignatureInvalid, and what a Keyfunc returned;
	// their texts are not part of this one's.
	ErrInvalidToken = errors.New("parley: invalid token")
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

// refuseAll is returned beside a configuration error: with a nil function, to
// whoever overlooks that error, every caller would be anonymous.
func refuseAll(err error) core.PrincipalFunc {
	return func(context.Context, core.Header) (core.Principal, error) { return core.Principal{}, err }
}
