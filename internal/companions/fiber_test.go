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
	fibercors "github.com/gofiber/fiber/v2/middleware/cors"
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
	skip := func(c *fiber.Ctx) bool { return c.Path() == companions.Path }
	hold(t, "Fiber", []companion{
		{name: "none", start: onFiber()},
		{name: "`compress`", start: onFiber(compress.New()), shows: compressed},
		{name: "`etag`", start: onFiber(etag.New())},
		{name: "`etag` whose `Next` skips the path", start: onFiber(etag.New(etag.Config{Next: skip}))},
		{name: "`timeout.NewWithContext` above all calls", start: limited(above)},
		{name: "`timeout.NewWithContext`", start: limited(below)},
		{name: "`recover`", start: onFiber(recover.New()), also: recovers},
		{name: "`logger`", start: onFiber(logger.New(logger.Config{Output: &lines})), shows: lines.show},
		{name: "`logger` with `${resBody}`", start: onFiber(logger.New(logger.Config{Output: new(journal), Format: "${resBody}"}))},
		{name: "`cors`", start: fiberCORS, also: pages},
		{name: "`requestid`", start: onFiber(requestid.New()), shows: with("X-Request-Id")},
		{name: "`helmet`", start: onFiber(helmet.New()), shows: with("X-Frame-Options")},
		{
			name:  "net/http middleware through `adaptor.HTTPMiddleware`",
			start: onFiber(adaptor.HTTPMiddleware(identifying)), shows: with("X-Request-Id"),
		},
		{name: "none, but mounted through `adaptor.HTTPHandler`", start: adapted},
	})
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
	return onFiber(fibercors.New(fibercors.Config{
		AllowOrigins:  companions.Origin,
		AllowHeaders:  strings.Join(srv.RequestHeaders(), ","),
		ExposeHeaders: strings.Join(srv.ResponseHeaders(), ","),
	}))(srv, listener)
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
	app.Get(faulty, func(*fiber.Ctx) error { panic("the application") })
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
