package adaptertest_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/internal/adaptertest"
)

func TestStdlib(t *testing.T) { adaptertest.Run(t, stdlibFactory()) }

func TestStdlibWriters(t *testing.T) { adaptertest.RunWriters(t, stdlibFactory()) }

// TestStdlibHTTP2 has no connection of its own for a stream, and other
// deadlines: one that passes ends an idle stream. A goroutine that ends resets
// its stream, answer and all.
func TestStdlibHTTP2(t *testing.T) {
	t.Parallel()
	factory := stdlibFactory()
	factory.HTTP2 = true
	adaptertest.RunShared(t, factory, "Goexit")
}

func stdlibFactory() adaptertest.Factory {
	return adaptertest.Factory{Start: startStdlib, Consumers: map[string]bool{"read": false}}
}

func startStdlib(t testing.TB, spec adaptertest.Spec, listener net.Listener) adaptertest.App {
	hook := mcphttp.WithContext(func(r *http.Request) context.Context {
		user, _ := r.Context().Value(appUser{}).(string)
		return spec.Context(r.Context(), context.Background(), user)
	})
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+adaptertest.EchoPath, serveEcho)
	mux.HandleFunc("/", serveNotFound)
	var h http.Handler = mux
	if spec.Form == adaptertest.Middleware {
		h = mcphttp.Middleware(adaptertest.Path, spec.Server, hook)(mux)
	} else {
		for _, path := range append(spec.Server.MetadataPaths(), adaptertest.Path) {
			mux.Handle(path, mcphttp.Handler(spec.Server, hook))
		}
	}
	return adaptertest.ServeHTTP(t, spec, listener, appHeader(users(consume(deadline(h)))))
}

// What follows is the application that net/http and Chi share.

type appUser struct{}

func serveEcho(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(w, r.Body)
}

func serveNotFound(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, adaptertest.NotFoundText)
}

func appHeader(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(adaptertest.AppHeader, "1")
		next.ServeHTTP(w, r)
	})
}

func users(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), appUser{}, r.Header.Get(adaptertest.UserHeader))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

func consume(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(adaptertest.ConsumeHeader) == "read" {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		next.ServeHTTP(w, r)
	})
}

// deadline is what Chi's Timeout does.
func deadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d, err := time.ParseDuration(r.Header.Get(adaptertest.DeadlineHeader)); err == nil {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}
