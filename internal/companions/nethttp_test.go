package companions_test

import (
	"net/http"
	"testing"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

// TestNetHTTPOrder registers what must keep off the path inside of the line.
func TestNetHTTPOrder(t *testing.T) {
	t.Parallel()
	logging, compressing := recording(unwrapping), zipping(flushingGzip)
	works(t, companions.OnNetHTTP(func(srv *server.Server) http.Handler {
		mux := http.NewServeMux()
		h := logging(mcphttp.Middleware("/mcp", srv)(compressing(mux)))
		return h
	}))
}

func TestNetHTTP(t *testing.T) {
	t.Parallel()
	without := func(use func(http.Handler) http.Handler) companions.Start { // a write timeout
		return companions.OnNetHTTPWith(0, stdlib(use))
	}
	lenient := func(use func(http.Handler) http.Handler) companions.Start {
		return companions.OnNetHTTPWith(2*above, stdlib(use))
	}
	check(t, "net/http", []companions.Companion{
		{Name: "gzip, writer with `Unwrap`", Start: overStdlib(zipping(unwrappingGzip)), Shows: companions.Compresses},
		{Name: "gzip, writer that only flushes", Start: overStdlib(zipping(flushingGzip))},
		{Name: "access log, writer with `Unwrap`", Start: overStdlib(recording(unwrapping)), Shows: recorded},
		{Name: "access log, writer that only flushes", Start: overStdlib(recording(flushing)), Shows: recorded},
		{Name: "the same, no `WriteTimeout`", Start: without(recording(flushing)), Shows: recorded},
		{Name: "access log, writer that cannot flush", Start: overStdlib(recording(onlyWriting)), Shows: recorded},
		{Name: "the same without a `WriteTimeout`", Start: without(recording(onlyWriting)), Shows: recorded},
		{Name: "`http.TimeoutHandler`, longer than any call", Start: lenient(timeoutHandler(above))},
		{Name: "`http.TimeoutHandler`, shorter than a call", Start: lenient(timeoutHandler(below))},
		{Name: "a deadline on the request's context", Start: overStdlib(limiting(below))},
		{Name: "recovery", Start: overStdlib(recovery), Also: companions.Recovers},
		{Name: "CORS", Start: companions.OnNetHTTP(func(srv *server.Server) http.Handler {
			return allowing(companions.Origin, srv)(stdlib()(srv))
		}), Also: companions.Pages},
		{Name: "ETag", Start: overStdlib(tagging), Shows: companions.Adds("Etag")},
		{Name: "request id", Start: overStdlib(identifying), Shows: companions.Adds("X-Request-Id")},
		{Name: "`http.CrossOriginProtection`", Start: overStdlib(http.NewCrossOriginProtection().Handler), Also: refusesPages},
	})
}

var recorded = companions.Adds("X-Recorded")

func overStdlib(use ...func(http.Handler) http.Handler) companions.Start {
	return companions.OnNetHTTP(stdlib(use...))
}

// stdlib is an application with middleware, the first one outermost.
func stdlib(use ...func(http.Handler) http.Handler) func(*server.Server) http.Handler {
	return func(srv *server.Server) http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc(companions.Faulty, func(http.ResponseWriter, *http.Request) { panic("the application") })
		h := mcphttp.Middleware(companions.Path, srv)(mux)
		for i := range use {
			h = use[len(use)-1-i](h)
		}
		return h
	}
}
