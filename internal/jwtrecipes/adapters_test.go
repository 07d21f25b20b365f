package jwtrecipes_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"
	"github.com/golang-jwt/jwt/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcpgin "github.com/parleymcp/parley/adapters/gin"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/jwtbind"
)

// applications mount a server on each framework and return its URL.
var applications = map[string]func(testing.TB, *server.Server) string{
	"net/http": func(t testing.TB, srv *server.Server) string {
		return serve(t, mcphttp.Middleware("/mcp", srv)(http.NotFoundHandler()))
	},
	"Chi": func(t testing.TB, srv *server.Server) string {
		r := chi.NewRouter()
		r.Use(mcpchi.Middleware("/mcp", srv))
		r.Get("/", http.NotFound)
		return serve(t, r)
	},
	"Gin": func(t testing.TB, srv *server.Server) string {
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		r.Use(mcpgin.Middleware("/mcp", srv))
		return serve(t, r)
	},
	"Fiber": func(t testing.TB, srv *server.Server) string {
		app := fiber.New(fiber.Config{DisableStartupMessage: true})
		app.Server().MaxIdleWorkerDuration = 100 * time.Millisecond // how long its cleaner outlives it
		app.Use(mcpfiber.Middleware("/mcp", srv))
		listener := listenLoopback(t)
		done := make(chan error, 1)
		go func() { done <- app.Listener(listener) }()
		t.Cleanup(func() {
			must(t, app.Shutdown())
			must(t, <-done)
		})
		return "http://" + listener.Addr().String()
	},
}

func TestVerifyBehindEveryAdapter(t *testing.T) {
	for name, mount := range applications {
		t.Run(name, func(t *testing.T) {
			i, other := newIssuer(t, issuerURL), newIssuer(t, "https://login.example")
			cfg := i.config()
			cfg.Issuers = append(cfg.Issuers, other.url)
			cfg.Keyfunc = keysByIssuer(i, other)
			cfg.AllowAnonymous = true
			who, err := jwtbind.Verify(cfg)
			must(t, err)
			url := mount(t, newServer(t, who)) + "/mcp"

			t.Run("whoami", func(t *testing.T) {
				for token, want := range map[string]string{
					i.token(nil, nil): issuerURL + "|ada|[]", other.token(nil, nil): other.url + "|ada|[]", "": "anonymous",
				} {
					if a := post(t, url, token, "whoami", nil); a.text != want {
						t.Errorf("got %d %s, want %q", a.status, a.raw, want)
					}
				}
				if a := post(t, url, "a b", "whoami", nil); a.status != http.StatusBadRequest || a.text != "" {
					t.Errorf("got %d %s", a.status, a.raw)
				}
				for _, bad := range []string{"garbage", i.token(nil, jwt.MapClaims{"exp": 5}), other.token(nil, jwt.MapClaims{"iss": i.url})} {
					if a := post(t, url, bad, "whoami", nil); a.status != http.StatusUnauthorized || a.text != "" {
						t.Errorf("got %d %s", a.status, a.raw)
					}
				}
				query := "?access_token=" + i.token(nil, nil)
				if a := post(t, url+query, "", "whoami", nil); a.text != "anonymous" {
					t.Errorf("a token in the query: got %d %s", a.status, a.raw)
				}
			})
			t.Run("M10 M11 state", func(t *testing.T) { stateIsTheCallers(t, i, other, url) })
		})
	}
}

// stateIsTheCallers seals with one token and opens with others.
func stateIsTheCallers(t *testing.T, i, other *issuer, url string) {
	first := i.token(nil, jwt.MapClaims{"jti": "1", "sid": "1", "scope": "read"})
	refreshed := i.token(nil, jwt.MapClaims{
		"jti": "2", "sid": "2", "scope": "read write", "iat": time.Now().Unix(), "exp": time.Now().Add(2 * time.Hour).Unix(),
	})
	for name, tc := range map[string]struct {
		seals, opens string
		want         string // "": refused
	}{
		"same token":            {first, first, "ada wants red"},
		"refreshed":             {first, refreshed, "ada wants red"},
		"anonymous":             {"", "", " wants red"},
		"another subject":       {first, i.token(nil, jwt.MapClaims{"sub": "bob"}), ""},
		"another issuer":        {first, other.token(nil, nil), ""},
		"logged out":            {first, "", ""},
		"logged in":             {"", first, ""},
		"one who looks like it": {first, i.token(nil, jwt.MapClaims{"sub": "Ada"}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			asked := post(t, url, tc.seals, "paint", nil)
			if asked.status != http.StatusOK || asked.state == "" {
				t.Fatalf("first round: %d %s", asked.status, asked.raw)
			}
			a := post(t, url, tc.opens, "paint", object{
				"requestState":   asked.state,
				"inputResponses": object{"color": object{"action": "accept", "content": object{"color": "red"}}},
			})
			if a.text != tc.want || tc.want == "" && a.code != -32602 {
				t.Errorf("got %d %s, want %q", a.status, a.raw, tc.want)
			}
		})
	}
}
