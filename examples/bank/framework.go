package main

import (
	"context"
	"maps"
	"net"
	"net/http"
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

// pagePaths are the routes of the website, which is the same on every framework.
var pagePaths = []string{loginPath, connectPath}

// frameworks make the application; the one line that mounts the server is in
// the file of each.
var frameworks = map[string]func(srv *server.Server, pages http.Handler) application{
	"stdlib": stdlibApplication,
	"chi":    chiApplication,
	"gin":    ginApplication,
	"fiber":  fiberApplication,
}

func frameworkNames() string {
	return strings.Join(slices.Sorted(maps.Keys(frameworks)), ", ")
}
