package main

import (
	"github.com/go-chi/chi/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core/server"
)

func chiApplication(srv *server.Server) application {
	r := chi.NewRouter()
	r.Use(mcpchi.Middleware(path, srv))
	r.Get(health, healthy)
	return webServer(r)
}
