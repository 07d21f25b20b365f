package main

import (
	"net/http"
	"time"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
)

func stdlibApplication(srv *server.Server, pages http.Handler) application {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+health, healthy)
	for _, p := range pagePaths {
		mux.Handle(p, pages)
	}
	return webServer(mcphttp.Middleware(path, srv)(mux))
}

// webServer serves what speaks net/http: three of the four frameworks.
func webServer(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
}

func healthy(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
