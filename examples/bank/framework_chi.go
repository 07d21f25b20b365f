package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core/server"
)

func chiApplication(srv *server.Server, pages http.Handler) application {
	r := chi.NewRouter()
	r.Use(mcpchi.Middleware(path, srv))
	r.Get(health, healthy)
	for _, p := range pagePaths {
		r.Handle(p, pages)
	}
	return webServer(r)
}
