package companions_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/NYTimes/gziphandler"
	gincors "github.com/gin-contrib/cors"
	gingzip "github.com/gin-contrib/gzip"
	"github.com/gin-contrib/requestid"
	"github.com/gin-gonic/gin"
	chicors "github.com/go-chi/cors"
	"github.com/go-chi/httprate"
	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/cache"
	"github.com/gofiber/fiber/v2/middleware/csrf"
	"github.com/gofiber/fiber/v2/middleware/idempotency"
	"github.com/gofiber/fiber/v2/middleware/limiter"
	"github.com/google/uuid"
	"github.com/gorilla/handlers"
	"github.com/klauspost/compress/gzhttp"
	"github.com/rs/cors"
	"go.opentelemetry.io/contrib/instrumentation/github.com/gin-gonic/gin/otelgin"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

func TestPackagesOfOthers(t *testing.T) {
	onMCP := func(c *fiber.Ctx) bool { return c.Path() == companions.Path }
	key := func(c *fiber.Ctx) error {
		c.Request().Header.Set("X-Idempotency-Key", uuid.NewString())
		return c.Next()
	}
	check(t, []companions.Companion{
		{
			Name: "net/http: `rs/cors`", Also: companions.Pages,
			Start: onStdlibWith(func(srv *server.Server) middleware {
				return cors.New(cors.Options{
					AllowedOrigins: []string{companions.Origin}, AllowedMethods: []string{http.MethodPost},
					AllowedHeaders: srv.RequestHeaders(), ExposedHeaders: srv.ResponseHeaders(),
				}).Handler
			}),
		},
		{Name: "net/http: `klauspost/compress/gzhttp`", Start: onStdlib(func(next http.Handler) http.Handler { return gzhttp.GzipHandler(next) }), Shows: companions.Compresses},
		{Name: "net/http: `NYTimes/gziphandler`", Start: onStdlib(gziphandler.GzipHandler)},
		{Name: "net/http: `gorilla/handlers`, `CompressHandler`", Start: onStdlib(handlers.CompressHandler), Shows: companions.Compresses},
		{
			Name:  "net/http: `gorilla/handlers`, `CombinedLoggingHandler`",
			Start: onStdlib(func(next http.Handler) http.Handler { return handlers.CombinedLoggingHandler(io.Discard, next) }),
		},
		{Name: "net/http: `gorilla/handlers`, `RecoveryHandler`", Start: onStdlib(handlers.RecoveryHandler(handlers.RecoveryLogger(silent{}))), Also: companions.Recovers},
		{Name: "net/http: `otelhttp`", Start: onStdlib(otelhttp.NewMiddleware("companions"))},
		{
			Name: "Chi: `go-chi/cors`", Also: companions.Pages,
			Start: onChi(func(srv *server.Server) middleware {
				return chicors.Handler(chicors.Options{
					AllowedOrigins: []string{companions.Origin}, AllowedMethods: []string{http.MethodPost},
					AllowedHeaders: srv.RequestHeaders(), ExposedHeaders: srv.ResponseHeaders(),
				})
			}),
		},
		{Name: "Chi: `go-chi/httprate`", Start: onChi(func(*server.Server) middleware { return httprate.LimitBy(1000, time.Minute, httprate.Key("*")) }), Shows: companions.Adds("X-Ratelimit-Limit")},
		{
			Name: "Gin: `gin-contrib/cors`", Also: companions.Pages,
			Start: onGin(func(srv *server.Server) gin.HandlerFunc {
				return gincors.New(gincors.Config{
					AllowOrigins: []string{companions.Origin}, AllowMethods: []string{http.MethodPost},
					AllowHeaders: srv.RequestHeaders(), ExposeHeaders: srv.ResponseHeaders(),
				})
			}),
		},
		{Name: "Gin: `gin-contrib/gzip`", Start: onGin(func(*server.Server) gin.HandlerFunc { return gingzip.Gzip(gingzip.DefaultCompression) })},
		{
			Name: "Gin: `gin-contrib/gzip` with `WithExcludedPaths`",
			Start: onGin(func(*server.Server) gin.HandlerFunc {
				return gingzip.Gzip(gingzip.DefaultCompression, gingzip.WithExcludedPaths([]string{companions.Path}))
			}),
		},
		{Name: "Gin: `gin-contrib/requestid`", Start: onGin(func(*server.Server) gin.HandlerFunc { return requestid.New() }), Shows: companions.Adds("X-Request-Id")},
		{Name: "Gin: `otelgin`", Start: onGin(func(*server.Server) gin.HandlerFunc { return otelgin.Middleware("companions") })},
		{Name: "Fiber: `limiter`", Start: onFiber(limiter.New(limiter.Config{Max: 1000})), Shows: companions.Adds("X-Ratelimit-Limit")},
		{Name: "Fiber: `cache`", Start: onFiber(cache.New()), Shows: companions.Adds("X-Cache")},
		{Name: "Fiber: `csrf`", Start: onFiber(csrf.New())},
		{Name: "Fiber: `csrf` with `Next`", Start: onFiber(csrf.New(csrf.Config{Next: onMCP}))},
		{Name: "Fiber: `idempotency`, requests without a key", Start: onFiber(idempotency.New())},
		{Name: "Fiber: `idempotency`, requests with a key", Start: onFiber(key, idempotency.New())},
	})
}

// silent is a logger of nothing.
type silent struct{}

func (silent) Println(...any) {}

func check(t *testing.T, all []companions.Companion) {
	t.Helper()
	// The document is the library's, wherever that is.
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/parleymcp/parley").Output()
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "docs", "middleware.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := companions.Table(string(document), "Packages of others")
	if err != nil {
		t.Fatal(err)
	}
	if err := companions.Check(t.Context(), rows, all); err != nil {
		t.Error(err)
	}
}
