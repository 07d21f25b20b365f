package adaptertest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// Path is where the server is mounted in every application of the suite.
const Path = "/mcp"

// Form is one of the two ways to mount a server.
type Form string

// The forms.
const (
	Middleware Form = "middleware"
	Handler    Form = "handler"
)

// What applications of the suite consist of, besides the server:
//
//   - a middleware around everything that sets AppHeader on every answer,
//   - a middleware that takes the user from UserHeader to where the framework
//     keeps such values, and a context hook that brings it to [WithUser],
//   - middleware that reads the body when ConsumeHeader names it,
//   - middleware that gives the request's context the time in DeadlineHeader,
//   - POST /app/echo, which answers with its body,
//   - the metadata of the server's resource, where it belongs,
//   - NotFoundText, status 404, for every other path.
const (
	AppHeader      = "X-App"
	UserHeader     = "X-User"
	ConsumeHeader  = "X-Consume"
	DeadlineHeader = "X-Deadline"
	EchoPath       = "/app/echo"
	NotFoundText   = "the application has no such page"
)

// Spec is what a test asks of an application.
type Spec struct {
	Form   Form
	Server *server.Server

	// WriteTimeout is the framework's own; 0: none.
	WriteTimeout time.Duration

	// Detached makes the context hook derive from [context.Background].
	Detached bool

	// NoContext makes the context hook return nil.
	NoContext bool

	// Wrap stands between the server and everything else of the application; nil:
	// nothing. Only [RunWriters] uses it.
	Wrap func(http.Handler) http.Handler
}

// App is an application that listens.
type App struct {
	Addr     string                          // host:port
	Shutdown func(ctx context.Context) error // the framework's own, graceful

	http2 bool
}

// Factory makes applications of one framework.
type Factory struct {
	// Start runs an application on listener.
	Start func(t testing.TB, spec Spec, listener net.Listener) App

	// Consumers are the middlewares that read the body, by the value of
	// ConsumeHeader: true where the adapter gets at the bytes all the same.
	Consumers map[string]bool

	// Silent says that the framework does not notice who has disconnected, so
	// that only writing shows it.
	Silent bool

	// HTTP2 says that clients speak HTTP/2, in clear.
	HTTP2 bool
}

func (f Factory) start(t testing.TB, spec Spec) App {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	app := f.Start(t, spec, listener)
	app.Addr, app.http2 = listener.Addr().String(), f.HTTP2
	t.Cleanup(func() {
		// The test's context is done by now, and has nothing to say here.
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := spec.Server.Close(ctx); err != nil {
			t.Errorf("closing the server: %v", err)
		}
		if err := app.Shutdown(ctx); err != nil {
			t.Errorf("shutting down the application: %v", err)
		}
	})
	return app
}

// ServeHTTP starts an application of the net/http family.
func ServeHTTP(t testing.TB, spec Spec, listener net.Listener, h http.Handler) App {
	t.Helper()
	if spec.Wrap != nil {
		h = spec.Wrap(h)
	}
	srv := &http.Server{
		Handler: h, WriteTimeout: spec.WriteTimeout,
		ReadTimeout: 6 * spec.WriteTimeout, IdleTimeout: patience, // a stream of two seconds takes longer
	}
	srv.Protocols = new(http.Protocols)
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	done := make(chan error, 1)
	go func() { done <- srv.Serve(listener) }()
	t.Cleanup(func() {
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serving: %v", err)
		}
	})
	return App{Shutdown: srv.Shutdown}
}

type userKey struct{}

// Context is what the context hook of an application returns: the user of the
// request, added to its context or to what stands for a detached one.
func (s Spec) Context(request, detached context.Context, user string) context.Context {
	switch {
	case s.NoContext:
		return nil
	case s.Detached:
		return WithUser(detached, user)
	}
	return WithUser(request, user)
}

// WithUser puts the user of a request where the tools of the suite look, and
// hands him over as the caller.
func WithUser(ctx context.Context, user string) context.Context {
	if user != "" {
		ctx = core.WithIdentity(ctx, identityOf(user))
	}
	return context.WithValue(ctx, userKey{}, user)
}

func userOf(ctx context.Context) string {
	user, _ := ctx.Value(userKey{}).(string)
	return user
}
