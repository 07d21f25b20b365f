package server_test

import (
	"context"
	"fmt"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

var now = core.NewTool("now", "Tells the time.",
	func(context.Context, *core.Event, core.NoInput) (string, error) { return time.Now().String(), nil })

// A server needs a name and a version; a key and a caller when its tools
// remember something between rounds. An adapter mounts it, and Close ends its
// streams before the web server shuts down.
func ExampleNew() {
	srv, err := server.New(server.Config{
		Name: "clock", Version: "1.0.0",
		Keys: []seal.Key{seal.EphemeralKey()}, // of one process; seal.HexKey for more
	}, now)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(srv.Close(context.Background()))
	// Output: <nil>
}

// Everything that is wrong with a configuration comes back at once.
func ExampleNew_problems() {
	_, err := server.New(server.Config{Name: "clock", MaxBody: -1}, now, now)
	fmt.Println(err)
	// Output:
	// parley: Config.Version is "": a version is required
	// parley: Config.MaxBody is -1: 0 or more is allowed
	// parley: feature 1: the tool "now" is registered already
}

// A server whose callers have tokens says where they come from, at the paths that
// every adapter's one line serves.
func ExampleResource() {
	who := core.IdentityFromContext() // or jwtbind.Verify
	srv := server.Must(server.New(server.Config{
		Name: "clock", Version: "1.0.0", Authenticator: who,
		Resource: &server.Resource{
			URL:                  "https://clock.example/mcp",
			AuthorizationServers: []string{"https://id.example"},
			Scopes:               []string{"clock:set"},
		},
	}, now))
	for _, path := range srv.MetadataPaths() {
		metadata := srv.Handle(context.Background(), &server.Request{Method: "GET", Path: path})
		fmt.Println(path, metadata.Status, string(metadata.Body))
	}
	// Output:
	// /.well-known/oauth-protected-resource/mcp 200 {"resource":"https://clock.example/mcp","authorization_servers":["https://id.example"],"scopes_supported":["clock:set"],"bearer_methods_supported":["header"]}
	// /.well-known/oauth-protected-resource 200 {"resource":"https://clock.example/mcp","authorization_servers":["https://id.example"],"scopes_supported":["clock:set"],"bearer_methods_supported":["header"]}
}

// Features come and go while the server runs; open subscriptions hear of it.
func ExampleServer_Add() {
	srv := server.Must(server.New(server.Config{Name: "clock", Version: "1.0.0"}))
	fmt.Println(srv.Add(now))
	srv.Remove(now)
	fmt.Println(srv.Close(context.Background()))
	// Output:
	// <nil>
	// <nil>
}
