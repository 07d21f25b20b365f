package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// newServer makes the server of the examples. Its one tool tells progress, if
// the client wants to know, and greets the user that middleware found.
func newServer() *server.Server {
	return server.Must(server.New(server.Config{Name: "hello", Version: "1.0.0"},
		core.NewTool("hello", "Greets the user.",
			func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				ev.Progress(1, 1, "greeting")
				user, _ := ctx.Value(userKey{}).(string)
				return "Hello, " + user + "!", nil
			})))
}

type userKey struct{}

// An application keeps its routes; the path of the server is MCP's.
func ExampleMiddleware() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "the home page")
	})
	app := httptest.NewServer(mcphttp.Middleware("/mcp", newServer())(mux))
	defer app.Close()

	fmt.Println(get(app.URL + "/"))
	fmt.Println(call(app.URL + "/mcp"))
	// Output:
	// 200 text/plain; charset=utf-8
	// 200 text/event-stream: Hello, !
}

// A handler on a route leaves HTTP methods to the server.
func ExampleHandler() {
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcphttp.Handler(newServer()))
	app := httptest.NewServer(mux)
	defer app.Close()

	fmt.Println(get(app.URL + "/mcp"))
	fmt.Println(call(app.URL + "/mcp"))
	// Output:
	// 405 application/json
	// 200 text/event-stream: Hello, !
}

// What is not in the request's context gets there by a hook.
func ExampleWithContext() {
	user := mcphttp.WithContext(func(r *http.Request) context.Context {
		name, _, _ := r.BasicAuth() // checked by middleware before
		return context.WithValue(r.Context(), userKey{}, name)
	})
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcphttp.Handler(newServer(), user))
	app := httptest.NewServer(mux)
	defer app.Close()

	fmt.Println(call(strings.Replace(app.URL, "http://", "http://ada:secret@", 1) + "/mcp"))
	// Output: 200 text/event-stream: Hello, ada!
}

// Behind http.TimeoutHandler nothing can be pushed: the progress is lost.
func ExampleHandler_incorrect() {
	app := httptest.NewServer(http.TimeoutHandler(mcphttp.Handler(newServer()), time.Minute, ""))
	defer app.Close()

	fmt.Println(call(app.URL + "/mcp"))
	// Output: 200 application/json: Hello, !
}

func get(url string) string {
	resp, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	return fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Content-Type"))
}

// call calls the tool as a client that takes progress does.
func call(url string) string {
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hello","_meta":{
		"io.modelcontextprotocol/protocolVersion":"2026-07-28",
		"io.modelcontextprotocol/clientCapabilities":{},"progressToken":1}}}`
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "hello",
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s: %s", resp.StatusCode, resp.Header.Get("Content-Type"), greeting.Find(answer))
}

var greeting = regexp.MustCompile(`Hello, \w*!`)
