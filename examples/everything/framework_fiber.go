package main

import (
	"context"
	"net"

	"github.com/gofiber/fiber/v2"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	"github.com/parleymcp/parley/core/server"
)

type fiberServer struct{ app *fiber.App }

func fiberApplication(srv *server.Server, asMiddleware bool) application {
	app := fiber.New(fiber.Config{
		DisableStartupMessage: true, // it goes to standard output
		StreamRequestBody:     true, // so that the limit is the MCP server's
		WriteTimeout:          writeTimeout,
	})
	if asMiddleware {
		app.Use(mcpfiber.Middleware(path, srv))
	} else {
		app.All(path, mcpfiber.Handler(srv))
	}
	app.Get(health, func(c *fiber.Ctx) error { return c.SendStatus(fiber.StatusNoContent) })
	return fiberServer{app}
}

func (s fiberServer) Serve(listener net.Listener) error { return s.app.Listener(listener) }

func (s fiberServer) Shutdown(ctx context.Context) error { return s.app.ShutdownWithContext(ctx) }
