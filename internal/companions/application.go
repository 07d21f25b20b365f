package companions

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// Path is where applications mount the server.
const Path = "/mcp"

// Start runs an application with srv on listener, and returns what shuts it
// down gracefully. The timeouts of its HTTP server are [WriteTimeout] and
// [ReadTimeout].
type Start func(srv *server.Server, listener net.Listener) (stop func(context.Context) error)

// OnNetHTTP starts applications that are an [http.Handler].
func OnNetHTTP(build func(*server.Server) http.Handler) Start {
	return OnNetHTTPWith(WriteTimeout, build)
}

// OnNetHTTPWith is [OnNetHTTP] with another write timeout.
func OnNetHTTPWith(writeTimeout time.Duration, build func(*server.Server) http.Handler) Start {
	return func(srv *server.Server, listener net.Listener) func(context.Context) error {
		web := &http.Server{
			Handler: build(srv), WriteTimeout: writeTimeout,
			ReadTimeout: ReadTimeout, ReadHeaderTimeout: ReadTimeout, IdleTimeout: patience,
			ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // of panics, and of middleware that writes twice
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = web.Serve(listener) // it ends with Shutdown
		}()
		return func(ctx context.Context) error {
			err := web.Shutdown(ctx)
			<-done
			return err
		}
	}
}
