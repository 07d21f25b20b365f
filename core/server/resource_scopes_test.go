package server_test

import (
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
