package mcpfiber

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/fasthttpio"
)

// Option changes how a server is mounted. There is one: [WithContext].
type Option func(*mount)

type mount struct {
	srv  *server.Server
	hook func(*fiber.Ctx) context.Context
}

// WithContext sets a function that makes the context of the handlers of a
// request. It runs once a request, while c is valid, and brings values: copies
// of what it reads from c, added to c.UserContext(). Cancellation of what it
// returns and of c.UserContext() is followed until Fiber's handler returns; a
// stream that goes on then is not cut by middleware that cleans up. Nil stands
// for c.UserContext(). A nil hook, or a second one on the same mount, panics.
func WithContext(hook func(*fiber.Ctx) context.Context) Option {
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

// Handler returns srv as a handler for one route, to be registered with All. It
// serves every request that reaches it, whatever its path, refuses HTTP methods
// by itself, and ends the chain. Routes for srv.MetadataPaths take the same
// handler. A nil srv panics.
func Handler(srv *server.Server, opts ...Option) fiber.Handler {
	return newMount("Handler", srv, opts).serve
}

// Middleware serves srv under exactly path, and the metadata of its resource
// under srv.MetadataPaths, ending the chain, and hands every other request on.
// The path is compared byte by byte, whatever the routing rules of the app:
// neither "/mcp/" nor "/MCP" nor "/mcpfoo" is "/mcp". A path that does not begin
// with a slash, and a nil srv, panic.
func Middleware(path string, srv *server.Server, opts ...Option) fiber.Handler {
	if !strings.HasPrefix(path, "/") {
		panic("parley: Middleware: the path \"" + path + "\" does not begin with a slash")
	}
	m := newMount("Middleware", srv, opts)
	paths := append([]string{path}, srv.MetadataPaths()...)
	return func(c *fiber.Ctx) error {
		if !slices.Contains(paths, c.Path()) {
			return c.Next()
		}
		return m.serve(c)
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

func (m *mount) serve(c *fiber.Ctx) error {
	ctx, release, err := m.context(c)
	if err != nil {
		return err
	}
	defer release()
	fasthttpio.Serve(ctx, m.srv, c.Context())
	return nil
}

var errRecycled = errors.New("parley: the context for MCP handlers is c.Context() or derived from it, " +
	"which belongs to another request once Fiber's handler has returned: derive it from c.UserContext()")

// recycled marks the native context of a request, to find it again behind
// whatever a hook or a middleware made of it.
type recycled struct{}

// context returns what handlers see: the values of the hook's context, or of
// the user context, and the cancellation of both until release is called.
func (m *mount) context(c *fiber.Ctx) (_ context.Context, release func(), _ error) {
	user := c.UserContext()
	base := user
	if m.hook != nil {
		if hooked := m.hook(c); hooked != nil {
			base = hooked
		}
	}
	if base == context.Background() {
		return base, func() {}, nil
	}
	c.Context().SetUserValue(recycled{}, true)
	if base.Value(recycled{}) != nil {
		return nil, nil, errRecycled
	}
	if base.Done() == nil && user.Done() == nil {
		return base, func() {}, nil
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(base))
	stopBase := context.AfterFunc(base, func() { cancel(context.Cause(base)) })
	stopUser := context.AfterFunc(user, func() { cancel(context.Cause(user)) })
	return ctx, func() {
		stopBase()
		stopUser()
	}, nil
}
