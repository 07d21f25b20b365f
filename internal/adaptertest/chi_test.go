package adaptertest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/internal/adaptertest"
)

func TestChi(t *testing.T) { adaptertest.Run(t, chiFactory()) }

func TestChiWriters(t *testing.T) { adaptertest.RunWriters(t, chiFactory()) }

// TestChiCompress compresses event streams as well, which works: Chi's writer
// flushes and has Unwrap (T25). A goroutine that ends takes its last bytes along.
func TestChiCompress(t *testing.T) {
	t.Parallel()
	compress := middleware.Compress(5, "application/json", "text/event-stream")
	adaptertest.RunShared(t, chiFactory(compress), "Goexit")
}

// TestChiTimeout: Chi's Timeout ends the tool, as the documentation warns, but
// not in silence (T25).
func TestChiTimeout(t *testing.T) {
	srv := newServer(t, nil, core.NewTool("wait", "Waits for its end.",
		func(ctx context.Context, _ *core.Event, _ core.NoInput) (string, error) {
			<-ctx.Done()
			return "", errors.New("out of time")
		}))
	router := chi.NewRouter()
	router.Use(middleware.Timeout(50 * time.Millisecond))
	router.Handle(adaptertest.Path, mcpchi.Handler(srv))
	app := httptest.NewUnstartedServer(router)
	app.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0) // Chi adds a status to an answer
	app.Start()
	defer app.Close()
	resp, err := app.Client().Do(adaptertest.ToolCall(t, app.Listener.Addr().String(), "wait", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "out of time") {
		t.Errorf("status %d, body %q", resp.StatusCode, body)
	}
}

func chiFactory(use ...func(http.Handler) http.Handler) adaptertest.Factory {
	return adaptertest.Factory{
		Start: func(t testing.TB, spec adaptertest.Spec, listener net.Listener) adaptertest.App {
			hook := mcpchi.WithContext(func(r *http.Request) context.Context {
				user, _ := r.Context().Value(appUser{}).(string)
				return spec.Context(r.Context(), context.Background(), user)
			})
			r := chi.NewRouter()
			// Chi's wrapper of the ResponseWriter, and its own recovery.
			r.Use(middleware.RequestID, recordStatus, middleware.Recoverer, appHeader, users, consume, deadline)
			r.Use(use...)
			if spec.Form == adaptertest.Middleware {
				r.Use(mcpchi.Middleware(adaptertest.Path, spec.Server, hook))
			} else {
				for _, path := range append(spec.Server.MetadataPaths(), adaptertest.Path) {
					r.Handle(path, mcpchi.Handler(spec.Server, hook))
				}
			}
			r.Post(adaptertest.EchoPath, serveEcho)
			r.NotFound(serveNotFound)
			return adaptertest.ServeHTTP(t, spec, listener, r)
		},
		Consumers: map[string]bool{"read": false},
	}
}

func recordStatus(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(middleware.NewWrapResponseWriter(w, r.ProtoMajor), r)
	})
}
