// Program hello-chi is a web application on Chi that serves MCP with one more
// line.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/examples/shared-tools/terminal"
	"github.com/parleymcp/parley/examples/shared-tools/tools"
)

func main() {
	srv, err := server.New(server.Config{Name: "hello", Version: "1.0.0"}, tools.Whoami)
	if err != nil {
		log.Fatal(err)
	}
	app := chi.NewRouter()                  // the application there was
	app.Use(mcpchi.Middleware("/mcp", srv)) // the line
	app.Get("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Hello from the application.") })

	web := &http.Server{Handler: app, ReadHeaderTimeout: 10 * time.Second}
	listener := terminal.Listen()
	go func() { _ = web.Serve(listener) }()
	terminal.Wait(func(ctx context.Context) error {
		// In this order: Shutdown waits for open streams, and Close is what ends them.
		return errors.Join(srv.Close(ctx), web.Shutdown(ctx))
	})
}
