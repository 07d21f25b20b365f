package jwtrecipes_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

const (
	issuerURL = "https://id.example"
	audience  = "https://bank.example/mcp"
)

// issuer signs with ES256.
type issuer struct {
	t   testing.TB
	url string
	key *ecdsa.PrivateKey
}

func newIssuer(t testing.TB, url string) *issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return &issuer{t, url, key}
}

// keys is the issuer's Keyfunc.
func (i *issuer) keys(*jwt.Token) (any, error) { return &i.key.PublicKey, nil }

// claims are good ones with changes; nil takes a claim away.
func (i *issuer) claims(changes jwt.MapClaims) jwt.MapClaims {
	all := jwt.MapClaims{"iss": i.url, "sub": "ada", "aud": audience, "exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// token signs claims with changes; header is on top of alg and typ.
func (i *issuer) token(header map[string]any, changes jwt.MapClaims) string {
	i.t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodES256, i.claims(changes))
	maps.Copy(token.Header, header)
	signed, err := token.SignedString(i.key)
	must(i.t, err)
	return signed
}

// config accepts what the issuer signs; Keyfunc is for Verify to add.
func (i *issuer) config() jwtbind.Config {
	return jwtbind.Config{Issuers: []string{i.url}, Audience: audience, Methods: []string{"ES256"}}
}

func fromContext(t testing.TB, cfg jwtbind.Config) core.Authenticator {
	t.Helper()
	who, err := jwtbind.FromContext(cfg)
	must(t, err)
	return who
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// invalid fails unless err is a refused token.
func invalid(t testing.TB, p core.Identity, err error) {
	t.Helper()
	if !errors.Is(err, jwtbind.ErrInvalidToken) || p.Valid() {
		t.Fatalf("got %+v, %v, want an invalid token", p, err)
	}
}
