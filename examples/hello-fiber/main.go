// Program hello-fiber is a web application on Fiber that serves MCP with one
// more line.
package main

import (
	"context"
	"errors"
	"log"

	"github.com/gofiber/fiber/v2"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/examples/shared-tools/terminal"
	"github.com/parleymcp/parley/examples/shared-tools/tools"
)

func main() {
	srv, err := server.New(server.Config{Name: "hello", Version: "1.0.0"}, tools.Whoami)
	if err != nil {
		log.Fatal(err)
	}
	app := fiber.New(fiber.Config{DisableStartupMessage: true}) // the application there was
	app.Use(mcpfiber.Middleware("/mcp", srv))                   // the line
	app.Get("/", func(c *fiber.Ctx) error { return c.SendString("Hello from the application.\n") })

	listener := terminal.Listen()
	go func() { _ = app.Listener(listener) }()
	terminal.Wait(func(ctx context.Context) error {
		// In this order: Shutdown waits for open streams, and Close is what ends them.
		return errors.Join(srv.Close(ctx), app.ShutdownWithContext(ctx))
	})
}
