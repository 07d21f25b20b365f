package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// scoped is an authenticator whose callers name themselves and their scopes, as
// "Bearer ada read write".
type scoped func(*core.Identity) error

func (f scoped) Authenticate(_ context.Context, h core.Header) (core.Identity, error) {
	fields := strings.Fields(h.Get("Authorization"))
	if len(fields) < 2 {
		return core.Identity{}, core.ErrNoCredentials
	}
	id := core.Identity{Principal: core.Principal{Issuer: "https://id.example", Subject: fields[1]}, Scopes: fields[2:]}
	if f != nil {
		return id, f(&id)
	}
	return id, nil
}

func as(who string, a ask) ask {
	a.header = map[string]string{"Authorization": "Bearer " + who}
	return a
}

// guarded are features of every kind that need scopes, and some that do not.
func guarded() []core.Feature {
	read := func(context.Context, *core.Event) (string, error) { return "text", nil }
	completer := core.Complete("id", func(context.Context, *core.Event, string) ([]string, error) { return []string{"x"}, nil })
	type vars struct {
		ID string `json:"id"`
	}
	rows := func(context.Context, *core.Event, vars) (string, error) { return "text", nil }
	features := numbered(0, 3)
	return append(features,
		core.NewTool("write", "Writes.", echo, core.Scopes("files:read", "files:write")),
		core.NewPrompt("draft", "Drafts.", func(context.Context, *core.Event, vars) (string, error) { return "text", nil }, completer, core.Scopes("files:read")),
		core.NewResource("docs://open", "open", read),
		core.NewResource("docs://secret", "secret", read, core.Scopes("files:read")),
		core.NewTemplate("docs://rows/{id}", "row", rows, completer, core.Scopes("files:read")),
		echoTool,
	)
}

const read403 = `Bearer error="insufficient_scope", scope="files:read", resource_metadata="https://bank.example` + wellKnown + `/a/mcp"`

func TestScopesOfEveryKind(t *testing.T) {
	url := start(t, func(c *server.Config) {
		bank(c)
		c.Authenticator = scoped(nil)
	}, guarded()...)
	resource := func(uri string) ask {
		return ask{method: "resources/read", name: uri, params: `"uri":"` + uri + `"`}
	}
	prompt := ask{method: "prompts/get", name: "draft", params: `"name":"draft","arguments":{"id":"1"}`}
	for name, a := range map[string]ask{"prompt": prompt, "resource": resource("docs://secret"), "template": resource("docs://rows/7")} {
		for _, who := range []string{"ada", "ada files:write", "ada files:rea files:readx FILES:READ"} {
			got := tell(t, url, as(who, a))
			refused{403, -32600, "Insufficient scope"}.check(t, got, "1")
			if www := got.header.Get("WWW-Authenticate"); www != read403 {
				t.Errorf("%s: %s", name, www)
			}
		}
		if got := tell(t, url, as("ada files:write files:read", a)); got.result() == nil {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	got := tell(t, url, as("ada files:write", call("write", "")))
	if www := got.header.Get("WWW-Authenticate"); got.status != 403 || !strings.Contains(www, `scope="files:read files:write"`) {
		t.Errorf("got %d %s", got.status, www)
	}
	// What is unknown is unknown, and what is open is open.
	if got := tell(t, url, as("ada", resource("docs://open"))); got.result() == nil {
		t.Errorf("got %s", got.body)
	}
	refused{200, -32602, "Unknown tool"}.check(t, tell(t, url, as("ada", call("nothing", ""))), "1")
	// Completion of what is hidden has no reference.
	for ref, who := range map[string]string{`{"type":"ref/prompt","name":"draft"}`: "ada", `{"type":"ref/resource","uri":"docs://rows/{id}"}`: "ada files:write"} {
		a := ask{method: "completion/complete", params: `"ref":` + ref + `,"argument":{"name":"id","value":""}`}
		refused{200, -32602, "Unknown completion reference"}.check(t, tell(t, url, as(who, a)), "1")
		if got := tell(t, url, as("ada files:read", a)); got.result() == nil {
			t.Errorf("got %s", got.body)
		}
	}
}

// T30: what a caller lacks the scopes for is on no page of his lists, and the
// pages of one are never another's, whoever asks first.
func TestScopesHidePages(t *testing.T) {
	url := start(t, func(c *server.Config) {
		c.Authenticator = scoped(nil)
		c.PageSize = 2
	}, guarded()...)
	for range 2 {
		for who, want := range map[string]string{
			"ada files:read files:write": "[t0 t1] [t2 write] [echo]", "ada files:read": "[t0 t1] [t2 echo]", "bob": "[t0 t1] [t2 echo]",
		} {
			var got []string
			for cursor, more := "", true; more; more = cursor != "" {
				a := ask{method: "tools/list"}
				if cursor != "" {
					a.params = `"cursor":"` + cursor + `"`
				}
				answer := tell(t, url, as(who, a))
				if answer.result()["cacheScope"] != "private" {
					t.Errorf("cacheScope %v", answer.result()["cacheScope"])
				}
				var list []string
				list, cursor = names(t, answer, "tools")
				got = append(got, fmt.Sprint(list))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s sees %v, want %s", who, got, want)
			}
		}
	}
	for member, a := range map[string]ask{
		"prompts": {method: "prompts/list"}, "resources": {method: "resources/list"}, "resourceTemplates": {method: "resources/templates/list"},
	} {
		without, _ := names(t, tell(t, url, as("ada", a)), member)
		with, _ := names(t, tell(t, url, as("ada files:read", a)), member)
		if len(with) != len(without)+1 || slices.Contains(without, "secret") {
			t.Errorf("%s: %q and %q", member, without, with)
		}
	}
}

// A resource that a caller may not read is none that he hears of.
func TestScopesOfSubscriptions(t *testing.T) {
	url := start(t, func(c *server.Config) { c.Authenticator = scoped(nil) }, guarded()...)
	for who, want := range map[string]string{"ada": `["docs://open"]`, "ada files:read": `["docs://open","docs://secret","docs://rows/7"]`} {
		ctx, cancel := context.WithCancel(t.Context())
		a := as(who, ask{method: "subscriptions/listen", params: `"notifications":{"resourceSubscriptions":["docs://open","docs://secret","docs://rows/7"]}`})
		resp, err := http.DefaultClient.Do(a.build(t, url).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 1000)
		n, _ := io.ReadAtLeast(resp.Body, buf, 10)
		if !strings.Contains(string(buf[:n]), `"resourceSubscriptions":`+want) {
			t.Errorf("%s: %s", who, buf[:n])
		}
		cancel()
		resp.Body.Close()
	}
}

// Scopes that nobody could have, or whose lists would be everybody's.
func TestScopesAreRefused(t *testing.T) {
	tool := core.NewTool("write", "Writes.", echo, core.Scopes("files:write"))
	who := core.PrincipalFunc(func(context.Context, core.Header) (core.Principal, error) { return core.Anonymous, nil })
	for want, cfg := range map[string]server.Config{
		"nobody has any without Config.Authenticator": {},
		"a core.PrincipalFunc":                        {Authenticator: who},
		"Config.DangerouslyPublicLists must be false": {Authenticator: scoped(nil), DangerouslyPublicLists: true},
	} {
		cfg.Name, cfg.Version = "a", "1"
		_, err := server.New(cfg, tool)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), `parley: feature 0: the tool "write": it needs the scopes ["files:write"]`) {
			t.Errorf("New: got %v, want %q", err, want)
		}
		srv, err := server.New(cfg, echoTool)
		if err != nil {
			t.Fatal(err)
		}
		if err := srv.Add(tool); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Add: got %v, want %q", err, want)
		}
	}
	_, err := server.New(server.Config{Name: "a", Version: "1", Authenticator: core.PrincipalFunc(nil)})
	if err == nil || !strings.Contains(err.Error(), "Config.Authenticator is ") {
		t.Errorf("a nil function: %v", err)
	}
}

// What an authenticator says decides the challenge, and nothing of it is told.
func TestChallenges(t *testing.T) {
	const meta = `resource_metadata="https://bank.example` + wellKnown + `/a/mcp"`
	for name, tc := range map[string]struct {
		err       error
		status    int
		challenge string
		text      string
	}{
		"no credentials": {core.ErrNoCredentials, 401, `Bearer scope="read", ` + meta, "Authentication is required"},
		"malformed":      {fmt.Errorf("%w: secret", core.ErrMalformedCredentials), 400, `Bearer error="invalid_request", ` + meta, "Header Authorization is malformed"},
		"invalid":        {fmt.Errorf("%w: secret", core.ErrInvalidToken), 401, `Bearer error="invalid_token", scope="read", ` + meta, "Authentication is required"},
		"anything":       {errors.New("secret"), 401, `Bearer error="invalid_token", scope="read", ` + meta, "Authentication is required"},
	} {
		t.Run(name, func(t *testing.T) {
			url := start(t, func(c *server.Config) {
				bank(c)
				c.Authenticator = scoped(func(*core.Identity) error { return tc.err })
			}, echoTool)
			got := tell(t, url, as("ada", call("echo", "")))
			refused{tc.status, -32600, tc.text}.check(t, got, "")
			if www := got.header.Get("WWW-Authenticate"); www != tc.challenge || strings.Contains(got.body, "secret") {
				t.Errorf("got %s, %s", www, got.body)
			}
		})
	}
}

// An identity that has expired is none, whoever vouches for it.
func TestExpiredIdentity(t *testing.T) {
	for age, good := range map[time.Duration]bool{time.Hour: true, 0: false, -time.Hour: false} {
		url := start(t, func(c *server.Config) {
			c.Authenticator = scoped(func(id *core.Identity) error {
				id.Expires = time.Now().Add(age)
				return nil
			})
		}, echoTool)
		got := tell(t, url, as("ada", call("echo", "")))
		if good != (got.result() != nil) || !good && got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
			t.Errorf("%v: %d %s", age, got.status, got.body)
		}
	}
}
