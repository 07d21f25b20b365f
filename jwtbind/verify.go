package jwtbind

import (
	"context"
	"errors"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
)

// Verify returns an authenticator that reads the one Authorization header of a
// request, verifies the token in it with cfg.Keyfunc, and returns whom it names,
// with its scopes and its end. A token anywhere else, such as in the query, is
// never read (MCP 2026-07-28, basic/authorization). The error reports everything
// that is wrong with cfg; what is beside it refuses every request.
//
// A token is accepted if its alg is one of cfg.Methods, iss one of cfg.Issuers
// and aud cfg.Audience; if it has an exp that has not passed, and no nbf or iat
// in the future; if sub is a string that is not blank; if typ is absent or that
// of an access token (JWT, at+jwt, application/at+jwt); if it has no crit, no
// member twice, and at most 16 KiB.
func Verify(cfg Config) (core.Authenticator, error) {
	p, err := cfg.policy(true)
	if err != nil {
		return refuseAll{err}, err
	}
	v := &verifier{policy: p, keyfunc: cfg.Keyfunc, parser: jwt.NewParser(
		jwt.WithValidMethods(p.methods),
		jwt.WithStrictDecoding(),
		jwt.WithoutClaimsValidation(), // policy.identity has done it, from the bytes that were signed
	)}
	return v, nil
}

type verifier struct {
	policy

	keyfunc jwt.Keyfunc
	parser  *jwt.Parser
}

// Authenticate leaves the signature to the end, so that a key is looked up only
// for a token that needs one: Keyfunc may ask the network.
func (v *verifier) Authenticate(_ context.Context, h core.Header) (core.Identity, error) {
	if v.anonymous && len(h.Values(authorization)) == 0 {
		return core.Identity{Principal: core.Anonymous}, nil
	}
	raw, err := bearer(h)
	if err != nil {
		return core.Identity{}, err
	}
	header, claims, err := read(raw)
	if err != nil {
		return core.Identity{}, err
	}
	if err := v.checkHeader(header); err != nil {
		return core.Identity{}, err
	}
	who, err := v.identity(claims)
	if err != nil {
		return core.Identity{}, err
	}
	if err := v.verify(raw); err != nil {
		return core.Identity{}, err
	}
	return who, nil
}

var errWeakSecret = errors.New("parley: a shared secret is shorter than its hash (RFC 7518, section 3.2)")

func (v *verifier) verify(raw string) error {
	token, err := v.parser.Parse(raw, v.key)
	switch {
	case err == nil && token.Valid:
		return nil
	case errors.Is(err, errWeakSecret):
		return invalid("the secret from Keyfunc is shorter than its hash (RFC 7518, section 3.2)", err)
	case errors.Is(err, jwt.ErrTokenUnverifiable):
		return invalid("Keyfunc has no key for it", err)
	case errors.Is(err, jwt.ErrInvalidKeyType):
		return invalid("the key from Keyfunc is not for its alg", err)
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return invalid("its signature does not verify", err)
	}
	return invalid("the JWT library does not accept it", err)
}

// key is cfg.Keyfunc, without secrets that can be guessed: the library takes
// even an empty one, which an unset environment variable is.
func (v *verifier) key(token *jwt.Token) (any, error) {
	key, err := v.keyfunc(token)
	if err != nil {
		return nil, err
	}
	method, shared := token.Method.(*jwt.SigningMethodHMAC)
	if !shared {
		return key, nil
	}
	keys := []jwt.VerificationKey{key}
	if set, ok := key.(jwt.VerificationKeySet); ok {
		keys = set.Keys
	}
	for _, k := range keys {
		if secret, ok := k.([]byte); ok && len(secret) < method.Hash.Size() {
			return nil, errWeakSecret
		}
	}
	return key, nil
}
