package jwtrecipes_test

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/oauthtest"
	"github.com/parleymcp/parley/jwtbind"
)

// What every refusal is made of: a client learns where to get a token, and
// nothing about the one it has.
const (
	metadataURL = `resource_metadata="https://bank.example/.well-known/oauth-protected-resource/mcp"`
	missing     = `Bearer scope="mcp", ` + metadataURL
	invalidated = `Bearer error="invalid_token", scope="mcp", ` + metadataURL
	malformed   = `Bearer error="invalid_request", ` + metadataURL

	unauthorized = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Authentication is required"}}`
	unreadable   = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Header Authorization is malformed"}}`
)

// authority is an authorization server, and servers that take its tokens.
type authority struct {
	*oauthtest.Server

	t testing.TB
}

func newAuthority(t testing.TB) authority {
	t.Helper()
	as, err := oauthtest.Start(t.Context())
	must(t, err)
	t.Cleanup(as.Close)
	return authority{as, t}
}

// token is a good one with changes.
func (a authority) token(alg string, header, changes map[string]any) string {
	a.t.Helper()
	token, err := a.Token(alg, header, a.Claims(audience, changes))
	must(a.t, err)
	return token
}

// keys is a Keyfunc over the published key set, as a library makes one.
func (a authority) keys() jwt.Keyfunc {
	set := oauthtest.NewKeySet(a.KeySetURL())
	return func(token *jwt.Token) (any, error) {
		kid, _ := token.Header["kid"].(string)
		return set.Key(kid, token.Method.Alg())
	}
}

func (a authority) config() jwtbind.Config {
	return jwtbind.Config{Issuers: []string{a.URL}, Audience: audience, Methods: oauthtest.Algorithms, Keyfunc: a.keys()}
}

// server is one that takes the authority's tokens.
func (a authority) server(t testing.TB, cfg jwtbind.Config, log io.Writer, features ...core.Feature) *server.Server {
	t.Helper()
	who, err := jwtbind.Verify(cfg)
	must(t, err)
	srv, err := server.New(server.Config{
		Name: "bank", Version: "1.0.0", Keys: []seal.Key{seal.EphemeralKey()}, Authenticator: who,
		Resource: &server.Resource{
			URL: audience, AuthorizationServers: []string{a.URL}, Scopes: []string{"mcp", "paint"}, DefaultScopes: []string{"mcp"},
		},
		Logger: slog.New(slog.NewTextHandler(log, nil)), Legacy: server.Legacy{Sessions: true},
	}, append(features, whoami)...)
	must(t, err)
	t.Cleanup(func() { must(t, srv.Close(context.Background())) })
	return srv
}

// onEach runs a test on every framework.
func onEach(t *testing.T, test func(t *testing.T, mount func(testing.TB, *server.Server) string)) {
	for name, mount := range applications {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, mount)
		})
	}
}

// refusal is what a request must be answered with, byte by byte.
type refusal struct {
	status          int
	challenge, body string
}

func (want refusal) check(t *testing.T, r reply) {
	t.Helper()
	if got := (refusal{r.status, r.header.Get("WWW-Authenticate"), r.body}); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if n := len(r.header.Values("WWW-Authenticate")); n != 1 {
		t.Errorf("%d challenges", n)
	}
}

// Each of these is refused before the message is looked at, whatever its method.
func TestAuthorizationIsRefused(t *testing.T) {
	a := newAuthority(t)
	good := a.token("ES256", nil, nil)
	pair, err := x509.MarshalPKIXPublicKey(a.PublicKey("RS256"))
	must(t, err)
	confused, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims(a.Claims(audience, nil))).
		SignedString(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pair}))
	must(t, err)
	none, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims(a.Claims(audience, nil))).SignedString(jwt.UnsafeAllowNoneSignatureType)
	must(t, err)
	twice, err := a.Sign("ES256", nil, fmt.Appendf(nil, `{"sub":"eve","iss":%q,"aud":%q,"exp":%d,"sub":"ada"}`, a.URL, audience, time.Now().Unix()+600))
	must(t, err)
	other := newAuthority(t)

	invalid := refusal{http.StatusUnauthorized, invalidated, unauthorized}
	nothing := refusal{http.StatusUnauthorized, missing, unauthorized}
	broken := refusal{http.StatusBadRequest, malformed, unreadable}
	claim := func(changes map[string]any) []string { return []string{"Bearer " + a.token("RS256", nil, changes)} }
	header := func(changes map[string]any) []string {
		return []string{"Bearer " + a.token("EdDSA", changes, nil)}
	}
	for name, tc := range map[string]struct {
		authorization []string
		want          refusal
	}{
		"no token":               {nil, nothing},
		"another scheme":         {[]string{"Basic YWRhOmFkYQ=="}, nothing},
		"wrong issuer":           {claim(map[string]any{"iss": a.URL + "/"}), invalid},
		"another server's":       {[]string{"Bearer " + other.token("RS256", nil, map[string]any{"iss": a.URL})}, invalid},
		"wrong audience":         {claim(map[string]any{"aud": "https://bank.example/mcp2"}), invalid},
		"no audience":            {claim(map[string]any{"aud": nil}), invalid},
		"expired":                {claim(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}), invalid},
		"not yet valid":          {claim(map[string]any{"nbf": time.Now().Add(time.Minute).Unix()}), invalid},
		"M11: no sub":            {claim(map[string]any{"sub": nil}), invalid},
		"M11: empty sub":         {claim(map[string]any{"sub": ""}), invalid},
		"M11: sub is a number":   {claim(map[string]any{"sub": 7}), invalid},
		"no exp":                 {claim(map[string]any{"exp": nil}), invalid},
		"wrong algorithm":        {header(map[string]any{"alg": "RS512"}), invalid},
		"none":                   {[]string{"Bearer " + none}, invalid},
		"none in the header":     {header(map[string]any{"alg": "none"}), invalid},
		"HS256, public key":      {[]string{"Bearer " + confused}, invalid},
		"key of another alg":     {header(map[string]any{"alg": "ES256"}), invalid},
		"unknown kid":            {header(map[string]any{"kid": "nobody"}), invalid},
		"unknown crit":           {header(map[string]any{"crit": []string{"exp"}}), invalid},
		"id_token typ":           {header(map[string]any{"typ": "id_token+jwt"}), invalid},
		"duplicated claim":       {[]string{"Bearer " + twice}, invalid},
		"signature cut":          {[]string{"Bearer " + good[:len(good)-4]}, invalid},
		"opaque":                 {[]string{"Bearer 2YotnFZFEjr1zCsicMWpAA"}, invalid},
		"header twice":           {[]string{"Bearer " + good, "Bearer " + good}, broken},
		"two tokens":             {[]string{"Bearer " + good + " " + good}, broken},
		"two, joined by a proxy": {[]string{"Bearer " + good + ", Bearer " + good}, broken},
		"no token behind it":     {[]string{"Bearer"}, broken},
		"quoted":                 {[]string{`Bearer "` + good + `"`}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
				url := mount(t, a.server(t, a.config(), io.Discard)) + "/mcp"
				for _, method := range []string{"tools/call", "subscriptions/listen"} {
					tc.want.check(t, do(t, request(t, url, method, "whoami"), tc.authorization...))
				}
			})
		})
	}
}

// A token is read from the header and from nowhere else.
func TestAuthorizationElsewhere(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		url := mount(t, a.server(t, a.config(), io.Discard)) + "/mcp"
		good := a.token("ES256", nil, nil)
		want := refusal{http.StatusUnauthorized, missing, unauthorized}
		want.check(t, do(t, request(t, url+"?access_token="+good, "tools/call", "whoami")))
		req := request(t, url, "tools/call", "whoami")
		req.Header.Set("Cookie", "access_token="+good)
		req.Header.Set("X-Authorization", "Bearer "+good)
		req.Header.Set("Proxy-Authorization", "Bearer "+good)
		want.check(t, do(t, req))
	})
}

// Every method is behind the same door, and so is what is none.
func TestAuthorizationOfEveryMethod(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		url := mount(t, a.server(t, a.config(), io.Discard)) + "/mcp"
		want := refusal{http.StatusUnauthorized, missing, unauthorized}
		for _, method := range []string{
			"server/discover", "tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/read",
			"resources/templates/list", "completion/complete", "subscriptions/listen", "initialize", "ping", "nonsense",
		} {
			want.check(t, do(t, request(t, url, method, "whoami")))
		}
		for _, body := range []string{`{"jsonrpc":"2.0","method":"notifications/cancelled"}`, `{`, `[]`, ``} {
			req := request(t, url, "tools/call", "whoami")
			req.Body, req.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			want.check(t, do(t, req))
		}
	})
}

func TestAuthorizationIsAccepted(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		url := mount(t, a.server(t, a.config(), io.Discard)) + "/mcp"
		for _, alg := range oauthtest.Algorithms {
			for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
				want := a.URL + "|ada|[mcp paint]"
				for _, scopes := range []map[string]any{
					{"scope": "mcp paint"}, {"scp": "mcp paint"}, {"scp": []string{"mcp", "paint"}, "aud": []string{"x", audience + "/"}},
				} {
					resp := do(t, request(t, url, "tools/call", "whoami"), scheme+a.token(alg, nil, scopes))
					if got := read(t, "tools/call", resp); got.text != want {
						t.Errorf("%s: got %d %s", alg, got.status, got.raw)
					}
				}
			}
		}
	})
}

// A key that is new is fetched; one that is no longer published is none.
func TestAuthorizationAfterRotation(t *testing.T) {
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		a := newAuthority(t)
		url := mount(t, a.server(t, a.config(), io.Discard)) + "/mcp"
		tokens := map[string]string{}
		for _, alg := range oauthtest.Algorithms {
			tokens[alg] = a.token(alg, nil, nil)
			if got := post(t, url, tokens[alg], "whoami", nil); got.status != http.StatusOK {
				t.Fatalf("%s: got %d %s", alg, got.status, got.raw)
			}
		}
		before := maps.Clone(tokens)
		must(t, a.Rotate())
		for _, alg := range oauthtest.Algorithms {
			if got := post(t, url, a.token(alg, nil, nil), "whoami", nil); got.status != http.StatusOK {
				t.Errorf("%s, the new key: got %d %s", alg, got.status, got.raw)
			}
			resp := do(t, request(t, url, "tools/call", "whoami"), "Bearer "+before[alg])
			refusal{http.StatusUnauthorized, invalidated, unauthorized}.check(t, resp)
		}
	})
}
