package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server"
)

func bank(c *server.Config) {
	c.Resource = &server.Resource{
		URL: "https://bank.example/a/mcp", AuthorizationServers: []string{"https://id.example", "https://login.example/realms/x/"},
		Scopes: []string{"read", "write"}, DefaultScopes: []string{"read"}, Name: "Bank", Documentation: "https://bank.example/docs",
	}
}

const (
	wellKnown = "/.well-known/oauth-protected-resource"

	bankMetadata = `{"resource":"https://bank.example/a/mcp","authorization_servers":["https://id.example","https://login.example/realms/x/"],` +
		`"scopes_supported":["read","write"],"bearer_methods_supported":["header"],"resource_name":"Bank","resource_documentation":"https://bank.example/docs"}`
)

// Metadata is for everybody: any origin, any host, no token.
func TestMetadata(t *testing.T) {
	url := start(t, func(c *server.Config) {
		bank(c)
		c.Authenticator = scoped(nil)
		c.AllowedHosts = []string{"bank.example"}
	}, echoTool)
	for path, found := range map[string]bool{
		wellKnown: true, wellKnown + "/a/mcp": true, wellKnown + "/a": false, wellKnown + "/a/mcp/": false, wellKnown + "/": false, "/mcp": false,
	} {
		for verb, status := range map[string]int{"GET": 200, "HEAD": 200, "OPTIONS": 204, "POST": 405, "DELETE": 405} {
			req, err := http.NewRequestWithContext(t.Context(), verb, url+path, strings.NewReader(""))
			if err != nil {
				t.Fatal(err)
			}
			req.Host = "evil.example"
			req.Header.Set("Origin", "https://evil.example")
			req.Header.Set("Authorization", "Bearer nonsense")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			got := told{status: resp.StatusCode, header: resp.Header}
			if verb != "HEAD" && (!found || status != 200) {
				got = read(t, "", resp)
			} else {
				buf := make([]byte, 4096)
				n, _ := resp.Body.Read(buf)
				got.body = string(buf[:n])
			}
			resp.Body.Close()
			if !found {
				if got.status != http.StatusForbidden {
					t.Errorf("%s %s: %d %s", verb, path, got.status, got.body)
				}
				continue
			}
			if got.status != status || verb == "GET" && got.body != bankMetadata || (verb == "HEAD" || verb == "OPTIONS") && got.body != "" {
				t.Errorf("%s %s: %d %s", verb, path, got.status, got.body)
			}
			origin, allow := got.header.Get("Access-Control-Allow-Origin"), got.header.Get("Allow")
			if (origin == "*") != (status < 300) || (allow == "GET, HEAD, OPTIONS") != (status == 405) {
				t.Errorf("%s %s: header %v", verb, path, got.header)
			}
			if verb == "OPTIONS" && got.header.Get("Access-Control-Allow-Headers") != "*" {
				t.Errorf("a browser may not send MCP-Protocol-Version: %v", got.header)
			}
		}
	}
}

func TestMetadataPaths(t *testing.T) {
	for url, want := range map[string][]string{
		"https://bank.example/a/mcp": {wellKnown + "/a/mcp", wellKnown},
		"https://bank.example":       {wellKnown},
		"http://127.0.0.1:8080/mcp":  {wellKnown + "/mcp", wellKnown},
		"http://[::1]:8080/mcp":      {wellKnown + "/mcp", wellKnown},
	} {
		srv := newServer(t, func(c *server.Config) {
			c.Resource = &server.Resource{URL: url, AuthorizationServers: []string{"https://id.example"}}
			c.Authenticator = scoped(nil)
		}, echoTool)
		if got := srv.MetadataPaths(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
	if got := newServer(t, nil, echoTool).MetadataPaths(); len(got) > 0 {
		t.Errorf("without a resource: %q", got)
	}
}

// A URL that two clients could spell differently, or that would break out of a
// header, is refused.
func TestResourceErrors(t *testing.T) {
	for field, values := range map[string][]string{
		"URL": {
			"", "bank.example/mcp", "http://bank.example/mcp", "ftp://bank.example/mcp", "https:///mcp", "HTTPS://bank.example/mcp",
			"https://Bank.example/mcp", "https://bank.example/mcp/", "https://bank.example/", "https://bank.example/mcp?x", "https://bank.example/mcp#x",
			"https://me@bank.example/mcp", "https://bank.example/a/../mcp", "https://bank.example//mcp", "https://bank.example/m%63p",
			`https://bank.example/"`, "https://bank.example/\r\nx", "https://bank.example/a b", "https://bänk.example/mcp", `https://bank.example/a\b`,
		},
		"AuthorizationServers[0]": {"", "id.example", "http://id.example", "https://id.example?x", "https://id.example#x", "https://id.example/\""},
		"Scopes[0]":               {"", "a b", `a"b`, `a\b`, "a\r\nb", "offline_access", "ä"},
		"DefaultScopes[0]":        {"", "a b", `a"`, "offline_access"},
		"Documentation":           {"docs", "javascript:alert(1)"},
	} {
		for _, v := range values {
			r := server.Resource{URL: "https://bank.example/mcp", AuthorizationServers: []string{"https://id.example"}}
			switch field {
			case "URL":
				r.URL = v
			case "AuthorizationServers[0]":
				r.AuthorizationServers = []string{v}
			case "Scopes[0]":
				r.Scopes = []string{v}
			case "DefaultScopes[0]":
				r.DefaultScopes = []string{v}
			case "Documentation":
				r.Documentation = v
			}
			_, err := server.New(server.Config{Name: "a", Version: "1", Resource: &r, Authenticator: scoped(nil)})
			if v == "" && field == "Documentation" {
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "parley: Config.Resource."+field+" is ") || strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%s %q: %v", field, v, err)
			}
		}
	}
	_, err := server.New(server.Config{Name: "a", Version: "1", Resource: &server.Resource{}})
	for _, field := range []string{"Authenticator", "Resource.URL", "Resource.AuthorizationServers"} {
		if err == nil || !strings.Contains(err.Error(), "Config."+field+" is ") {
			t.Errorf("nothing about %s in %v", field, err)
		}
	}
}
