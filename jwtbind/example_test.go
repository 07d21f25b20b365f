package jwtbind_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/parleymcp/parley/jwtbind"
)

// issuerKey would come from the issuer's JWKS.
var issuerKey, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)

// publicKey is a Keyfunc for one key; its argument is the *jwt.Token, whose kid
// a real one looks up.
func publicKey[Token any](Token) (any, error) { return &issuerKey.PublicKey, nil }

// accessToken is what the issuer's token endpoint would have answered.
func accessToken(subject string, lifetime time.Duration) string {
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"ES256","typ":"at+jwt"}`)) + "." + encode(fmt.Appendf(nil,
		`{"iss":"https://id.example","aud":"https://bank.example/mcp","sub":%q,"exp":%d,"scope":"transfer"}`,
		subject, time.Now().Add(lifetime).Unix()))
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, issuerKey, digest[:])
	if err != nil {
		panic(err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature)
}

func ExampleVerify() {
	cfg := jwtbind.Config{
		Issuers:  []string{"https://id.example"},
		Audience: "https://bank.example/mcp",
		Methods:  []string{"ES256"},
	}
	cfg.Keyfunc = publicKey
	who, err := jwtbind.Verify(cfg) // for server.Config.Authenticator
	if err != nil {
		fmt.Println(err)
		return
	}

	h := http.Header{}
	h.Set("Authorization", "Bearer "+accessToken("ada", time.Hour))
	p, err := who.Authenticate(context.Background(), h)
	fmt.Println(p.Issuer, p.Subject, p.Scopes, err)

	h.Set("Authorization", "Bearer "+accessToken("ada", -time.Hour))
	_, err = who.Authenticate(context.Background(), h)
	fmt.Println(err, errors.Is(err, jwtbind.ErrInvalidToken))

	_, err = who.Authenticate(context.Background(), http.Header{})
	fmt.Println(err, errors.Is(err, jwtbind.ErrNoToken))

	// Output:
	// https://id.example ada [transfer] <nil>
	// parley: invalid token: it has expired true
	// parley: no credentials true
}

// What an environment variable forgot is found at the start, all of it.
func ExampleVerify_problems() {
	_, err := jwtbind.Verify(jwtbind.Config{Issuers: []string{""}, Methods: []string{"HS256", "ES256"}})
	fmt.Println(err)
	// Output:
	// parley: jwtbind.Config.Issuers[0] is "": a value of iss is required
	// parley: jwtbind.Config.Audience is "": the URI of this server is required
	// parley: jwtbind.Config.Methods is []string{"HS256", "ES256"}: either HS256, HS384 and HS512 or algorithms with a key pair are allowed, not both
	// parley: jwtbind.Config.Keyfunc is <nil>: Verify needs it
}

// Middleware has verified a token and left its claims behind: an adapter's
// WithContext option passes them on.
func ExampleFromContext() {
	who, err := jwtbind.FromContext(jwtbind.Config{
		Issuers:  []string{"https://id.example"},
		Audience: "https://bank.example/mcp",
		Methods:  []string{"ES256"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx := jwtbind.WithClaims(context.Background(), map[string]any{
		"iss": "https://id.example", "sub": "ada", "aud": "https://bank.example/mcp", "exp": time.Now().Add(time.Hour),
	})
	p, err := who.Authenticate(ctx, http.Header{})
	fmt.Println(p.Issuer, p.Subject, err)

	// The middleware had no opinion about the audience.
	ctx = jwtbind.WithClaims(context.Background(), map[string]any{
		"iss": "https://id.example", "sub": "ada", "aud": "https://photos.example", "exp": time.Now().Add(time.Hour),
	})
	_, err = who.Authenticate(ctx, http.Header{})
	fmt.Println(err)

	// Output:
	// https://id.example ada <nil>
	// parley: invalid token: its aud is not Audience
}
