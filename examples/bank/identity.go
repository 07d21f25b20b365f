package main

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"os"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// identity says whose tokens are good. The secret is for development: whoever
// can verify with it can also forge. A real server has the issuer's public keys
// instead, and a jwt.Keyfunc that looks them up.
type identity struct {
	issuer, audience string
	secret           []byte // nil: no token is good
}

// minSecret is the length of a secret for HS256 in bytes (RFC 7518, section 3.2).
const minSecret = 32

// flags declares the flags of an identity; the function it returns reads the
// secret when they are parsed.
func (id *identity) flags(flags *flag.FlagSet) func() error {
	flags.StringVar(&id.issuer, "issuer", "https://id.bank.example", "who issues tokens")
	flags.StringVar(&id.audience, "audience", "https://bank.example/mcp", "whom tokens, and state, are for: this server")
	digits := flags.String("hmac", "", "development key for tokens, at least 64 hexadecimal digits (default $BANK_HMAC)")
	return func() error {
		if *digits == "" {
			*digits = os.Getenv("BANK_HMAC")
		}
		if *digits == "" {
			return nil
		}
		secret, err := hex.DecodeString(*digits)
		if err != nil || len(secret) < minSecret { // err would quote a digit
			return fmt.Errorf("-hmac must be at least %d hexadecimal digits: make some with `openssl rand -hex %d`", 2*minSecret, minSecret)
		}
		id.secret = secret
		return nil
	}
}

// authenticator says who is calling: issuer and subject of a token that was verified
// on this request, so that a refreshed token is the same caller and another
// issuer's subject is not.
func (id *identity) authenticator(anonymous bool) (core.Authenticator, error) {
	if id.secret == nil && anonymous {
		return core.PrincipalFunc(func(context.Context, core.Header) (core.Principal, error) { return core.Anonymous, nil }), nil
	}
	return jwtbind.Verify(jwtbind.Config{
		Issuers:        []string{id.issuer},
		Audience:       id.audience,
		Methods:        []string{jwt.SigningMethodHS256.Alg()},
		Keyfunc:        func(*jwt.Token) (any, error) { return id.secret, nil },
		AllowAnonymous: anonymous,
	})
}
