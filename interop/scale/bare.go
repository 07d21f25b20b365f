package main

import (
	"bufio"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"

	"github.com/parleymcp/parley/interop/contest"
)

// bare is an event stream by hand: it greets, and waits for one event and for
// the end.
type bare struct{ changed, ended chan struct{} }

func newBare() *bare { return &bare{make(chan struct{}), make(chan struct{})} }

const (
	bareHello = "event: message\ndata: hello\n\n"
	bareNews  = "event: message\ndata: list_changed\n\n"
	bareEnd   = "event: message\ndata: result\n\n"
)

// run calls send for each event.
func (b *bare) run(gone <-chan struct{}, send func(string)) {
	send(bareHello)
	for _, next := range []struct {
		wait chan struct{}
		text string
	}{{b.changed, bareNews}, {b.ended, bareEnd}} {
		select {
		case <-next.wait:
			send(next.text)
		case <-gone:
			return
		}
	}
}

func (b *bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	flusher, _ := w.(http.Flusher)
	b.run(r.Context().Done(), func(text string) {
		_, _ = w.Write([]byte(text))
		flusher.Flush()
	})
}

// on mounts the stream on a framework.
func (b *bare) on(framework string) contest.Entry {
	e := contest.Entry{Name: contest.Raw, Framework: framework, HTTP: b}
	switch framework {
	case "chi":
		r := chi.NewRouter()
		r.Post("/mcp", b.ServeHTTP)
		e.HTTP = r
	case "gin":
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		r.POST("/mcp", func(c *gin.Context) { b.ServeHTTP(c.Writer, c.Request) })
		e.HTTP = r
	case "fiber":
		e.HTTP = nil
		e.App = fiber.New(fiber.Config{DisableStartupMessage: true})
		e.App.Post("/mcp", func(c *fiber.Ctx) error {
			c.Set(fiber.HeaderContentType, "text/event-stream")
			c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
				b.run(nil, func(text string) {
					_, _ = w.WriteString(text)
					_ = w.Flush()
				})
			})
			return nil
		})
	}
	return e
}

// publish and end are what the server's are.
func (b *bare) publish() { close(b.changed) }

func (b *bare) end() { close(b.ended) }
