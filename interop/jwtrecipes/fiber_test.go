package jwtrecipes_test

import (
	"context"
	"testing"
	"time"

	jwtware "github.com/gofiber/contrib/jwt"
	"github.com/gofiber/fiber/v2"
	"github.com/golang-jwt/jwt/v5"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/jwtbind"
)

// fiberApp has everything behind gofiber/contrib/jwt. That looks at the
// signature, exp and nbf, and cannot be told to look at more, so FromContext does
// the rest. Without JWTAlg it would take any algorithm that fits the key.
func fiberApp(srv *server.Server, i *issuer) *fiber.App {
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(jwtware.New(jwtware.Config{
		SigningKey: jwtware.SigningKey{JWTAlg: "ES256", Key: &i.key.PublicKey},
	}))
	app.Use(mcpfiber.Middleware("/mcp", srv, mcpfiber.WithContext(func(c *fiber.Ctx) context.Context {
		if token, ok := c.Locals("user").(*jwt.Token); ok {
			return jwtbind.WithToken(c.UserContext(), token)
		}
		return c.UserContext()
	})))
	app.Get("/hello", func(c *fiber.Ctx) error { return c.SendString("hello") })
	return app
}

// fiberAppApart lets MCP verify for itself. The middleware answers in plain text
// and without a challenge, so this is the recipe where clients are to learn from
// a 401 where to log in.
func fiberAppApart(srv *server.Server, i *issuer) *fiber.App {
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(mcpfiber.Middleware("/mcp", srv)) // before the middleware, which then never sees it
	app.Use(jwtware.New(jwtware.Config{
		SigningKey: jwtware.SigningKey{JWTAlg: "ES256", Key: &i.key.PublicKey},
	}))
	app.Get("/hello", func(c *fiber.Ctx) error { return c.SendString("hello") })
	return app
}

func serveFiber(t testing.TB, app *fiber.App) string {
	t.Helper()
	app.Server().MaxIdleWorkerDuration = 100 * time.Millisecond // how long its cleaner outlives it
	listener := listenLoopback(t)
	done := make(chan error, 1)
	go func() { done <- app.Listener(listener) }()
	t.Cleanup(func() {
		must(t, app.Shutdown())
		must(t, <-done)
	})
	return "http://" + listener.Addr().String()
}

func TestFiberContribJWT(t *testing.T) {
	i, other := newIssuer(t), newIssuer(t)
	cfg := config()
	who, err := jwtbind.FromContext(cfg)
	must(t, err)
	together := serveFiber(t, fiberApp(newServer(t, who), i))

	cfg.Keyfunc = i.keys
	who, err = jwtbind.Verify(cfg)
	must(t, err)
	apart := serveFiber(t, fiberAppApart(newServer(t, who), i))

	for name, tc := range map[string]struct {
		authorization string
		app, mcp      int // statuses
		want          string
	}{
		"ada":          {"Bearer " + i.token(nil, nil), 200, 200, issuerURL + "|ada|[]"},
		"bob":          {"bearer " + i.token(nil, jwt.MapClaims{"sub": "bob", "scope": "read"}), 200, 200, issuerURL + "|bob|[read]"},
		"forged":       {"Bearer " + other.token(nil, nil), 401, 401, ""},
		"expired":      {"Bearer " + i.token(nil, jwt.MapClaims{"exp": time.Now().Add(-time.Hour).Unix()}), 401, 401, ""},
		"other API":    {"Bearer " + i.token(nil, jwt.MapClaims{"aud": "https://photos.example"}), 200, 401, ""},
		"other issuer": {"Bearer " + i.token(nil, jwt.MapClaims{"iss": "https://evil.example"}), 200, 401, ""},
		"for ever":     {"Bearer " + i.token(nil, jwt.MapClaims{"exp": nil}), 200, 401, ""},
		"nobody":       {"Bearer " + i.token(nil, jwt.MapClaims{"sub": nil}), 200, 401, ""},
		"another case": {"Bearer " + i.token(nil, jwt.MapClaims{"sub": nil, "SUB": "ada"}), 200, 401, ""},
		"id token":     {"Bearer " + i.token(map[string]any{"typ": "id_token+jwt"}, nil), 200, 401, ""},
		"crit":         {"Bearer " + i.token(map[string]any{"crit": []string{"x"}}, nil), 200, 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, url := range []string{together, apart} {
				if a := get(t, url+"/hello", tc.authorization); a.status != tc.app {
					t.Errorf("the application answers %d %s, want %d", a.status, a.raw, tc.app)
				}
				if a := whoIs(t, url+"/mcp", tc.authorization, ""); a.status != tc.mcp || a.text != tc.want {
					t.Errorf("got %d %s, want %d %q", a.status, a.raw, tc.mcp, tc.want)
				}
			}
		})
	}

	// Only the second tells a client without a token what to do.
	query := "?token=" + i.token(nil, nil) + "&access_token=" + i.token(nil, nil)
	if a := whoIs(t, together+"/mcp"+query, "", ""); a.status != 400 || a.challenge != "" {
		t.Errorf("together: got %d %s %q", a.status, a.raw, a.challenge)
	}
	if a := whoIs(t, apart+"/mcp"+query, "", ""); a.status != 401 || a.challenge == "" {
		t.Errorf("apart: got %d %s %q", a.status, a.raw, a.challenge)
	}
}
