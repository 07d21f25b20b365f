// Program bank is the whole story in one program: tools that move money after
// they have asked, a prompt and resources that ask before they tell, on any of
// the supported frameworks.
//
//	export BANK_KEYS=active:$(openssl rand -hex 32) BANK_HMAC=$(openssl rand -hex 32)
//	go run ./examples/bank -framework gin -addr 127.0.0.1:8080
//	go run ./examples/bank token -sub alice -ttl 5m
//
// The second line serves, the third prints a token to call it with, as
// Authorization: Bearer.
//
//   - transfer is a straight-line flow that ends in a Commit,
//   - close_account is in return style, with typed state,
//   - the prompt statement and the resources bank://statements/{month} ask which
//     account they are about,
//   - the resource bank://ledger is what was booked for the caller,
//   - connect_bank sends the user to a web page, which finds out whether its
//     visitor is the one who was asked; it needs a token with a scope.
//
// What a client sends is never the reason why something is allowed: state is
// sealed and bound to its caller, and the ledger checks again, under its lock,
// when it books. The ledger lives in memory, and so does what Commit remembers;
// several instances of a real bank share a database and a replay.Store.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/parleymcp/parley/core/server"
)

func main() {
	var err error
	if len(os.Args) > 1 && os.Args[1] == "token" {
		err = printToken(os.Args[2:])
	} else {
		err = serve(os.Args[1:])
	}
	if err != nil {
		log.Fatal(err)
	}
}

func serve(args []string) error {
	s, err := parseSettings(args)
	if err != nil {
		return err
	}
	cfg, err := s.serverConfig()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err
	}
	var site *website
	if s.tokens.secret != nil {
		site = newWebsite(cmp.Or(s.web, "http://"+listener.Addr().String()), cfg.Authenticator)
	} else {
		slog.Warn("nobody is asked who he is: every caller has the same accounts")
	}
	srv, err := server.New(cfg, features(newLedger(), site)...)
	if err != nil {
		return err
	}
	pages := http.NotFoundHandler()
	if site != nil {
		site.host, pages = srv.Host, site
	}
	return run(listener, frameworks[s.framework](srv, pages), srv)
}

// run serves until a signal comes, then lets calls that run come to an end.
func run(listener net.Listener, app application, srv *server.Server) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
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
	// In this order: Shutdown waits for open streams, and Close is what ends them.
	if err := srv.Close(ctx); err != nil {
		return err
	}
	// A client may keep a connection open on which nothing runs any more.
	if err := app.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
