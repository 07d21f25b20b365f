package main

import (
	"context"
	"net"
	"net/http"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	"github.com/parleymcp/parley/core/server"
)

type fiberServer struct{ app *fiber.App }

func fiberApplication(srv *server.Server, pages http.Handler) application {
	app := fiber.New(fiber.Config{
		DisableStartupMessage: true,    // it goes to standard output
		BodyLimit:             5 << 20, // above the MCP server's own, whose error its clients understand
	})
	app.Use(mcpfiber.Middleware(path, srv))
	app.Get(health, func(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })
	for _, p := range pagePaths {
		app.All(p, adaptor.HTTPHandler(pages))
	}
	return fiberServer{app}
}

func (s fiberServer) Serve(listener net.Listener) error { return s.app.Listener(listener) }

func (s fiberServer) Shutdown(ctx context.Context) error { return s.app.ShutdownWithContext(ctx) }
