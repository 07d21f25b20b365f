package contest

import (
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcpgin "github.com/parleymcp/parley/adapters/gin"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core/server"
)

// Frameworks are those that there is an adapter for.
var Frameworks = []string{"net/http", "chi", "gin", "fiber"}

// Names of contestants.
const (
	Raw    = "raw"
	Plain  = "plain"
	Parley = "parley"
	GoSDK  = "go-sdk"
	MCPGo  = "mcp-go"
)

// others are the other libraries.
var others = map[string]func(tools int) http.Handler{}

// Join adds a contestant on net/http that has so many tools.
func Join(name string, build func(tools int) http.Handler) { others[name] = build }

// Entry is one contestant on one framework: one of HTTP and App.
type Entry struct {
	Name, Framework string

	HTTP http.Handler
	App  *fiber.App
}

// servers are made once: ten thousand tools take their time.
var servers = struct {
	mu    sync.Mutex
	byKey map[string]any
}{byKey: map[string]any{}}

func once[T any](key string, f func() T) T {
	servers.mu.Lock()
	defer servers.mu.Unlock()
	if made, ok := servers.byKey[key].(T); ok {
		return made
	}
	made := f()
	servers.byKey[key] = made
	return made
}

var counts = map[string]int{PathTen: 10, PathThousand: 1000, PathMany: 10_000}

// Contestant makes the entry that answers c; false where there is none. What
// raw answers is what this library does.
func Contestant(name, framework string, c *Call) (Entry, bool) {
	switch name {
	case Raw:
		return byHand(name, framework, raw(sample(c))), true
	case Plain:
		if c.Plain == nil {
			return Entry{}, false
		}
		return byHand(name, framework, c.Plain), true
	case Parley:
		srv := once(Parley+c.Path, func() *server.Server { return NewParley(counts[c.Path]) })
		return Mounted(framework, srv), true
	}
	if framework != "net/http" {
		return Entry{}, false
	}
	build := others[name]
	if build == nil {
		return Entry{}, false
	}
	return Entry{Name: name, Framework: framework, HTTP: once(name+c.Path, func() http.Handler { return build(counts[c.Path]) })}, true
}

// sample is this library's answer to c.
func sample(c *Call) []byte {
	e, _ := Contestant(Parley, "net/http", c)
	d := NewDriver(e, c)
	_ = d.Serve()
	return d.Answer()
}

func byHand(name, framework string, a Answer) Entry {
	e := Entry{Name: name, Framework: framework}
	switch framework {
	case "net/http":
		e.HTTP = onNetHTTP(a)
	case "chi":
		e.HTTP = onChi(a)
	case "gin":
		e.HTTP = onGin(a)
	case "fiber":
		e.App = onFiber(a)
	}
	return e
}

// Mounted is srv on the route /mcp of a framework.
func Mounted(framework string, srv *server.Server) Entry {
	e := Entry{Name: Parley, Framework: framework}
	switch framework {
	case "net/http":
		e.HTTP = mcphttp.Handler(srv)
	case "chi":
		r := chi.NewRouter()
		r.Handle("/mcp", mcpchi.Handler(srv))
		e.HTTP = r
	case "gin":
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		r.Any("/mcp", mcpgin.Handler(srv))
		e.HTTP = r
	case "fiber":
		e.App = fiber.New(fiber.Config{DisableStartupMessage: true})
		e.App.All("/mcp", mcpfiber.Handler(srv))
	}
	return e
}
