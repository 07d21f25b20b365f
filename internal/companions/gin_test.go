package companions_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

func TestGin(t *testing.T) {
	t.Parallel()
	var lines journal
	around := func(wrap func(http.Handler) http.Handler) func(*server.Server) http.Handler {
		return func(srv *server.Server) http.Handler { return wrap(onGin()(srv)) }
	}
	check(t, "Gin", []companions.Companion{
		{Name: "`gin.Logger`", Start: overGin(gin.LoggerWithWriter(&lines)), Shows: lines.show},
		{Name: "`gin.Recovery`", Start: overGin(gin.RecoveryWithWriter(io.Discard)), Also: companions.Recovers},
		{Name: "request id", Start: overGin(func(c *gin.Context) { c.Header("X-Request-Id", "4711") }), Shows: companions.Adds("X-Request-Id")},
		{Name: "CORS, as for net/http, around the engine", Start: companions.OnNetHTTP(func(srv *server.Server) http.Handler {
			return allowing(companions.Origin, srv)(onGin()(srv))
		}), Also: companions.Pages},
		{
			Name:  "gzip around the engine, writer with `Unwrap`",
			Start: companions.OnNetHTTP(around(zipping(unwrappingGzip))), Shows: companions.Compresses,
		},
		{
			Name:  "`http.TimeoutHandler` around the engine, longer than any call",
			Start: companions.OnNetHTTPWith(2*above, around(timeoutHandler(above))),
		},
		{
			Name:  "`http.TimeoutHandler` around the engine, shorter than a call",
			Start: companions.OnNetHTTPWith(2*above, around(timeoutHandler(below))),
		},
		{Name: "a deadline on `c.Request.Context()`", Start: overGin(ginLimiting(below))},
	})
}

// TestGinOrder registers what must keep off the path after the line.
func TestGinOrder(t *testing.T) {
	t.Parallel()
	works(t, companions.OnNetHTTP(func(srv *server.Server) http.Handler {
		r := gin.New()
		r.Use(mcpgin.Middleware(companions.Path, srv))
		r.Use(ginLimiting(below))
		return r
	}))
}

func ginLimiting(limit time.Duration) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, cancel := context.WithTimeout(c.Request.Context(), limit)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
	}
}

func init() { gin.SetMode(gin.ReleaseMode) } // or it writes about itself

func overGin(use ...gin.HandlerFunc) companions.Start { return companions.OnNetHTTP(onGin(use...)) }

func onGin(use ...gin.HandlerFunc) func(*server.Server) http.Handler {
	return func(srv *server.Server) http.Handler {
		r := gin.New()
		r.Use(use...)
		r.Use(mcpgin.Middleware(companions.Path, srv))
		r.GET(companions.Faulty, func(*gin.Context) { panic("the application") })
		return r
	}
}
