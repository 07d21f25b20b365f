package companions_test

import (
	"net/http"
	"testing"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

func TestNetHTTP(t *testing.T) {
	t.Parallel()
	hold(t, "net/http", []companion{
		{name: "none", start: overStdlib()},
		{name: "gzip whose writer has `Unwrap`", start: overStdlib(zipping(unwrappingGzip)), shows: compressed},
		{name: "gzip whose writer only flushes", start: overStdlib(zipping(flushingGzip))},
		{name: "access log whose writer has `Unwrap`", start: overStdlib(recording(unwrapping)), shows: with("X-Recorded")},
		{name: "access log whose writer only flushes", start: overStdlib(recording(flushing)), shows: with("X-Recorded")},
		{name: "access log whose writer only writes", start: overStdlib(recording(onlyWriting)), shows: with("X-Recorded")},
		{
			name:  "the same two without a `WriteTimeout`",
			start: companions.OnNetHTTPWith(0, stdlib(recording(onlyWriting))),
		},
		{name: "`http.TimeoutHandler` above all calls and below `WriteTimeout`", start: companions.OnNetHTTPWith(2*above, stdlib(timeoutHandler(above)))},
		{name: "`http.TimeoutHandler`", start: companions.OnNetHTTPWith(2*above, stdlib(timeoutHandler(below)))},
		{name: "a deadline on the context", start: overStdlib(limiting(below))},
		{name: "recovery", start: overStdlib(recovery), also: recovers},
		{name: "CORS", start: companions.OnNetHTTP(func(srv *server.Server) http.Handler {
			return cors(companions.Origin, srv)(stdlib()(srv))
		}), also: pages},
		{name: "ETag", start: overStdlib(tagging), shows: with("Etag")},
		{name: "request id", start: overStdlib(identifying), shows: with("X-Request-Id")},
		{name: "`http.CrossOriginProtection`", start: overStdlib(http.NewCrossOriginProtection().Handler)},
	})
}

func overStdlib(use ...func(http.Handler) http.Handler) companions.Start {
	return companions.OnNetHTTP(stdlib(use...))
}

// stdlib is an application with middleware, the first one outermost.
func stdlib(use ...func(http.Handler) http.Handler) func(*server.Server) http.Handler {
	return func(srv *server.Server) http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc(faulty, func(http.ResponseWriter, *http.Request) { panic("the application") })
		h := mcphttp.Middleware(companions.Path, srv)(mux)
		for i := range use {
			h = use[len(use)-1-i](h)
		}
		return h
	}
}
