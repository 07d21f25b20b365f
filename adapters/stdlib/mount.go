package mcphttp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/nethttp"
)

// Option changes how a server is mounted. There is one: [WithContext].
type Option func(*mount)

type mount struct {
	srv  *server.Server
	hook func(*http.Request) context.Context
}

// WithContext sets a function that makes the context of the handlers of a
// request. It runs once a request and brings values; the request's own
// cancellation is joined to whatever it returns, and nil stands for the
// request's own context. A nil hook, or a second one on the same mount, panics.
func WithContext(hook func(*http.Request) context.Context) Option {
	if hook == nil {
		panic("parley: WithContext: the hook is nil")
	}
	return func(m *mount) {
		if m.hook != nil {
			panic("parley: WithContext: given twice; one hook makes the whole context")
		}
		m.hook = hook
	}
}

// Handler returns srv as a handler for one route. It serves every request that
// reaches it, whatever its path, and refuses HTTP methods by itself. Routes for
// srv.MetadataPaths take the same handler. A nil srv panics.
func Handler(srv *server.Server, opts ...Option) http.Handler {
	return newMount("Handler", srv, opts)
}

// Middleware serves srv under exactly path, and the metadata of its resource
// under srv.MetadataPaths, and hands every other request on.
// The path of the request's URL is compared byte by byte: neither "/mcp/" nor
// "/MCP" nor "/mcpfoo" is "/mcp". A path that does not begin with a slash, and
// a nil srv, panic.
func Middleware(path string, srv *server.Server, opts ...Option) func(http.Handler) http.Handler {
	if !strings.HasPrefix(path, "/") {
		panic("parley: Middleware: the path \"" + path + "\" does not begin with a slash")
	}
	m := newMount("Middleware", srv, opts)
	paths := append([]string{path}, srv.MetadataPaths()...)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !slices.Contains(paths, r.URL.Path) {
				next.ServeHTTP(w, r)
				return
			}
			m.ServeHTTP(w, r)
		})
	}
}

func newMount(caller string, srv *server.Server, opts []Option) *mount {
	if srv == nil {
		panic("parley: " + caller + ": the server is nil")
	}
	m := &mount{srv: srv}
	for _, opt := range opts {
		opt(m)
	}
	return m
}

func (m *mount) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if m.hook != nil {
		joined, release := nethttp.Join(m.hook(r), ctx)
		defer release()
		ctx = joined
	}
	nethttp.Serve(ctx, m.srv, w, r, r.Body, r.ContentLength)
}
