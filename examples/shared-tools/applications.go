package main

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcpgin "github.com/parleymcp/parley/adapters/gin"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
)

// application is one of the four, with the server mounted.
type application struct {
	framework string
	serve     func(net.Listener) error // until shutdown
	shutdown  func(context.Context) error
}

const (
	hello      = "Hello from the application.\n" // on a route of its own
	headerTime = 10 * time.Second
)

func applications(srv *server.Server) []application {
	return []application{
		onNetHTTP("net/http", withStdlib(srv)),
		onNetHTTP("Chi", withChi(srv)),
		onNetHTTP("Gin", withGin(srv)),
		withFiber(srv),
	}
}

func withStdlib(srv *server.Server) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", home)
	return mcphttp.Middleware("/mcp", srv)(mux)
}

func withChi(srv *server.Server) http.Handler {
	r := chi.NewRouter()
	r.Use(mcpchi.Middleware("/mcp", srv))
	r.Get("/", home)
	return r
}

func withGin(srv *server.Server) http.Handler {
	gin.SetMode(gin.ReleaseMode) // its debug mode writes to standard output
	r := gin.New()
	r.Use(gin.Recovery())
	r.Use(mcpgin.Middleware("/mcp", srv))
	r.GET("/", func(c *gin.Context) { c.String(http.StatusOK, hello) })
	return r
}

func withFiber(srv *server.Server) application {
	app := fiber.New(fiber.Config{DisableStartupMessage: true}) // it goes to standard output
	app.Use(mcpfiber.Middleware("/mcp", srv))
	app.Get("/", func(c *fiber.Ctx) error { return c.SendString(hello) })
	return application{"Fiber", app.Listener, app.ShutdownWithContext}
}

func home(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(hello)) }

// onNetHTTP serves what speaks net/http: three of the four frameworks.
func onNetHTTP(framework string, handler http.Handler) application {
	web := &http.Server{Handler: handler, ReadHeaderTimeout: headerTime}
	return application{framework, web.Serve, web.Shutdown}
}
