package companions_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/gofiber/fiber/v2/middleware/compress"
	"github.com/gofiber/fiber/v2/middleware/cors"
	"github.com/gofiber/fiber/v2/middleware/etag"
	"github.com/gofiber/fiber/v2/middleware/helmet"
	"github.com/gofiber/fiber/v2/middleware/logger"
	"github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/gofiber/fiber/v2/middleware/requestid"
	"github.com/gofiber/fiber/v2/middleware/timeout"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

func TestFiber(t *testing.T) {
	t.Parallel()
	var lines journal
	check(t, "Fiber", []companions.Companion{
		{Name: "`compress`", Start: onFiber(compress.New()), Shows: companions.Compresses},
		{Name: "`etag`", Start: onFiber(etag.New())},
		{Name: "`etag` with `Next`", Start: skippingETag},
		{Name: "`timeout.NewWithContext`, longer than any call", Start: limited(above)},
		{Name: "`timeout.NewWithContext`, shorter than a call", Start: limited(below)},
		{Name: "`recover`", Start: onFiber(recover.New()), Also: companions.Recovers},
		{Name: "`logger`", Start: onFiber(logger.New(logger.Config{Output: &lines})), Shows: lines.show},
		{Name: "`logger` with `${resBody}`", Start: onFiber(logger.New(logger.Config{Output: new(journal), Format: "${resBody}"}))},
		{Name: "`cors`", Start: fiberCORS, Also: companions.Pages},
		{Name: "`requestid`", Start: onFiber(requestid.New()), Shows: companions.Adds("X-Request-Id")},
		{Name: "`helmet`", Start: onFiber(helmet.New()), Shows: companions.Adds("X-Frame-Options")},
		{
			Name:  "net/http middleware through `adaptor.HTTPMiddleware`",
			Start: onFiber(adaptor.HTTPMiddleware(identifying)), Shows: companions.Adds("X-Request-Id"),
		},
		{Name: "mounted through `adaptor.HTTPHandler`", Start: adapted},
	})
}

// TestFiberOrder registers what must keep off the path after the line.
func TestFiberOrder(t *testing.T) {
	t.Parallel()
	works(t, func(srv *server.Server, listener net.Listener) func(context.Context) error {
		app := newFiber()
		app.Use(mcpfiber.Middleware(companions.Path, srv))
		app.Use(etag.New())
		return serveFiber(app, listener)
	})
}

func skippingETag(srv *server.Server, listener net.Listener) func(context.Context) error {
	app := newFiber()
	app.Use(etag.New(etag.Config{Next: func(c *fiber.Ctx) bool { return c.Path() == "/mcp" }}))
	app.Use(mcpfiber.Middleware("/mcp", srv))
	return serveFiber(app, listener)
}

func onFiber(use ...fiber.Handler) companions.Start {
	return func(srv *server.Server, listener net.Listener) func(context.Context) error {
		app := newFiber()
		for _, handler := range use {
			app.Use(handler)
		}
		app.Use(mcpfiber.Middleware(companions.Path, srv))
		return serveFiber(app, listener)
	}
}

// limited has a time limit on the route, which is how Fiber's is used.
func limited(limit time.Duration) companions.Start {
	return func(srv *server.Server, listener net.Listener) func(context.Context) error {
		app := newFiber()
		app.All(companions.Path, timeout.NewWithContext(mcpfiber.Handler(srv), limit))
		return serveFiber(app, listener)
	}
}

func fiberCORS(srv *server.Server, listener net.Listener) func(context.Context) error {
	app := newFiber()
	app.Use(cors.New(cors.Config{
		AllowOrigins:  "https://app.example",
		AllowHeaders:  strings.Join(srv.RequestHeaders(), ","),
		ExposeHeaders: strings.Join(srv.ResponseHeaders(), ","),
	}))
	app.Use(mcpfiber.Middleware("/mcp", srv))
	return serveFiber(app, listener)
}

func adapted(srv *server.Server, listener net.Listener) func(context.Context) error {
	app := newFiber()
	app.All(companions.Path, adaptor.HTTPHandler(mcphttp.Handler(srv)))
	return serveFiber(app, listener)
}

func newFiber() *fiber.App {
	return fiber.New(fiber.Config{
		DisableStartupMessage: true, WriteTimeout: companions.WriteTimeout, ReadTimeout: companions.ReadTimeout,
		IdleTimeout: time.Minute,
	})
}

func serveFiber(app *fiber.App, listener net.Listener) func(context.Context) error {
	app.Get(companions.Faulty, func(*fiber.Ctx) error { panic("the application") })
	app.Use(func(c *fiber.Ctx) error { return c.SendStatus(http.StatusNotFound) })
	done := make(chan error, 1)
	go func() { done <- app.Listener(listener) }()
	return func(ctx context.Context) error {
		err := app.ShutdownWithContext(ctx)
		if err == nil {
			err = <-done
		}
		return err
	}
}
