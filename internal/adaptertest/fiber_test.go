package adaptertest_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/compress"
	"github.com/gofiber/fiber/v2/middleware/recover"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	"github.com/parleymcp/parley/internal/adaptertest"
)

func TestFiber(t *testing.T) { adaptertest.Run(t, fiberFactory(fiber.Config{})) }

// TestFiberConfig runs the suite where Fiber is told to treat requests in
// other ways (T2, T24, T25).
func TestFiberConfig(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		cfg  fiber.Config
		use  []fiber.Handler
	}{
		{name: "bodies taken from the connection", cfg: fiber.Config{StreamRequestBody: true, BodyLimit: 1000}},
		{name: "names of headers as they come", cfg: fiber.Config{DisableHeaderNormalizing: true}},
		{name: "strict routing", cfg: fiber.Config{
			StrictRouting: true, CaseSensitive: true, UnescapePath: true, Immutable: true,
		}},
		{name: "little memory", cfg: fiber.Config{ReduceMemoryUsage: true}},
		{name: "a user context that ends with the handler", use: []fiber.Handler{scoped}},
		{name: "compression", use: []fiber.Handler{compress.New()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			adaptertest.RunShared(t, fiberFactory(tt.cfg, tt.use...))
		})
	}
}

// scoped is what tracing and timeouts do.
func scoped(c *fiber.Ctx) error {
	ctx, cancel := context.WithCancel(c.UserContext())
	defer cancel()
	c.SetUserContext(ctx)
	return c.Next()
}

func fiberFactory(cfg fiber.Config, use ...fiber.Handler) adaptertest.Factory {
	return adaptertest.Factory{
		Start: func(t testing.TB, spec adaptertest.Spec, listener net.Listener) adaptertest.App {
			hook := mcpfiber.WithContext(func(c *fiber.Ctx) context.Context {
				user, _ := c.Locals("user").(string)
				return spec.Context(c.UserContext(), context.Background(), strings.Clone(user))
			})
			cfg := cfg
			cfg.WriteTimeout = spec.WriteTimeout
			app := newFiber(cfg)
			for _, middleware := range use {
				app.Use(middleware)
			}
			if spec.Form == adaptertest.Middleware {
				app.Use(mcpfiber.Middleware(adaptertest.Path, spec.Server, hook))
			} else {
				for _, path := range append(spec.Server.MetadataPaths(), adaptertest.Path) {
					app.All(path, mcpfiber.Handler(spec.Server, hook))
				}
			}
			return serveFiber(t, app, listener)
		},
		Consumers: map[string]bool{"Body": true},
		Silent:    true,
	}
}

// newFiber is the application without MCP.
func newFiber(cfg fiber.Config) *fiber.App {
	cfg.DisableStartupMessage = true
	app := fiber.New(cfg)
	app.Use(recover.New(), func(c *fiber.Ctx) error {
		c.Set(adaptertest.AppHeader, "1")
		// An alias of fasthttp's buffer, as middleware keeps it.
		c.Locals("user", c.Get(adaptertest.UserHeader))
		if c.Get(adaptertest.ConsumeHeader) == "Body" {
			_ = c.Body()
		}
		if d, err := time.ParseDuration(c.Get(adaptertest.DeadlineHeader)); err == nil {
			ctx, cancel := context.WithTimeout(c.UserContext(), d)
			defer cancel()
			c.SetUserContext(ctx)
		}
		return c.Next()
	})
	return app
}

// serveFiber adds the routes of the application, and runs it.
func serveFiber(t testing.TB, app *fiber.App, listener net.Listener) adaptertest.App {
	t.Helper()
	app.Post(adaptertest.EchoPath, func(c *fiber.Ctx) error { return c.Send(c.Body()) })
	app.Use(func(c *fiber.Ctx) error {
		return c.Status(fiber.StatusNotFound).SendString(adaptertest.NotFoundText)
	})
	done := make(chan error, 1)
	go func() { done <- app.Listener(listener) }()
	t.Cleanup(func() {
		if err := <-done; err != nil {
			t.Errorf("listening: %v", err)
		}
	})
	return adaptertest.App{Shutdown: app.ShutdownWithContext}
}
