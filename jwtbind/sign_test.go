package jwtbind_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// Tokens are signed with the standard library alone, so that what verifies them
// does not judge itself.

const (
	issuer   = "https://id.example"
	audience = "https://bank.example/mcp"
)

var secret = []byte("0123456789abcdef0123456789abcdef")

// signer makes tokens of one algorithm; key is what verifies them.
type signer struct {
	alg  string
	key  any
	sign func(text []byte) []byte
}

func hs256(secret []byte) signer {
	return signer{"HS256", secret, func(text []byte) []byte {
		mac := hmac.New(sha256.New, secret)
		mac.Write(text)
		return mac.Sum(nil)
	}}
}

func rs256(t *testing.T) signer {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	return signer{"RS256", &private.PublicKey, func(text []byte) []byte {
		digest := sha256.Sum256(text)
		sig, err := rsa.SignPKCS1v15(rand.Reader, private, crypto.SHA256, digest[:])
		must(t, err)
		return sig
	}}
}

func es256(t *testing.T) signer {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	return signer{"ES256", &private.PublicKey, func(text []byte) []byte {
		digest := sha256.Sum256(text)
		r, s, err := ecdsa.Sign(rand.Reader, private, digest[:])
		must(t, err)
		sig := make([]byte, 64)
		r.FillBytes(sig[:32])
		s.FillBytes(sig[32:])
		return sig
	}}
}

func eddsa(t *testing.T) signer {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	return signer{"EdDSA", public, func(text []byte) []byte { return ed25519.Sign(private, text) }}
}

// raw signs a header and claims as they are spelled.
func (s signer) raw(header, claims string) string {
	text := segment([]byte(header)) + "." + segment([]byte(claims))
	return text + "." + segment(s.sign([]byte(text)))
}

// token signs claims under the header that most issuers write.
func (s signer) token(claims object) string {
	return s.raw(encode(object{"alg": s.alg, "typ": "JWT"}), encode(claims))
}

func segment(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

type object map[string]any

// claims are good ones with changes; a change to nil takes one away.
func claims(changes object) object {
	all := object{"iss": issuer, "sub": "ada", "aud": audience, "exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// config accepts what s signs.
func config(s signer, changes ...func(*jwtbind.Config)) jwtbind.Config {
	cfg := jwtbind.Config{Issuers: []string{issuer}, Audience: audience, Methods: []string{s.alg}}
	answer(&cfg.Keyfunc, s.key, nil)
	for _, change := range changes {
		change(&cfg)
	}
	return cfg
}

// answer makes a Keyfunc that always says the same; the type of the token it is
// asked about is inferred, and the JWT library needs no import.
func answer[K ~func(T) (any, error), T any](keyfunc *K, key any, err error) {
	*keyfunc = func(T) (any, error) { return key, err }
}

func verify(t *testing.T, cfg jwtbind.Config) core.Authenticator {
	t.Helper()
	who, err := jwtbind.Verify(cfg)
	must(t, err)
	return who
}

// bearing is a request with one Authorization header and that token.
func bearing(token string) http.Header { return http.Header{"Authorization": {"Bearer " + token}} }

// in runs who with the context that an adapter's hook has made.
func in(ctx context.Context, who core.Authenticator) core.Authenticator {
	return authenticate(func(_ context.Context, h core.Header) (core.Identity, error) { return who.Authenticate(ctx, h) })
}

type authenticate func(context.Context, core.Header) (core.Identity, error)

func (f authenticate) Authenticate(ctx context.Context, h core.Header) (core.Identity, error) {
	return f(ctx, h)
}

// accepted fails unless who says want.
func accepted(t *testing.T, who core.Authenticator, h core.Header, want core.Principal) {
	t.Helper()
	got, err := who.Authenticate(t.Context(), h)
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	if got.Principal != want || got.IsAnonymous() != got.Expires.IsZero() {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

// refused fails unless who refuses with an error of that kind and names nobody.
func refused(t *testing.T, who core.Authenticator, h core.Header, kind error) {
	t.Helper()
	_ = refusal(t, who, h, kind)
}

// refusal is refused, for those who look at the error.
func refusal(t *testing.T, who core.Authenticator, h core.Header, kind error) error {
	t.Helper()
	got, err := who.Authenticate(t.Context(), h)
	if err == nil || !reflect.DeepEqual(got, core.Identity{}) {
		t.Fatalf("got %+v, %v, want %v", got, err, kind)
	}
	for _, k := range []error{jwtbind.ErrNoToken, jwtbind.ErrMalformed, jwtbind.ErrInvalidToken} {
		if want := errors.Is(kind, k); errors.Is(err, k) != want {
			t.Fatalf("got %v, want %v alone", err, kind)
		}
	}
	return err
}

var ada = core.Principal{Issuer: issuer, Subject: "ada"}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
