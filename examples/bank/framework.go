package main

import (
	"context"
	"maps"
	"net"
	"slices"
	"strings"

	"github.com/parleymcp/parley/core/server"
)

const (
	path   = "/mcp"     // where the MCP server is mounted
	health = "/healthz" // a route of the application's own
)

// application is a web application with the MCP server mounted.
type application interface {
	Serve(listener net.Listener) error // until Shutdown
	Shutdown(ctx context.Context) error
}

// frameworks make the application; the one line that mounts the server is in
// the file of each.
var frameworks = map[string]func(srv *server.Server) application{
	"stdlib": stdlibApplication,
	"chi":    chiApplication,
	"gin":    ginApplication,
	"fiber":  fiberApplication,
}

func frameworkNames() string {
	return strings.Join(slices.Sorted(maps.Keys(frameworks)), ", ")
}
