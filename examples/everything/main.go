// Program everything serves each thing that the official conformance runner
// asks for, and what other people's clients are tested with: it is the fixture
// of internal/conformance and of interop. With -probes it serves what the probe
// suite of interop/probes calls, too. Any of the supported frameworks can serve
// it.
//
// The names, texts and schemas of its features are the runner's, except those
// that begin with interop or are the probes'. What it answers comes from the
// library: no gate, token or code is made by hand.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

func main() {
	framework := flag.String("framework", "stdlib", "web framework to serve with: "+frameworkNames())
	mount := flag.String("mount", "middleware", "how it is mounted: middleware or handler")
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on; port 0 takes a free one")
	pageSize := flag.Int("page-size", 0, "features on one page of a list; 0: all of them")
	keepAlive := flag.Duration("keep-alive", 0, "how long a stream is quiet before a sign of life; 0: the default")
	legacy := flag.Bool("legacy", false, "give clients of revisions before 2026-07-28 sessions, in which they can be asked")
	key := flag.String("key", "", "key that seals request state, 64 hexadecimal digits (default one of this process)")
	probing := flag.Bool("probes", false, "serve what interop/probes calls, too, and hurry: streams are kept alive every second")
	flag.Parse()

	stateKey := seal.EphemeralKey()
	if *key != "" {
		stateKey = seal.HexKey(*key)
	}
	watched := new(watchedResource)
	cfg := server.Config{
		Keys:      []seal.Key{stateKey},
		Legacy:    server.Legacy{Sessions: *legacy},
		PageSize:  *pageSize,
		KeepAlive: *keepAlive,
	}
	served := features(watched)
	if *probing {
		served, cfg.KeepAlive = append(served, probes()...), time.Second
	}
	srv, err := newServer(cfg, served)
	if err != nil {
		log.Fatal(err)
	}
	app, err := newApplication(*framework, *mount, srv)
	if err != nil {
		log.Fatal(err)
	}
	if err := run(*addr, app, srv, watched); err != nil {
		log.Fatal(err)
	}
}

func newServer(cfg server.Config, served []core.Feature) (*server.Server, error) {
	cfg.Name, cfg.Title, cfg.Version = "parley-everything", "Everything", "1.0.0"
	cfg.Instructions = "Serves what the MCP conformance runner asks for."
	cfg.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
	srv, err := server.New(cfg, served...)
	if err != nil {
		return nil, err
	}
	return srv, errors.Join(srv.Add(triggerTools(srv)...), srv.Add(interopTools(srv)...))
}

// run serves until a signal comes, then ends within the 5 seconds that the
// tests allow.
func run(addr string, app application, srv *server.Server, watched *watchedResource) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go watched.change(ctx, srv)
	failed := make(chan error, 1)
	go func() { failed <- app.Serve(listener) }()
	fmt.Printf("listening on http://%s%s\n", listener.Addr(), path)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		stop() // another signal ends the program at once
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 4*time.Second)
	defer cancel()
	if err := srv.Close(ctx); err != nil {
		return err
	}
	// A client may keep a connection open on which nothing runs any more.
	if err := app.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
