package adaptertest_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"

	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/internal/adaptertest"
)

func TestGin(t *testing.T) { adaptertest.Run(t, ginFactory()) }

func TestGinWriters(t *testing.T) { adaptertest.RunWriters(t, ginFactory()) }

func ginFactory() adaptertest.Factory {
	return adaptertest.Factory{
		Start:     startGin,
		Consumers: map[string]bool{"ShouldBindJSON": false, "ShouldBindBodyWith": true},
	}
}

func startGin(t testing.TB, spec adaptertest.Spec, listener net.Listener) adaptertest.App {
	hook := mcpgin.WithContext(func(c *gin.Context) context.Context {
		return spec.Context(c.Request.Context(), c, c.GetString("user")) // c never ends
	})
	r := newGin()
	if spec.Form == adaptertest.Middleware {
		r.Use(mcpgin.Middleware(adaptertest.Path, spec.Server, hook))
	} else {
		for _, path := range append(spec.Server.MetadataPaths(), adaptertest.Path) {
			r.Any(path, mcpgin.Handler(spec.Server, hook), func(c *gin.Context) {
				c.String(http.StatusOK, "a later handler") // T23: it must not run
			})
		}
	}
	return adaptertest.ServeHTTP(t, spec, listener, r)
}

// newGin is the application without MCP.
func newGin() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(ginOuter, gin.CustomRecoveryWithWriter(io.Discard, nil), ginUser, ginConsume, ginDeadline)
	r.POST(adaptertest.EchoPath, func(c *gin.Context) { _, _ = io.Copy(c.Writer, c.Request.Body) })
	r.NoRoute(func(c *gin.Context) { c.String(http.StatusNotFound, adaptertest.NotFoundText) })
	return r
}

// ginOuter writes to answers that nobody has written, as error middlewares do.
func ginOuter(c *gin.Context) {
	c.Header(adaptertest.AppHeader, "1")
	c.Next()
	if !c.Writer.Written() {
		c.String(http.StatusTeapot, "nobody answered")
	}
}

func ginUser(c *gin.Context) { c.Set("user", c.GetHeader(adaptertest.UserHeader)) }

func ginConsume(c *gin.Context) {
	var into map[string]any
	switch c.GetHeader(adaptertest.ConsumeHeader) {
	case "ShouldBindJSON":
		_ = c.ShouldBindJSON(&into)
	case "ShouldBindBodyWith":
		_ = c.ShouldBindBodyWith(&into, binding.JSON)
	}
}

func ginDeadline(c *gin.Context) {
	if d, err := time.ParseDuration(c.GetHeader(adaptertest.DeadlineHeader)); err == nil {
		ctx, cancel := context.WithTimeout(c.Request.Context(), d)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
	}
	c.Next()
}
