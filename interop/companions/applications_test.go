package companions_test

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
	"github.com/parleymcp/parley/internal/companions"
)

type middleware = func(http.Handler) http.Handler

func onStdlib(use middleware) companions.Start {
	return onStdlibWith(func(*server.Server) middleware { return use })
}

func onStdlibWith(use func(*server.Server) middleware) companions.Start {
	return companions.OnNetHTTP(func(srv *server.Server) http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc(companions.Faulty, func(http.ResponseWriter, *http.Request) { panic("the application") })
		return use(srv)(mcphttp.Middleware(companions.Path, srv)(mux))
	})
}

func onChi(use func(*server.Server) middleware) companions.Start {
	return companions.OnNetHTTP(func(srv *server.Server) http.Handler {
		r := chi.NewRouter()
		r.Use(use(srv), mcpchi.Middleware(companions.Path, srv))
		r.Get("/", func(http.ResponseWriter, *http.Request) {}) // Chi runs no middleware without a route
		return r
	})
}

func onGin(use func(*server.Server) gin.HandlerFunc) companions.Start {
	return companions.OnNetHTTP(func(srv *server.Server) http.Handler {
		r := gin.New()
		r.Use(use(srv), mcpgin.Middleware(companions.Path, srv))
		return r
	})
}

func onFiber(use ...fiber.Handler) companions.Start {
	return func(srv *server.Server, listener net.Listener) func(context.Context) error {
		app := fiber.New(fiber.Config{
			DisableStartupMessage: true, WriteTimeout: companions.WriteTimeout, ReadTimeout: companions.ReadTimeout,
			IdleTimeout: time.Minute,
		})
		for _, handler := range use {
			app.Use(handler)
		}
		app.Use(mcpfiber.Middleware(companions.Path, srv))
		done := make(chan error, 1)
		go func() { done <- app.Listener(listener) }()
		return func(ctx context.Context) error {
			err := app.ShutdownWithContext(ctx)
			if err == nil {
				err = <-done
			}
			return err
		}
	}
}

func init() { gin.SetMode(gin.ReleaseMode) } // or it writes about itself
