// Program hello-gin is a web application on Gin that serves MCP with one more
// line.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/examples/shared-tools/terminal"
	"github.com/parleymcp/parley/examples/shared-tools/tools"
)

func main() {
	srv, err := server.New(server.Config{Name: "hello", Version: "1.0.0"}, tools.Whoami)
	if err != nil {
		log.Fatal(err)
	}
	app := gin.New() // the application there was
	app.Use(gin.Recovery())
	app.Use(mcpgin.Middleware("/mcp", srv)) // the line
	app.GET("/", func(c *gin.Context) { c.String(http.StatusOK, "Hello from the application.\n") })

	web := &http.Server{Handler: app, ReadHeaderTimeout: 10 * time.Second}
	listener := terminal.Listen()
	go func() { _ = web.Serve(listener) }()
	terminal.Wait(func(ctx context.Context) error {
		// In this order: Shutdown waits for open streams, and Close is what ends them.
		return errors.Join(srv.Close(ctx), web.Shutdown(ctx))
	})
}
