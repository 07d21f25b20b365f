package adaptertest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcpgin "github.com/parleymcp/parley/adapters/gin"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/internal/adaptertest"
)

// Wrong arguments show when the application is put together.
func TestMisuse(t *testing.T) {
	srv := newServer(t, nil)
	stdlib := mcphttp.WithContext(func(r *http.Request) context.Context { return r.Context() })
	native := mcpgin.WithContext(func(c *gin.Context) context.Context { return c })
	user := mcpfiber.WithContext(func(c *fiber.Ctx) context.Context { return c.UserContext() })
	tests := []struct {
		want string
		all  []func()
	}{
		{`the path "mcp" does not begin with a slash`, []func(){
			func() { mcphttp.Middleware("mcp", srv) },
			func() { mcpchi.Middleware("mcp", srv) },
			func() { mcpgin.Middleware("mcp", srv) },
			func() { mcpfiber.Middleware("mcp", srv) },
		}},
		{"Middleware: the server is nil", []func(){
			func() { mcphttp.Middleware("/mcp", nil) },
			func() { mcpchi.Middleware("/mcp", nil) },
			func() { mcpgin.Middleware("/mcp", nil) },
			func() { mcpfiber.Middleware("/mcp", nil) },
		}},
		{"Handler: the server is nil", []func(){
			func() { mcphttp.Handler(nil) },
			func() { mcpchi.Handler(nil) },
			func() { mcpgin.Handler(nil) },
			func() { mcpfiber.Handler(nil) },
		}},
		{"WithContext: the hook is nil", []func(){
			func() { mcphttp.WithContext(nil) },
			func() { mcpchi.WithContext(nil) },
			func() { mcpgin.WithContext(nil) },
			func() { mcpfiber.WithContext(nil) },
		}},
		{"WithContext: given twice", []func(){
			func() { mcphttp.Handler(srv, stdlib, stdlib) },
			func() { mcpchi.Handler(srv, stdlib, stdlib) },
			func() { mcpgin.Handler(srv, native, native) },
			func() { mcpfiber.Handler(srv, user, user) },
		}},
	}
	for _, tt := range tests {
		for i, f := range tt.all {
			if got := panicOf(f); !strings.HasPrefix(got, "parley: ") || !strings.Contains(got, tt.want) {
				t.Errorf("%s, %d: panic %q", tt.want, i, got)
			}
		}
	}
}

func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}

// Middleware in places where the router does not run it: the documentation
// warns of them (T23).
func TestMiddlewareThatNeverRuns(t *testing.T) {
	srv := newServer(t, nil)
	engine := newGin()
	engine.Group("/api").Use(mcpgin.Middleware("/api/mcp", srv))
	router := chi.NewRouter()
	router.Use(mcpchi.Middleware("/api/mcp", srv)) // and no route

	for name, h := range map[string]http.Handler{"Gin group": engine, "Chi without routes": router} {
		t.Run(name, func(t *testing.T) {
			app := httptest.NewServer(h)
			defer app.Close()
			req := adaptertest.ToolCall(t, app.Listener.Addr().String(), "none", nil)
			req.URL.Path = "/api/mcp"
			resp, err := app.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusNotFound {
				t.Errorf("status %d, body %q: the documentation is out of date", resp.StatusCode, body)
			}
		})
	}
}

// A sub-router of Chi sees the path of the whole URL, and its parameters reach
// the context (T21).
func TestChiParameters(t *testing.T) {
	type tenant struct{}
	srv := newServer(t, nil, core.NewTool("tenant", "Says whose request it is.",
		func(ctx context.Context, _ *core.Event, _ core.NoInput) (string, error) {
			name, _ := ctx.Value(tenant{}).(string)
			return name, nil
		}))
	router := chi.NewRouter()
	router.Route("/{tenant}", func(r chi.Router) {
		r.Handle(adaptertest.Path, mcpchi.Handler(srv, mcpchi.WithContext(func(r *http.Request) context.Context {
			return context.WithValue(r.Context(), tenant{}, chi.URLParam(r, "tenant"))
		})))
	})
	app := httptest.NewServer(router)
	defer app.Close()
	req := adaptertest.ToolCall(t, app.Listener.Addr().String(), "tenant", nil)
	req.URL.Path = "/acme" + adaptertest.Path
	resp, err := app.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), `"acme"`) {
		t.Errorf("status %d, body %q", resp.StatusCode, body)
	}
}
