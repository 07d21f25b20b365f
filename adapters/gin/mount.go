package mcpgin

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/nethttp"
)

// Option changes how a server is mounted. There is one: [WithContext].
type Option func(*mount)

type mount struct {
	srv  *server.Server
	hook func(*gin.Context) context.Context
}

// WithContext sets a function that makes the context of the handlers of a
// request. It runs once a request and brings values, usually by adding to
// c.Request.Context() what middleware has put into c with Set; the request's own
// cancellation is joined to whatever it returns, be it c, and nil stands for
// the request's own context. A nil hook, or a second one on the same mount,
// panics.
func WithContext(hook func(*gin.Context) context.Context) Option {
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

// Handler returns srv as a handler for one route, to be registered with Any. It
// serves every request that reaches it, whatever its path, refuses HTTP methods
// by itself, and ends the chain. Routes for srv.MetadataPaths take the same
// handler. A nil srv panics.
func Handler(srv *server.Server, opts ...Option) gin.HandlerFunc {
	return newMount("Handler", srv, opts).serve
}

// Middleware serves srv under exactly path, and the metadata of its resource
// under srv.MetadataPaths, ending the chain, and lets every other request pass.
// It belongs on the engine, before or beside its routes. The path of the
// request's URL is compared byte by byte: neither "/mcp/" nor "/MCP" nor
// "/mcpfoo" is "/mcp". A path that does not begin with a slash, and a nil srv,
// panic.
func Middleware(path string, srv *server.Server, opts ...Option) gin.HandlerFunc {
	if !strings.HasPrefix(path, "/") {
		panic("parley: Middleware: the path \"" + path + "\" does not begin with a slash")
	}
	m := newMount("Middleware", srv, opts)
	paths := append([]string{path}, srv.MetadataPaths()...)
	return func(c *gin.Context) {
		if slices.Contains(paths, c.Request.URL.Path) {
			m.serve(c)
		}
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

func (m *mount) serve(c *gin.Context) {
	c.Abort() // what is registered behind would append to the answer
	ctx := c.Request.Context()
	if m.hook != nil {
		joined, release := nethttp.Join(m.hook(c), ctx)
		defer release()
		ctx = joined
	}
	body, length := io.Reader(c.Request.Body), c.Request.ContentLength
	if kept, ok := cachedBody(c); ok {
		body, length = bytes.NewReader(kept), int64(len(kept))
	}
	nethttp.Serve(ctx, m.srv, c.Writer, c.Request, body, length)
	// Gin keeps a status to itself until something is written: an answer without
	// a body would be open to whatever an outer middleware adds.
	c.Writer.WriteHeaderNow()
}

// cachedBody is the body that ShouldBindBodyWith has read and kept.
func cachedBody(c *gin.Context) ([]byte, bool) {
	v, ok := c.Get(gin.BodyBytesKey)
	if !ok {
		return nil, false
	}
	kept, ok := v.([]byte)
	return kept, ok
}
