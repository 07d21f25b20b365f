package adaptertest_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcpgin "github.com/parleymcp/parley/adapters/gin"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// What follows are the examples of the documentation of mcpchi, mcpgin and
// mcpfiber: their own tests must not import a framework.

type userKey struct{}

func newHello() *server.Server {
	return server.Must(server.New(server.Config{Name: "hello", Version: "1.0.0"},
		core.NewTool("hello", "Greets the user.",
			func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				ev.Progress(1, 1, "greeting")
				user, _ := ctx.Value(userKey{}).(string)
				return "Hello, " + user + "!", nil
			})))
}

func Example_chi() {
	r := chi.NewRouter()
	r.Use(mcpchi.Middleware("/mcp", newHello(), mcpchi.WithContext(func(r *http.Request) context.Context {
		return context.WithValue(r.Context(), userKey{}, r.Header.Get("X-User"))
	})))
	r.Get("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the home page") })
	app := httptest.NewServer(r)
	defer app.Close()

	fmt.Println(hello(app.Listener.Addr().String()))
	// Output: 200 text/event-stream: Hello, ada!
}

func Example_gin() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(func(c *gin.Context) { c.Set("user", c.GetHeader("X-User")) })
	r.Use(mcpgin.Middleware("/mcp", newHello(), mcpgin.WithContext(func(c *gin.Context) context.Context {
		return context.WithValue(c.Request.Context(), userKey{}, c.GetString("user"))
	})))
	app := httptest.NewServer(r)
	defer app.Close()

	fmt.Println(hello(app.Listener.Addr().String()))
	// Output: 200 text/event-stream: Hello, ada!
}

func Example_fiber() {
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Use(func(c *fiber.Ctx) error {
		c.Locals("user", c.Get("X-User"))
		return c.Next()
	})
	app.All("/mcp", mcpfiber.Handler(newHello(), mcpfiber.WithContext(func(c *fiber.Ctx) context.Context {
		user, _ := c.Locals("user").(string)
		return context.WithValue(c.UserContext(), userKey{}, strings.Clone(user))
	})))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- app.Listener(listener) }()

	fmt.Println(hello(listener.Addr().String()))
	if err := app.Shutdown(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-done)
	// Output:
	// 200 text/event-stream: Hello, ada!
	// <nil>
}

// Do not mount this way: Gin runs the middleware of a group only for the
// routes of the group.
func Example_ginIncorrect() {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Group("/").Use(mcpgin.Middleware("/mcp", newHello()))
	app := httptest.NewServer(r)
	defer app.Close()

	fmt.Println(hello(app.Listener.Addr().String()))
	// Output: 404 text/plain:
}

// hello calls the tool as a client that takes progress does.
func hello(addr string) string {
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","_meta":{
		"io.modelcontextprotocol/protocolVersion":"2026-07-28",
		"io.modelcontextprotocol/clientCapabilities":{},"progressToken":1}}}`
	req, err := http.NewRequest(http.MethodPost, "http://"+addr+"/mcp", strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "hello", "X-User": "ada",
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	text := regexp.MustCompile(`Hello, \w*!`).Find(answer)
	return strings.TrimSpace(fmt.Sprintf("%d %s: %s", resp.StatusCode, resp.Header.Get("Content-Type"), text))
}
