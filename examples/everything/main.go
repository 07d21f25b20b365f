// Program everything serves each thing that the official conformance runner
// asks for, and nothing else: it is the fixture of internal/conformance, and of
// tests against other people's clients. Any of the supported frameworks can
// serve it.
//
// The names, texts and schemas of its features are the runner's. What it
// answers comes from the library: no gate, token or code is made by hand.
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

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

func main() {
	framework := flag.String("framework", "stdlib", "web framework to serve with: "+frameworkNames())
	mount := flag.String("mount", "middleware", "how it is mounted: middleware or handler")
	addr := flag.String("addr", "127.0.0.1:0", "host:port to listen on; port 0 takes a free one")
	legacy := flag.Bool("legacy", false, "give clients of revisions before 2026-07-28 sessions, in which they can be asked")
	key := flag.String("key", "", "key that seals request state, 64 hexadecimal digits (default one of this process)")
	flag.Parse()

	stateKey := seal.EphemeralKey()
	if *key != "" {
		stateKey = seal.HexKey(*key)
	}
	watched := new(watchedResource)
	srv, err := newServer(stateKey, *legacy, watched)
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

func newServer(key seal.Key, legacy bool, watched *watchedResource) (*server.Server, error) {
	srv, err := server.New(server.Config{
		Name:         "parley-everything",
		Title:        "Everything",
		Version:      "1.0.0",
		Instructions: "Serves what the MCP conformance runner asks for.",
		Keys:         []seal.Key{key},
		Legacy:       server.Legacy{Sessions: legacy},
		Logger:       slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}, features(watched)...)
	if err != nil {
		return nil, err
	}
	return srv, srv.Add(triggerTools(srv)...)
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
