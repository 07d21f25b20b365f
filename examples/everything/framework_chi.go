package main

import (
	"github.com/go-chi/chi/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core/server"
)

func chiApplication(srv *server.Server, asMiddleware bool) application {
	r := chi.NewRouter()
	if asMiddleware {
		r.Use(mcpchi.Middleware(path, srv))
	} else {
		r.Handle(path, mcpchi.Handler(srv))
	}
	r.Get(health, healthy)
	return webServer(r)
}
