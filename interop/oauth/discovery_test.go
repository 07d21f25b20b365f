package oauth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v2"
	"github.com/golang-jwt/jwt/v5"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	mcpgin "github.com/parleymcp/parley/adapters/gin"
	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/npm"
	"github.com/parleymcp/parley/internal/oauthtest"
	"github.com/parleymcp/parley/jwtbind"
)

// applications serve on a listener until the test ends. The metadata is there
// by the one line that mounts the server.
var applications = map[string]func(*testing.T, *server.Server, net.Listener){
	"net/http": func(t *testing.T, srv *server.Server, l net.Listener) {
		serve(t, l, mcphttp.Middleware("/mcp", srv)(http.NotFoundHandler()))
	},
	"Chi": func(t *testing.T, srv *server.Server, l net.Listener) {
		r := chi.NewRouter()
		r.Use(mcpchi.Middleware("/mcp", srv))
		r.Get("/", http.NotFound)
		serve(t, l, r)
	},
	"Gin": func(t *testing.T, srv *server.Server, l net.Listener) {
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		r.Use(mcpgin.Middleware("/mcp", srv))
		serve(t, l, r)
	},
	"Fiber": func(t *testing.T, srv *server.Server, l net.Listener) {
		app := fiber.New(fiber.Config{DisableStartupMessage: true})
		app.Server().MaxIdleWorkerDuration = 100 * time.Millisecond // how long its cleaner outlives it
		app.Use(mcpfiber.Middleware("/mcp", srv))
		done := make(chan error, 1)
		go func() { done <- app.Listener(l) }()
		t.Cleanup(func() {
			must(t, app.Shutdown())
			must(t, <-done)
		})
	},
}

func serve(t *testing.T, l net.Listener, h http.Handler) {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	t.Cleanup(func() {
		must(t, srv.Close())
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
}

// The client knows nothing but the URL of the server. It gets the scope that the
// challenge names, and later the one that a tool needs.
func TestTypeScriptDiscovery(t *testing.T) {
	home := installed(t)
	for name, mount := range applications {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			discover(t, home, mount)
		})
	}
}

func discover(t *testing.T, home string, mount func(*testing.T, *server.Server, net.Listener)) {
	as, err := oauthtest.Start(t.Context())
	must(t, err)
	defer as.Close()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	url := "http://" + listener.Addr().String() + "/mcp"
	srv := newServer(t, as, url)
	mount(t, srv, listener)
	t.Cleanup(func() { must(t, srv.Close(context.Background())) }) // before the application

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm.Node(filepath.Join(home, "node_modules")), filepath.Join(home, "client.mjs"), url)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.Bytes())
	}
	type authorization struct{ Scope, Resource string }
	type story struct {
		Before         []string
		Whoami, Paint  string
		After          []string
		Authorizations []authorization
	}
	var got story
	must(t, json.Unmarshal(out, &got))
	want := story{
		Before: []string{"whoami"}, Whoami: as.URL + "|ada|[\"mcp\"]", Paint: "ada paints", After: []string{"whoami", "paint"},
		Authorizations: []authorization{{"mcp", url}, {"mcp paint", url}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, endpoint := range []string{"/.well-known/oauth-authorization-server", "/register", "/authorize", "/token", "/jwks"} {
		if !slices.Contains(as.Seen(), endpoint) {
			t.Errorf("%s was not asked: %q", endpoint, as.Seen())
		}
	}
}

func newServer(t *testing.T, as *oauthtest.Server, url string) *server.Server {
	t.Helper()
	keys := oauthtest.NewKeySet(as.KeySetURL())
	who, err := jwtbind.Verify(jwtbind.Config{
		Issuers: []string{as.URL}, Audience: url, Methods: oauthtest.Algorithms,
		Keyfunc: func(token *jwt.Token) (any, error) {
			kid, _ := token.Header["kid"].(string)
			return keys.Key(kid, token.Method.Alg())
		},
	})
	must(t, err)
	srv, err := server.New(server.Config{
		Name: "interop", Version: "1.0.0", Authenticator: who,
		Resource: &server.Resource{
			URL: url, AuthorizationServers: []string{as.URL}, Scopes: []string{"mcp", "paint"}, DefaultScopes: []string{"mcp"},
		},
	}, whoami, paint)
	must(t, err)
	return srv
}

var whoami = core.NewTool("whoami", "Says who is calling.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		p := ev.Principal()
		scopes, err := json.Marshal(ev.Scopes())
		return p.Issuer + "|" + p.Subject + "|" + string(scopes), err
	})

var paint = core.NewTool("paint", "Paints a wall.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		return ev.Principal().Subject + " paints", nil
	}, core.Scopes("paint"))

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
