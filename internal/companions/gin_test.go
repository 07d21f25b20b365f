package companions_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

func TestGin(t *testing.T) {
	t.Parallel()
	gin.SetMode(gin.ReleaseMode)
	var lines journal
	around := func(wrap func(http.Handler) http.Handler) func(*server.Server) http.Handler {
		return func(srv *server.Server) http.Handler { return wrap(onGin()(srv)) }
	}
	hold(t, "Gin", []companion{
		{name: "none", start: overGin()},
		{name: "`gin.Logger`", start: overGin(gin.LoggerWithWriter(&lines)), shows: lines.show},
		{name: "`gin.Recovery`", start: overGin(gin.RecoveryWithWriter(io.Discard)), also: recovers},
		{name: "`gin.ErrorLogger`", start: overGin(gin.ErrorLogger())},
		{name: "request id, by hand", start: overGin(func(c *gin.Context) { c.Header("X-Request-Id", "4711") }), shows: with("X-Request-Id")},
		{name: "CORS, by hand around the engine", start: companions.OnNetHTTP(func(srv *server.Server) http.Handler {
			return cors(companions.Origin, srv)(onGin()(srv))
		}), also: pages},
		{name: "gzip around the engine, whose writer has `Unwrap`", start: companions.OnNetHTTP(around(zipping(unwrappingGzip))), shows: compressed},
		{
			name:  "`http.TimeoutHandler` around the engine, above all calls and below `WriteTimeout`",
			start: companions.OnNetHTTPWith(2*above, around(timeoutHandler(above))),
		},
		{name: "`http.TimeoutHandler` around the engine", start: companions.OnNetHTTPWith(2*above, around(timeoutHandler(below)))},
		{name: "a deadline on `c.Request.Context()`", start: companions.OnNetHTTP(around(limiting(below)))},
	})
}

func overGin(use ...gin.HandlerFunc) companions.Start { return companions.OnNetHTTP(onGin(use...)) }

func onGin(use ...gin.HandlerFunc) func(*server.Server) http.Handler {
	return func(srv *server.Server) http.Handler {
		r := gin.New()
		r.Use(use...)
		r.Use(mcpgin.Middleware(companions.Path, srv))
		r.GET(faulty, func(*gin.Context) { panic("the application") })
		return r
	}
}
