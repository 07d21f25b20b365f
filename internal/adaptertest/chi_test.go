package adaptertest_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/internal/adaptertest"
)

func TestChi(t *testing.T) { adaptertest.Run(t, chiFactory()) }

func TestChiWriters(t *testing.T) { adaptertest.RunWriters(t, chiFactory()) }

// TestChiCompress compresses event streams as well, which works: Chi's writer
// flushes and has Unwrap (T25). A goroutine that ends takes its last bytes along.
func TestChiCompress(t *testing.T) {
	compress := middleware.Compress(5, "application/json", "text/event-stream")
	adaptertest.RunShared(t, chiFactory(compress), "Goexit")
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
				r.Handle(adaptertest.Path, mcpchi.Handler(spec.Server, hook))
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
