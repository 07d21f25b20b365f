package jwtrecipes_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// httpApp is an application on net/http whose own middleware verifies tokens.
// It puts the token into the context of the request, which is that of the
// tools: the adapter needs no option. (Where a middleware keeps it under a key
// of its own, mcphttp.WithContext passes it on.)
func httpApp(t testing.TB, who core.Authenticator, keys jwt.Keyfunc) http.Handler {
	srv := newServer(t, who)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })

	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}))
	verified := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			token, err := parser.Parse(raw, keys)
			if err != nil {
				http.Error(w, "who are you?", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r.WithContext(jwtbind.WithToken(r.Context(), token)))
		})
	}
	return verified(mcphttp.Middleware("/mcp", srv)(mux))
}

func TestPlainMiddleware(t *testing.T) {
	i := newIssuer(t, issuerURL)
	exercise(t, i, serve(t, httpApp(t, fromContext(t, i.config()), i.keys)))
}
