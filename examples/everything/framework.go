package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/parleymcp/parley/core/server"
)

const (
	path   = "/mcp"     // where the MCP server is mounted
	health = "/healthz" // a route of the application's own

	// writeTimeout is shorter than some calls and most streams, which it must not
	// cut.
	writeTimeout = time.Second
)

// application is a web application with the MCP server mounted.
type application interface {
	Serve(listener net.Listener) error // until Shutdown
	Shutdown(ctx context.Context) error
}

// frameworks make the application, with the server mounted as middleware or on
// a route.
var frameworks = map[string]func(srv *server.Server, asMiddleware bool) application{
	"stdlib": stdlibApplication,
	"chi":    chiApplication,
	"gin":    ginApplication,
	"fiber":  fiberApplication,
}

func frameworkNames() string {
	return strings.Join(slices.Sorted(maps.Keys(frameworks)), ", ")
}

func newApplication(framework, mount string, srv *server.Server) (application, error) {
	var errs []error
	build := frameworks[framework]
	if build == nil {
		errs = append(errs, fmt.Errorf("-framework is %q, allowed are %s", framework, frameworkNames()))
	}
	if mount != "middleware" && mount != "handler" {
		errs = append(errs, fmt.Errorf("-mount is %q, allowed are middleware, handler", mount))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return build(srv, mount == "middleware"), nil
}
