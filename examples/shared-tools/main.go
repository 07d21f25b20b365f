// Program shared-tools serves one package of tools behind four web frameworks:
// one MCP server, mounted in four applications that listen on four ports. What
// a client begins at one of them it can finish at another.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/netip"
	"os"

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/examples/shared-tools/terminal"
	"github.com/parleymcp/parley/examples/shared-tools/tools"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "ip:port of the first application; "+
		"the others take the ports that follow, or free ones if it is 0")
	flag.Parse()
	srv, err := newServer(os.Getenv("STATE_KEY"), os.Getenv("JWT_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	if err := run(*addr, srv); err != nil {
		log.Fatal(err)
	}
}

// newServer makes the one server. Keys and caller are its own, so every
// application that mounts it seals alike, and knows the same callers.
func newServer(stateKey, jwtSecret string) (*server.Server, error) {
	key := seal.EphemeralKey() // what it has sealed opens until the program ends
	if stateKey != "" {
		key = seal.HexKey(stateKey)
	}
	who, err := callers(jwtSecret)
	if err != nil {
		return nil, err
	}
	return server.New(server.Config{
		Name: "shared-tools", Version: "1.0.0",
		Keys: []seal.Key{key}, Authenticator: who,
		Logger: slog.Default(),
	}, tools.All()...)
}

func run(addr string, srv *server.Server) error {
	next, err := netip.ParseAddrPort(addr)
	if err != nil {
		return fmt.Errorf("-addr: %w", err)
	}
	apps := applications(srv)
	listeners := make([]net.Listener, len(apps))
	for i := range apps {
		if listeners[i], err = net.Listen("tcp", next.String()); err != nil {
			return err
		}
		if next.Port() != 0 {
			next = netip.AddrPortFrom(next.Addr(), next.Port()+1)
		}
	}
	for i, app := range apps {
		go func() { _ = app.serve(listeners[i]) }()
		fmt.Printf("listening on http://%s/mcp with %s\n", listeners[i].Addr(), app.framework)
	}
	terminal.Wait(func(ctx context.Context) error {
		// In this order: Shutdown waits for open streams, and Close is what ends them.
		errs := []error{srv.Close(ctx)}
		for _, app := range apps {
			errs = append(errs, app.shutdown(ctx))
		}
		return errors.Join(errs...)
	})
	return nil
}
