package jwtrecipes_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/jwtauth/v5"
	"github.com/golang-jwt/jwt/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/jwtbind"
)

// chiApp has go-chi/jwtauth in front of everything. Its Verify stops nobody: it
// leaves a token, an error or both in the context, and Authenticator, on the
// other routes, acts on them. MCP does so itself, by brought and FromContext.
//
// Not its Verifier: that takes the token from a cookie as well, which browsers
// send on behalf of whatever page they show.
func chiApp(srv *server.Server, i *issuer) http.Handler {
	auth := jwtauth.New("ES256", nil, &i.key.PublicKey)
	r := chi.NewRouter()
	r.Use(jwtauth.Verify(auth, jwtauth.TokenFromHeader))
	r.Handle("/mcp", mcpchi.Handler(srv, mcpchi.WithContext(brought)))
	r.Group(func(r chi.Router) {
		r.Use(jwtauth.Authenticator(auth))
		r.Get("/hello", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	})
	return r
}

// brought passes on what jwtauth has verified. Its token is of another library,
// so there are only claims; and there are claims beside an error as well.
func brought(r *http.Request) context.Context {
	_, claims, err := jwtauth.FromContext(r.Context())
	switch {
	case errors.Is(err, jwtauth.ErrNoTokenFound):
		return r.Context()
	case err != nil:
		claims = nil // is refused
	}
	return jwtbind.WithClaims(r.Context(), claims)
}

// chiAppApart lets MCP verify for itself, which sees the header of the token too.
func chiAppApart(srv *server.Server, i *issuer) http.Handler {
	auth := jwtauth.New("ES256", nil, &i.key.PublicKey)
	r := chi.NewRouter()
	r.Handle("/mcp", mcpchi.Handler(srv))
	r.Group(func(r chi.Router) {
		r.Use(jwtauth.Verify(auth, jwtauth.TokenFromHeader), jwtauth.Authenticator(auth))
		r.Get("/hello", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })
	})
	return r
}

func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	listener := listenLoopback(t)
	srv := &http.Server{Handler: h} //nolint:gosec // nobody is slow here
	done := make(chan error, 1)
	go func() { done <- srv.Serve(listener) }()
	t.Cleanup(func() {
		must(t, srv.Close())
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

func TestChiJWTAuth(t *testing.T) {
	i, other := newIssuer(t), newIssuer(t)
	cfg := config()
	cfg.AllowAnonymous = true // so that what is wrong has somewhere to fall
	who, err := jwtbind.FromContext(cfg)
	must(t, err)
	together := serve(t, chiApp(newServer(t, who), i))

	cfg.Keyfunc = i.keys
	who, err = jwtbind.Verify(cfg)
	must(t, err)
	apart := serve(t, chiAppApart(newServer(t, who), i))

	const ada = issuerURL + "|ada|[]"
	for name, tc := range map[string]struct {
		authorization    string
		app              int    // status
		mcp, mcpVerified string // who is calling; "": refused
	}{
		"ada":          {"Bearer " + i.token(nil, nil), 200, ada, ada},
		"bob":          {"Bearer " + i.token(nil, jwt.MapClaims{"sub": "bob", "scope": "read"}), 200, issuerURL + "|bob|[read]", issuerURL + "|bob|[read]"},
		"audiences":    {"Bearer " + i.token(nil, jwt.MapClaims{"aud": []string{"https://a.example", audience}}), 200, ada, ada},
		"none":         {"", 401, "anonymous", "anonymous"},
		"Basic":        {"Basic YWRhOng=", 401, "", ""},
		"garbage":      {"Bearer garbage", 401, "", ""},
		"forged":       {"Bearer " + other.token(nil, nil), 401, "", ""},
		"expired":      {"Bearer " + i.token(nil, jwt.MapClaims{"exp": time.Now().Add(-time.Hour).Unix()}), 401, "", ""},
		"too early":    {"Bearer " + i.token(nil, jwt.MapClaims{"nbf": time.Now().Add(time.Hour).Unix()}), 401, "", ""},
		"other API":    {"Bearer " + i.token(nil, jwt.MapClaims{"aud": "https://photos.example"}), 200, "", ""},
		"other issuer": {"Bearer " + i.token(nil, jwt.MapClaims{"iss": "https://evil.example"}), 200, "", ""},
		"for ever":     {"Bearer " + i.token(nil, jwt.MapClaims{"exp": nil}), 200, "", ""},
		"nobody":       {"Bearer " + i.token(nil, jwt.MapClaims{"sub": nil}), 200, "", ""},
		"another case": {"Bearer " + i.token(nil, jwt.MapClaims{"sub": nil, "SUB": "ada"}), 200, "", ""},
		// What claims alone do not show, and why the second recipe is the better one.
		"id token": {"Bearer " + i.token(map[string]any{"typ": "id_token+jwt"}, nil), 200, ada, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for url, want := range map[string]string{together: tc.mcp, apart: tc.mcpVerified} {
				if a := get(t, url+"/hello", tc.authorization); a.status != tc.app {
					t.Errorf("the application answers %d %s, want %d", a.status, a.raw, tc.app)
				}
				a := whoIs(t, url+"/mcp", tc.authorization, "")
				if a.text != want || want == "" && (a.status != 401 || a.challenge == "") {
					t.Errorf("got %d %s %q, want %q", a.status, a.raw, a.challenge, want)
				}
			}
		})
	}
	for _, url := range []string{together, apart} {
		if a := whoIs(t, url+"/mcp", "", "jwt="+i.token(nil, nil)); a.text != "anonymous" {
			t.Errorf("a token in a cookie: got %d %s", a.status, a.raw)
		}
	}
}

// jwtauth may have rules of the application's, and leaves the claims of a token
// that breaks one beside the error.
func TestChiJWTAuthRefusesByARule(t *testing.T) {
	i := newIssuer(t)
	who, err := jwtbind.FromContext(config())
	must(t, err)
	token, err := jwtauth.New("ES256", nil, &i.key.PublicKey).Decode(i.token(nil, nil))
	must(t, err)
	for _, rule := range []error{nil, jwtauth.ErrUnauthorized} {
		r, err := http.NewRequestWithContext(jwtauth.NewContext(t.Context(), token, rule), http.MethodPost, "/mcp", http.NoBody)
		must(t, err)
		if p, err := who.Authenticate(brought(r), r.Header); (err == nil) != (rule == nil) {
			t.Errorf("%v: got %+v, %v", rule, p, err)
		}
	}
}
