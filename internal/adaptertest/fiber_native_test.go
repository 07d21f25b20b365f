package adaptertest_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"
	"github.com/gofiber/fiber/v2/middleware/etag"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/adaptertest"
)

// runFiber runs an application of one test until the test ends.
func runFiber(t *testing.T, app *fiber.App, srv *server.Server) (addr string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	running := serveFiber(t, app, listener)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := srv.Close(ctx); err != nil {
			t.Errorf("closing the server: %v", err)
		}
		if err := running.Shutdown(ctx); err != nil {
			t.Errorf("shutting down: %v", err)
		}
	})
	return listener.Addr().String()
}

func newServer(t *testing.T, change func(*server.Config), features ...core.Feature) *server.Server {
	t.Helper()
	cfg := server.Config{Name: "native", Version: "1.0.0", KeepAlive: 100 * time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	srv, err := server.New(cfg, features...)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// notified sends one notification and works on until its context ends, or for
// some time.
func notified(ended chan struct{}) core.Feature {
	return core.NewTool("notified", "Sends a notification.",
		func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			defer close(ended)
			ev.Progress(1, 2, "")
			select {
			case <-ctx.Done():
			case <-time.After(500 * time.Millisecond):
			}
			return "done", nil
		})
}

// A body that nobody read to its end would be the next request: T2, with
// StreamRequestBody.
func TestFiberUnreadBody(t *testing.T) {
	srv := newServer(t, func(c *server.Config) { c.MaxBody = 1000 })
	app := newFiber(fiber.Config{StreamRequestBody: true, BodyLimit: 1000})
	app.Use(mcpfiber.Middleware(adaptertest.Path, srv))
	addr := runFiber(t, app, srv)

	smuggled := "POST " + adaptertest.EchoPath + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nsmuggled"
	next := "POST " + adaptertest.EchoPath + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nnext"
	tests := []struct {
		name string
		size int // of the filling, before the smuggled request
		keep bool
	}{
		{"little is skipped", 20_000, true},
		{"much ends the connection", 600_000, false},
	}
	for _, chunked := range []bool{false, true} {
		for _, tt := range tests {
			t.Run(fmt.Sprintf("%s, chunked %v", tt.name, chunked), func(t *testing.T) {
				body := strings.Repeat("x", tt.size) + smuggled
				head := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
				if chunked {
					head = "Transfer-Encoding: chunked\r\n\r\n"
					body = fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", tt.size, body[:tt.size], len(smuggled), smuggled)
				}
				conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				go func() { // the server may close before it has read everything
					_, _ = io.WriteString(conn, "POST "+adaptertest.Path+
						" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+head+body+next)
				}()

				r := bufio.NewReader(conn)
				resp, err := http.ReadResponse(r, nil)
				if err != nil {
					if !tt.keep {
						return // reset, as by any server that does not read on
					}
					t.Fatal(err)
				}
				answer, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != http.StatusRequestEntityTooLarge || resp.Close == tt.keep {
					t.Errorf("status %d, closed %v, body %q", resp.StatusCode, resp.Close, answer)
				}
				resp, err = http.ReadResponse(r, nil)
				if !tt.keep {
					if err == nil {
						resp.Body.Close()
						t.Errorf("an answer to what was in the body: %d", resp.StatusCode)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				if answer, _ := io.ReadAll(resp.Body); string(answer) != "next" {
					t.Errorf("next answer %q", answer)
				}
			})
		}
	}
}

// A context of fasthttp is another request's when the handler has returned, so
// it is refused, whoever brought it: T24.
func TestFiberRecycledContext(t *testing.T) {
	type key struct{}
	tests := []struct {
		name string
		hook func(*fiber.Ctx) context.Context
	}{
		{"hook", func(c *fiber.Ctx) context.Context { return c.Context() }},
		{"derived by the hook", func(c *fiber.Ctx) context.Context {
			return context.WithValue(c.Context(), key{}, 1)
		}},
		{"user context", func(c *fiber.Ctx) context.Context {
			c.SetUserContext(context.WithValue(c.Context(), key{}, 1))
			return c.UserContext()
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := newServer(t, nil, core.NewTool("reached", "Must not run.",
				func(context.Context, *core.Event, core.NoInput) (string, error) {
					t.Error("the handler runs")
					return "", nil
				}))
			var failure error
			app := newFiber(fiber.Config{ErrorHandler: func(c *fiber.Ctx, err error) error {
				failure = err
				return fiber.DefaultErrorHandler(c, err)
			}})
			app.All(adaptertest.Path, mcpfiber.Handler(srv, mcpfiber.WithContext(tt.hook)))
			resp, err := http.DefaultClient.Do(adaptertest.ToolCall(t, runFiber(t, app, srv), "reached", nil))
			if err != nil {
				t.Fatal(err)
			}
			defer http.DefaultClient.CloseIdleConnections()
			defer resp.Body.Close()
			if _, err := io.ReadAll(resp.Body); err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != http.StatusInternalServerError || failure == nil ||
				!strings.Contains(failure.Error(), "c.UserContext()") {
				t.Errorf("status %d, error %v", resp.StatusCode, failure)
			}
		})
	}
}

// Middleware that replaces a stream by an answer of its own ends the tool, and
// leaves nothing behind (T26).
func TestFiberReplacedStream(t *testing.T) {
	ended := make(chan struct{})
	srv := newServer(t, nil, notified(ended))
	app := newFiber(fiber.Config{})
	app.Use(func(c *fiber.Ctx) error {
		if err := c.Next(); err != nil {
			return err
		}
		if c.Path() == adaptertest.Path {
			return fiber.NewError(fiber.StatusTeapot, "replaced")
		}
		return nil
	})
	app.Use(mcpfiber.Middleware(adaptertest.Path, srv))
	resp, err := http.DefaultClient.Do(adaptertest.ToolCall(t, runFiber(t, app, srv), "notified", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != fiber.StatusTeapot || string(body) != "replaced" {
		t.Errorf("status %d, body %q", resp.StatusCode, body)
	}
	<-ended
}

// What buffers a stream sends nothing before its end; the documentation warns
// of them (T25).
func TestFiberBuffered(t *testing.T) {
	mounts := map[string]func(*fiber.App, *server.Server){
		"etag": func(app *fiber.App, srv *server.Server) {
			app.Use(etag.New(), mcpfiber.Middleware(adaptertest.Path, srv))
		},
		"ETag": func(app *fiber.App, srv *server.Server) {
			app.All(adaptertest.Path, mcpfiber.Handler(srv))
		},
		"adaptor": func(app *fiber.App, srv *server.Server) {
			app.All(adaptertest.Path, adaptor.HTTPHandler(mcphttp.Handler(srv)))
		},
	}
	for name, mount := range mounts {
		t.Run(name, func(t *testing.T) {
			ended := make(chan struct{})
			srv := newServer(t, nil, notified(ended))
			app := newFiber(fiber.Config{ETag: name == "ETag"})
			mount(app, srv)
			resp, err := http.DefaultClient.Do(adaptertest.ToolCall(t, runFiber(t, app, srv), "notified", nil))
			if err != nil {
				t.Fatal(err)
			}
			defer http.DefaultClient.CloseIdleConnections()
			defer resp.Body.Close()
			select {
			case <-ended:
			default:
				t.Error("a header before the end of the stream: the documentation is out of date")
			}
			if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), "done") {
				t.Errorf("body %q", body)
			}
		})
	}
}
