package jwtrecipes_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"maps"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/jwtbind"
)

const (
	issuerURL = "https://id.example"
	audience  = "https://bank.example/mcp"
)

// issuer signs with ES256.
type issuer struct {
	t   testing.TB
	key *ecdsa.PrivateKey
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return &issuer{t, key}
}

func (i *issuer) keys(*jwt.Token) (any, error) { return &i.key.PublicKey, nil }

// token signs good claims with changes; nil takes a claim away, and header is
// on top of alg and typ.
func (i *issuer) token(header map[string]any, changes jwt.MapClaims) string {
	i.t.Helper()
	all := jwt.MapClaims{"iss": issuerURL, "sub": "ada", "aud": audience, "exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	token := jwt.NewWithClaims(jwt.SigningMethodES256, all)
	maps.Copy(token.Header, header)
	signed, err := token.SignedString(i.key)
	must(i.t, err)
	return signed
}

// config accepts what the issuer signs; Keyfunc is for Verify to add.
func config() jwtbind.Config {
	return jwtbind.Config{Issuers: []string{issuerURL}, Audience: audience, Methods: []string{"ES256"}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
