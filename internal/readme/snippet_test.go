package readme_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// application is the smallest application on a framework that a line of
// README.md can be put into: %s stands for the line.
type application struct {
	imports string
	main    string // behind srv and listener
}

var applications = map[string]application{
	"net/http": {
		imports: `
	"net/http"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"`,
		main: `
	mux := http.NewServeMux()
	var h http.Handler = mux
	%s
	log.Fatal(http.Serve(listener, h))`,
	},
	"Chi": {
		imports: `
	"net/http"

	"github.com/go-chi/chi/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"`,
		main: `
	r := chi.NewRouter()
	%s
	r.Get("/", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.Serve(listener, r))`,
	},
	"Gin": {
		imports: `
	"net/http"

	"github.com/gin-gonic/gin"

	mcpgin "github.com/parleymcp/parley/adapters/gin"`,
		main: `
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	%s
	log.Fatal(http.Serve(listener, r))`,
	},
	"Fiber v2": {
		imports: `
	"github.com/gofiber/fiber/v2"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"`,
		main: `
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	%s
	log.Fatal(app.Listener(listener))`,
	},
}

// TestLines puts each line into a module of its own, in both forms, and calls
// what comes of it.
func TestLines(t *testing.T) {
	all := lines(t)
	if got, want := slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(applications)); !slices.Equal(got, want) {
		t.Fatalf("README.md has lines for %q, want %q", got, want)
	}
	hello := programs(t)[0]
	ours := requirements(t, root)
	for framework, line := range all {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			m := newModule(t, map[string]string{
				"middleware/main.go": applications[framework].program(t, hello, line.middleware),
				"handler/main.go":    applications[framework].program(t, hello, line.handler),
			})
			for path, version := range requirements(t, m.dir) {
				if path != modulePath && version != ours[path] {
					t.Errorf("%s is required at %s, ours is %q", path, version, ours[path])
				}
			}
			t.Logf("go.sum has %d lines", len(m.sums(t)))
			bin := t.TempDir()
			m.run(t, "build", "-o", bin, "./...")
			for _, form := range []string{"middleware", "handler"} {
				t.Run(form, func(t *testing.T) { list(t, filepath.Join(bin, form)) })
			}
		})
	}
}

// program is the application with a line, and with the tool and the server of
// the program that README.md begins with.
func (a application) program(t *testing.T, hello, line string) string {
	t.Helper()
	between := func(from, to string) string {
		t.Helper()
		_, rest, ok := strings.Cut(hello, from)
		part, _, end := strings.Cut(rest, to)
		if !ok || !end {
			t.Fatalf("the program of README.md has nothing between %q and %q:\n%s", from, to, hello)
		}
		return part
	}
	tool, srv := between("\n)\n", "func main() {\n"), between("func main() {\n", "\tmux :=")
	return `package main

import (
	"context"
	"fmt"
	"log"
	"net"
` + a.imports + `
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)
` + tool + `func main() {
` + srv + `	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr())
` + strings.Replace(a.main, "%s", line, 1) + `
}
`
}
