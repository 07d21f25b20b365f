package adaptertest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

const (
	scope = "suite:write" // needed by the tool guarded
	root  = "root"        // the user who has it

	metadataPath = "/.well-known/oauth-protected-resource"
)

// resource is the one of every server of the suite.
var resource = server.Resource{
	URL: "https://suite.example" + Path, AuthorizationServers: []string{"https://id.example"}, Scopes: []string{scope},
}

// identityOf is what middleware would have found out about a user.
func identityOf(user string) core.Identity {
	id := core.Identity{Principal: core.Principal{Issuer: "adaptertest", Subject: user}}
	if user == root {
		id.Scopes = []string{scope}
	}
	return id
}

// handedOver takes the caller whom the context hook brought, so that a mix-up of
// requests shows in both; without one he is anonymous.
type handedOver struct{ core.Authenticator }

func (h handedOver) Authenticate(ctx context.Context, header core.Header) (core.Identity, error) {
	id, err := h.Authenticator.Authenticate(ctx, header)
	if errors.Is(err, core.ErrNoCredentials) {
		return core.Identity{Principal: core.Anonymous}, nil
	}
	return id, err
}

// guarded asks once, and needs a scope on both rounds.
func guarded(ctx context.Context, ev *core.Event, in core.NoInput) (string, error) {
	if !ev.HasScope(scope) {
		return "", errors.New("nobody should get here")
	}
	return greet(ctx, ev, in)
}

// testIdentity: whom other middleware has verified is the caller, with his
// scopes, and nobody else is (M10, M11).
func testIdentity(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	msg := tool("guarded", object{})
	asked := c.post(t.Context(), msg.with(UserHeader, root))
	state, _ := asked.Result["requestState"].(string)
	if state == "" {
		t.Fatalf("first round %v %v", asked.Result, asked.Error)
	}
	next := tool("guarded", object{})
	next.params["inputResponses"] = object{"name": object{"action": "accept", "content": object{"name": "Ada"}}}
	next.params["requestState"] = state
	const needs = `scope="` + scope + `", resource_metadata="https://suite.example` + metadataPath + Path + `"`
	for _, user := range []string{"", "ada", "Root"} {
		status, challenge := http.StatusForbidden, `Bearer error="insufficient_scope", `+needs
		if user == "" { // who has shown nothing has nothing too few
			status, challenge = http.StatusUnauthorized, "Bearer "+needs
		}
		for _, msg := range []call{msg, next} {
			if user != "" {
				msg = msg.with(UserHeader, user)
			}
			a := c.do(c.request(t.Context(), msg))
			if got := a.header.Values("WWW-Authenticate"); a.status != status || !slices.Equal(got, []string{challenge}) ||
				a.message.code() != protocol.CodeInvalidRequest {
				t.Errorf("%q: status %d, challenge %q, body %s", user, a.status, got, a.body)
			}
		}
		list := c.do(c.request(t.Context(), call{method: protocol.MethodToolsList}.with(UserHeader, user)))
		if list.status != http.StatusOK || strings.Contains(string(list.body), `"guarded"`) {
			t.Errorf("%q: status %d, list %s", user, list.status, list.body)
		}
	}
	a := c.do(c.request(t.Context(), next.with(UserHeader, root)))
	if a.message.text() != "Hello, Ada! You are root." {
		t.Errorf("status %d, body %s", a.status, a.body)
	}
}

// testMetadata: the metadata of the resource is there by the line that mounts the
// server, and nothing else of the application has moved.
func testMetadata(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	const want = `{"resource":"https://suite.example/mcp","authorization_servers":["https://id.example"],` +
		`"scopes_supported":["suite:write"],"bearer_methods_supported":["header"]}`
	for _, tt := range []struct {
		method, path string
		status       int
		body         string
	}{
		{http.MethodGet, metadataPath, http.StatusOK, want},
		{http.MethodGet, metadataPath + Path, http.StatusOK, want},
		{http.MethodHead, metadataPath + Path, http.StatusOK, ""},
		{http.MethodOptions, metadataPath + Path, http.StatusNoContent, ""},
		{http.MethodGet, metadataPath + Path + "x", http.StatusNotFound, NotFoundText},
		{http.MethodGet, metadataPath + "/other", http.StatusNotFound, NotFoundText},
		{http.MethodGet, "/.well-known/other", http.StatusNotFound, NotFoundText},
	} {
		req := c.raw(t.Context(), tt.method, tt.path, http.NoBody)
		req.Header.Set("Origin", "https://page.example") // anybody's
		resp, err := c.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || string(body) != tt.body {
			t.Errorf("%s %s: status %d, body %q (%v)", tt.method, tt.path, resp.StatusCode, body, err)
		}
		if resp.Header.Get(AppHeader) != "1" {
			t.Errorf("%s %s: the application's middleware has not run", tt.method, tt.path)
		}
		allowed := resp.Header.Values("Access-Control-Allow-Origin")
		if ours := tt.status < 300; ours != slices.Equal(allowed, []string{"*"}) {
			t.Errorf("%s %s: Access-Control-Allow-Origin %q", tt.method, tt.path, allowed)
		}
	}
}
