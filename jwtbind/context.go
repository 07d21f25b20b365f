package jwtbind

import (
	"context"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
)

// broughtKey is the context key of what middleware has verified: a *jwt.Token
// or jwt.MapClaims.
type broughtKey struct{}

// WithToken returns a context with a token that middleware has verified on this
// request, for [FromContext]. It belongs into an adapter's WithContext option.
// The token is one that jwt.Parse returned: what names the caller is read from
// its Raw, as it was signed, not from its Claims. A nil token, or one that is
// not Valid, is refused later on; where there is none, do not call WithToken.
// Of several calls, and calls of [WithClaims], the last counts.
func WithToken(ctx context.Context, token *jwt.Token) context.Context {
	return context.WithValue(ctx, broughtKey{}, token)
}

// WithClaims is [WithToken] for middleware that leaves only claims behind.
//
// It trusts more than WithToken does. What is no longer there cannot be checked:
// that the signature was verified, alg, typ, crit, and whether a member was
// there twice. That is the middleware's to do, so give it the algorithms that it
// accepts, and pass no claims on if it reported an error. iss, aud, exp, nbf, iat
// and sub are checked here again. Where Authorization holds the token anyway,
// [Verify] is the better choice.
//
// Dates are float64, int64, json.Number, time.Time or *jwt.NumericDate; lists
// are []any, []string or jwt.ClaimStrings. Claims that are nil or empty, as some
// middleware returns them for a request without a token, are refused later on
// and never anonymous.
func WithClaims(ctx context.Context, claims jwt.MapClaims) context.Context {
	return context.WithValue(ctx, broughtKey{}, claims)
}

// FromContext returns an authenticator that says whom the token names which
// middleware has verified on this request and [WithToken] or [WithClaims] has
// put into the context. It checks all that [Verify] does except the signature,
// since many middlewares look at nothing else; cfg.Keyfunc must be nil. The
// error reports everything that is wrong with cfg; what is beside it refuses
// every request.
//
// Without a token in the context, a request that has an Authorization header is
// refused even if cfg.AllowAnonymous is set: middleware that lets bad tokens
// pass would make them anonymous.
func FromContext(cfg Config) (core.Authenticator, error) {
	p, err := cfg.policy(false)
	if err != nil {
		return refuseAll{err}, err
	}
	return &brought{p}, nil
}

type brought struct{ policy }

func (p *brought) Authenticate(ctx context.Context, h core.Header) (core.Identity, error) {
	switch b := ctx.Value(broughtKey{}).(type) {
	case *jwt.Token:
		return p.fromToken(b)
	case jwt.MapClaims:
		if len(b) == 0 {
			return core.Identity{}, invalid("WithClaims was given no claims")
		}
		return p.identity(b)
	}
	if len(h.Values(authorization)) > 0 {
		return core.Identity{}, invalid("there is an Authorization header, and no middleware has put a verified token into the context")
	}
	if p.anonymous {
		return core.Identity{Principal: core.Anonymous}, nil
	}
	return core.Identity{}, ErrNoToken
}

func (p *policy) fromToken(token *jwt.Token) (core.Identity, error) {
	if token == nil {
		return core.Identity{}, invalid("WithToken was given nil")
	}
	if !token.Valid {
		return core.Identity{}, invalid("the middleware has not found it valid")
	}
	header, claims, err := read(token.Raw)
	if err != nil {
		return core.Identity{}, err
	}
	if err := p.checkHeader(header); err != nil {
		return core.Identity{}, err
	}
	return p.identity(claims)
}
