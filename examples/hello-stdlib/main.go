// Program hello-stdlib is a web application on net/http that serves MCP with
// one more line: a tool that asks its user for a name.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "host:port to listen on")
	flag.Parse()
	if err := run(*addr); err != nil {
		log.Fatal(err)
	}
}

func run(addr string) error {
	app := http.NewServeMux() // the application there was
	app.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "Hello from the application.")
	})

	srv, err := server.New(server.Config{Name: "hello", Version: "1.0.0", Logger: slog.Default()}, whoami)
	if err != nil {
		return err
	}
	web := &http.Server{
		Handler:           mcphttp.Middleware("/mcp", srv)(app), // the line
		ReadHeaderTimeout: 10 * time.Second,
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	fmt.Printf(ready, listener.Addr())

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		stop() // another signal ends the program at once
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	// In this order: Shutdown waits for open streams, and Close is what ends them.
	return errors.Join(srv.Close(ctx), web.Shutdown(ctx))
}
