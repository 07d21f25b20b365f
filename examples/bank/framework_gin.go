package main

import (
	"net/http"

	"github.com/gin-gonic/gin"

	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/core/server"
)

func ginApplication(srv *server.Server, pages http.Handler) application {
	gin.SetMode(gin.ReleaseMode) // its debug mode writes to standard output
	r := gin.New()
	r.Use(mcpgin.Middleware(path, srv))
	r.GET(health, func(c *gin.Context) { c.Status(http.StatusNoContent) })
	for _, p := range pagePaths {
		r.Any(p, gin.WrapH(pages))
	}
	return webServer(r)
}
