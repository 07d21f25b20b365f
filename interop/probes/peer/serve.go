package peer

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Options are what the suite wants of a server beyond its defaults.
type Options struct {
	Sessions bool // keep sessions for clients of older revisions
}

// Run serves what build makes at /mcp until a signal comes, and then ends as an
// application does: close, if there is one, and [http.Server.Shutdown] have 4
// seconds together.
func Run(build func(Options) (handler http.Handler, closing func(context.Context) error, err error)) error {
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on")
	sessions := flag.Bool("sessions", false, "keep sessions for clients of older revisions")
	writeTimeout := flag.Duration("write-timeout", 0, "WriteTimeout of the HTTP server; 0: none")
	flag.Parse()

	handler, closing, err := build(Options{Sessions: *sessions})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: *writeTimeout}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	_, _ = fmt.Printf("listening on http://%s/mcp\n", listener.Addr())

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 4*time.Second)
	defer cancel()
	if closing != nil {
		err = closing(ctx)
	}
	return errors.Join(err, web.Shutdown(ctx))
}
