package companions_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

// allowing lets the pages of one origin call the whole application. It answers
// preflights itself, so it stands outside of everything.
func allowing(origin string, srv *server.Server) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Add("Vary", "Origin")
			if r.Header.Get("Origin") != origin {
				next.ServeHTTP(w, r)
				return
			}
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", strings.Join(srv.ResponseHeaders(), ", "))
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
				h.Set("Access-Control-Allow-Headers", strings.Join(srv.RequestHeaders(), ", "))
				w.WriteHeader(http.StatusNoContent)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// recovery answers what panics with 500.
func recovery(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				http.Error(w, "sorry", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// limiting ends the context of every request after some time.
func limiting(limit time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), limit)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// identifying gives every request an id.
func identifying(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "4711")
		next.ServeHTTP(w, r)
	})
}

// timeoutHandler is the one of net/http.
func timeoutHandler(limit time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return http.TimeoutHandler(next, limit, "too late") }
}

// Time limits of middleware: one that long calls exceed, and one that nothing
// does.
const (
	below = companions.Long / 2
	above = time.Minute
)

// refusesPages looks at what protection against requests of other sites says to
// those that the server would allow.
func refusesPages(ctx context.Context, c *companions.Client) error {
	req, err := c.Call(ctx, "from a page")
	if err != nil {
		return err
	}
	req.Header.Set("Origin", companions.Origin)
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	reply, err := c.Do(req)
	if err == nil && (reply.Status != http.StatusForbidden || strings.Contains(reply.Body, "jsonrpc")) {
		err = fmt.Errorf("a page of another site: status %d, body %q", reply.Status, reply.Body)
	}
	return err
}
