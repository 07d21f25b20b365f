package jwtrecipes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// mural is paint for those who have the scopes.
var mural = core.NewTool("mural", "Paints a house.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		s, err := steps.Open(ev)
		if err != nil {
			return "", err
		}
		if c, ok := askColor.Accepted(ev); ok && s.Round == 1 {
			return ev.Principal().Subject + " wants " + c.Color, nil
		}
		return "", steps.InputRequired(ev, step{Round: 1}, askColor)
	}, core.Scopes("paint", "paint:walls"))

const (
	stepUp    = `Bearer error="insufficient_scope", scope="paint paint:walls", ` + metadataURL
	tooLittle = `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Insufficient scope"}}`
)

// A scope that was lost between two rounds stops the flow, and one that came
// with a fresh token goes on with it.
func TestScopesOnEveryRound(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		var log lines
		url := mount(t, a.server(t, a.config(), &log, mural)) + "/mcp"
		full := a.token("ES256", nil, map[string]any{"scope": "paint:walls mcp paint", "jti": "1"})
		refreshed := a.token("EdDSA", nil, map[string]any{"scope": "paint paint:walls", "jti": "2"})
		bob := a.token("EdDSA", nil, map[string]any{"scope": "paint paint:walls", "sub": "bob"})
		want := refusal{http.StatusForbidden, stepUp, tooLittle}
		for name, scope := range map[string]any{"none": nil, "empty": "", "one of two": "paint", "another": "paint:wall mcp", "two in one": []string{"paint paint:walls"}} {
			less := a.token("ES256", nil, map[string]any{"scope": scope})
			want.check(t, do(t, request(t, url, "tools/call", "mural"), "Bearer "+less))

			asked := post(t, url, full, "mural", nil)
			if asked.status != http.StatusOK || asked.state == "" {
				t.Fatalf("%s: first round: %d %s", name, asked.status, asked.raw)
			}
			answered := object{
				"requestState":   asked.state,
				"inputResponses": object{"color": object{"action": "accept", "content": object{"color": "red"}}},
			}
			want.check(t, do(t, request(t, url, "tools/call", "mural", answered), "Bearer "+less))
			if got := post(t, url, bob, "mural", answered); got.code != -32602 { // M10
				t.Errorf("%s: another's state: %d %s", name, got.status, got.raw)
			}
			if got := post(t, url, refreshed, "mural", answered); got.text != "ada wants red" { // M10
				t.Errorf("%s: with a refreshed token: %d %s", name, got.status, got.raw)
			}
		}
		log.want(t, `reason=scope status=403 method=tools/call feature=mural principal=[0-9a-f]{12}\b`)
		log.want(t, `reason=state_principal .*principal=[0-9a-f]{12}\b`)
		log.never(t, "ada", "bob", full, refreshed)
	})
}

// What a caller may not use is in no list for him.
func TestScopesHide(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		url := mount(t, a.server(t, a.config(), io.Discard, mural)) + "/mcp"
		for scope, want := range map[string][]string{"paint:walls paint": {"mural", "whoami"}, "paint": {"whoami"}, "": {"whoami"}} {
			token := a.token("RS256", nil, map[string]any{"scope": scope})
			got := read(t, "tools/list", do(t, request(t, url, "tools/list", ""), "Bearer "+token))
			var list struct {
				Result struct {
					Tools      []struct{ Name string }
					CacheScope string
				}
			}
			must(t, json.Unmarshal([]byte(got.raw), &list))
			var names []string
			for _, tool := range list.Result.Tools {
				names = append(names, tool.Name)
			}
			if !slices.Equal(names, want) || list.Result.CacheScope != "private" {
				t.Errorf("%q: got %s", scope, got.raw)
			}
		}
	})
}

// A stream ends with the token it was opened with, as when the server closes,
// and the log says why.
func TestListenEndsWithItsToken(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		var log lines
		cfg := a.config()
		cfg.Leeway = time.Millisecond
		srv := a.server(t, cfg, &log)
		url := mount(t, srv) + "/mcp"
		t.Cleanup(func() { must(t, srv.Close(context.Background())) }) // before the application, which waits for streams
		end := time.Now().Add(600 * time.Millisecond)
		short := a.token("ES256", nil, map[string]any{"exp": float64(end.UnixMilli()) / 1000})
		long := a.token("ES256", nil, map[string]any{"exp": end.Add(time.Hour).Unix()})

		other := open(t, request(t, url, "subscriptions/listen", ""), "Bearer "+long)
		defer other.Body.Close()
		resp := open(t, request(t, url, "subscriptions/listen", ""), "Bearer "+short)
		defer resp.Body.Close()
		stream, err := io.ReadAll(resp.Body)
		must(t, err)
		if early := time.Until(end); early > 0 {
			t.Errorf("the stream ended %v before its token", early)
		}
		events := strings.Split(strings.TrimSpace(string(stream)), "\n\n")
		if last := events[len(events)-1]; !strings.Contains(events[0], "acknowledged") || !strings.Contains(last, `"id":1,"result":{"resultType":"complete"`) {
			t.Errorf("got %q", stream)
		}
		log.want(t, `reason=token_expired principal=[0-9a-f]{12}\b`)
		log.never(t, "ada", short)

		if got := post(t, url, short, "whoami", nil); got.status != http.StatusUnauthorized {
			t.Errorf("a call with the same token: %d %s", got.status, got.raw)
		}
		buf := make([]byte, 4096)
		n, err := other.Body.Read(buf)
		if must(t, err); !bytes.Contains(buf[:n], []byte("acknowledged")) || bytes.Contains(buf[:n], []byte("result")) {
			t.Errorf("the other stream: %q", buf[:n])
		}
	})
}

// lines is a log that several goroutines write.
type lines struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

func (l *lines) want(t *testing.T, pattern string) {
	t.Helper()
	if !regexp.MustCompile(pattern).MatchString(l.String()) {
		t.Errorf("no record %s in\n%s", pattern, l)
	}
}

func (l *lines) never(t *testing.T, secrets ...string) {
	t.Helper()
	for _, s := range secrets {
		if strings.Contains(l.String(), s) {
			t.Errorf("the log has %q:\n%s", s, l)
		}
	}
}
