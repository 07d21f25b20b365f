package server_test

import (
	"context"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// A scope that is listed twice would be in a challenge twice.
func TestResourceScopesOnce(t *testing.T) {
	_, err := server.New(server.Config{
		Name: "test", Version: "1",
		Authenticator: core.IdentityFromContext(),
		Resource: &server.Resource{
			URL: "https://bank.example/mcp", AuthorizationServers: []string{"https://id.example"},
			Scopes: []string{"a", "b", "a"}, DefaultScopes: []string{"b", "b"},
		},
	})
	for _, want := range []string{`Resource.Scopes[2] is "a"`, `Resource.DefaultScopes[1] is "b"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if strings.Count(err.Error(), "each scope once") != 2 {
		t.Errorf("got %v", err)
	}
}

// Who subscribed to a resource hears of it no more once it needs a scope that he
// lacks.
func TestSubscribedResourceGetsScopes(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		read := func(context.Context, *core.Event) (string, error) { return "text", nil }
		open := core.NewResource("docs://open", "open", read)
		srv := newServer(t, func(c *server.Config) { c.Authenticator = scoped(nil) },
			open, core.NewResource("docs://other", "other", read))
		url := serve(t, &bridge{srv: srv, detached: detached})
		const both = `{"resourceSubscriptions":["docs://open","docs://other"]}`
		ada := hearWith(t, url, as("ada", listening("1", both)))
		eve := hearWith(t, url, as("eve files:read", listening("1", both)))
		ada.want(acknowledged(both, "1"))
		eve.want(acknowledged(both, "1"))
		srv.ResourceUpdated("docs://open")
		ada.want(updated("docs://open", "1"))
		eve.want(updated("docs://open", "1"))

		srv.Remove(open)
		if err := srv.Add(core.NewResource("docs://open", "open", read, core.Scopes("files:read"))); err != nil {
			t.Fatal(err)
		}
		srv.ResourceUpdated("docs://open")
		eve.want(updated("docs://open", "1"))
		srv.ResourceUpdated("docs://other")
		ada.want(updated("docs://other", "1"))
		eve.want(updated("docs://other", "1"))
	})
}
