package mcpchi

import (
	"context"
	"net/http"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
)

// Option changes how a server is mounted. There is one: [WithContext].
type Option = mcphttp.Option

// WithContext sets a function that makes the context of the handlers of a
// request. It runs once a request and brings values; the request's own
// cancellation is joined to whatever it returns, and nil stands for the
// request's own context. A nil hook, or a second one on the same mount, panics.
func WithContext(hook func(*http.Request) context.Context) Option {
	return mcphttp.WithContext(hook)
}

// Handler returns srv as a handler for one route. It serves every request that
// reaches it, whatever its path, and refuses HTTP methods by itself. Routes for
// srv.MetadataPaths take the same handler. A nil srv panics.
func Handler(srv *server.Server, opts ...Option) http.Handler {
	return mcphttp.Handler(srv, opts...)
}

// Middleware serves srv under exactly path, and the metadata of its resource
// under srv.MetadataPaths, and hands every other request on.
// The path of the request's URL is compared byte by byte: neither "/mcp/" nor
// "/MCP" nor "/mcpfoo" is "/mcp". A path that does not begin with a slash, and
// a nil srv, panic.
func Middleware(path string, srv *server.Server, opts ...Option) func(http.Handler) http.Handler {
	return mcphttp.Middleware(path, srv, opts...)
}
