package jwtrecipes_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"

	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// ginApp is an application on Gin whose own middleware verifies tokens and keeps
// them with c.Set. The adapter's option passes them on.
func ginApp(t testing.TB, who core.Authenticator, keys jwt.Keyfunc) *gin.Engine {
	srv := newServer(t, who)
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()

	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}))
	r.Use(func(c *gin.Context) {
		raw, _ := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
		token, err := parser.Parse(raw, keys)
		if err != nil {
			c.AbortWithStatus(http.StatusUnauthorized)
			return
		}
		c.Set("token", token)
	})
	r.Use(mcpgin.Middleware("/mcp", srv, mcpgin.WithContext(func(c *gin.Context) context.Context {
		ctx := c.Request.Context()
		if token, ok := c.Value("token").(*jwt.Token); ok {
			return jwtbind.WithToken(ctx, token)
		}
		return ctx
	})))
	r.GET("/hello", func(c *gin.Context) { c.String(http.StatusOK, "hello") })
	return r
}

func TestGinMiddleware(t *testing.T) {
	i := newIssuer(t, issuerURL)
	exercise(t, i, serve(t, ginApp(t, fromContext(t, i.config()), i.keys)))
}
