package server_test

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

var noSuchSession = refused{404, -32600, "Session not found"}

// T33: a session that was ended, or was never there, or is somebody else's, is
// not found, with a null id; all are told the same.
func TestT33SessionEnds(t *testing.T) {
	url := start(t, withSessions(func(c *server.Config) { c.Principal = byHeader }), documents()...)
	as := func(who string) *older {
		c := &older{t: t, url: url, version: v2025Nov, header: map[string]string{"Authorization": who}}
		c.initialize("")
		return c
	}
	ada, eve := as("ada"), as("eve")
	stolen := *eve
	stolen.session = ada.session
	everywhere := func(c *older) {
		t.Helper()
		for _, body := range []string{
			message("ping", ""), message("tools/list", ""), message("resources/subscribe", `"uri":"docs://readme"`), `[` + message("ping", "") + `]`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		} {
			noSuchSession.check(t, c.post(body), "null")
		}
		noSuchSession.check(t, c.do(http.MethodGet, "", "").end(), "null")
		noSuchSession.check(t, c.do(http.MethodDelete, "", "").end(), "null")
	}
	everywhere(&stolen)
	if got := ada.tell("ping", ""); got.result() == nil {
		t.Errorf("Ada's own: %s", got.body)
	}
	if got := ada.do(http.MethodDelete, "", "").end(); got.status != 204 || got.body != "" {
		t.Errorf("DELETE: %d %s", got.status, got.body)
	}
	everywhere(ada)
	if got := eve.tell("ping", ""); got.result() == nil {
		t.Errorf("Eve's: %s", got.body)
	}
	for _, id := range []string{"x", strings.Repeat("A", 26), strings.ToLower(eve.session), eve.session + "A", strings.Repeat("A", 5000)} {
		c := *eve
		c.session = id
		noSuchSession.check(t, c.tell("ping", ""), "null")
	}
	// Without one.
	none := *eve
	none.session = ""
	for _, verb := range []string{http.MethodGet, http.MethodDelete} {
		refused{400, -32600, "Header Mcp-Session-Id is missing"}.check(t, none.do(verb, "", "").end(), "")
	}
	refused{401, -32600, "Authentication is required"}.check(t, eve.with("Authorization", "-").tell("ping", ""), "")
}

// What GET and DELETE need besides a session.
func TestSessionHTTPMethods(t *testing.T) {
	stateless := &older{t: t, url: start(t, nil, echoTool), version: v2025Nov}
	c := joined(t, start(t, withSessions(), echoTool), v2025Nov, "")
	for name, tc := range map[string]struct {
		c     *older
		verb  string
		want  refused
		allow string
	}{
		"GET, stateless":    {stateless, http.MethodGet, refused{405, -32600, "Only POST is allowed here"}, "POST"},
		"DELETE, stateless": {stateless, http.MethodDelete, refused{405, -32600, "Only POST is allowed here"}, "POST"},
		"GET, JSON only":    {c.with("Accept", "application/json"), http.MethodGet, refused{406, -32600, "Accept must allow text/event-stream"}, ""},
		"GET, modern":       {c.with("MCP-Protocol-Version", version), http.MethodGet, refused{405, -32600, "Only POST, GET and DELETE are allowed here"}, "POST, GET, DELETE"},
		"DELETE, modern":    {c.with("MCP-Protocol-Version", version), http.MethodDelete, refused{405, -32600, "Only POST, GET and DELETE are allowed here"}, "POST, GET, DELETE"},
		"GET, unserved":     {c.with("MCP-Protocol-Version", "2024-11-05"), http.MethodGet, refused{400, -32022, "Unsupported protocol version"}, ""},
		"T1 GET, Origin":    {c.with("Origin", "https://evil.example"), http.MethodGet, refused{403, -32600, "This Origin is not allowed"}, ""},
		"T1 DELETE, Origin": {c.with("Origin", "https://evil.example"), http.MethodDelete, refused{403, -32600, "This Origin is not allowed"}, ""},
		"GET, bad event id": {c.with("Last-Event-ID", "x\xe4"), http.MethodGet, refused{400, -32600, "Header Last-Event-Id has bytes outside printable ASCII"}, ""},
	} {
		got := tc.c.do(tc.verb, "", "").end()
		tc.want.check(t, got, "")
		if got.header.Get("Allow") != tc.allow {
			t.Errorf("%s: Allow %q", name, got.header.Get("Allow"))
		}
	}
	if got := c.tell("ping", ""); got.result() == nil {
		t.Errorf("afterwards: %s", got.body)
	}
}

// A session ends when nobody has used it for SessionIdle; a stream that is open
// and a call that runs use it.
func TestSessionIdle(t *testing.T) {
	for name, use := range map[string]func(t *testing.T, d *direct) (stop func()){
		"nothing": func(*testing.T, *direct) func() { return nil },
		"requests": func(t *testing.T, d *direct) func() {
			for range 4 {
				<-time.After(40 * time.Second)
				d.post(message("ping", ""))
			}
			return func() {}
		},
		"stream": func(t *testing.T, d *direct) func() {
			ctx, leave := context.WithCancel(t.Context())
			mine := *d
			done := make(chan struct{})
			go func() {
				defer close(done)
				if resp := mine.doIn(ctx, http.MethodGet, "", nil); resp != nil && resp.Stream != nil {
					_ = resp.Stream(mine.sink)
				}
			}()
			<-time.After(5 * time.Minute)
			return func() { leave(); <-done }
		},
		"call": func(t *testing.T, d *direct) func() {
			p := park(t, d, t.Context(), greetCall)
			<-time.After(4 * time.Minute)
			return func() {
				d.post(`{"jsonrpc":"2.0","id":1,"result":` + accepted + `}`)
				<-p.done
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			sessionsWith(t, func(c *server.Config) { c.Legacy.SessionIdle = time.Minute }, func(t *testing.T, _ *server.Server, d *direct) {
				status := func() int { return d.post(message("ping", "")).Status }
				if stop := use(t, d); stop != nil {
					if got := status(); got != 200 {
						t.Errorf("in use: %d", got)
					}
					stop()
				}
				<-time.After(59 * time.Second)
				if got := status(); got != 200 {
					t.Errorf("too early: %d", got)
				}
				<-time.After(70 * time.Second) // with what it takes to notice
				if got := status(); got != 404 {
					t.Errorf("too late: %d", got)
				}
			})
		})
	}
}

// Sessions are limited, for everybody together and for each.
func TestSessionCaps(t *testing.T) {
	for name, tc := range map[string]struct {
		named               bool
		all, each, ada, eve int
	}{
		"process":   {true, 3, 100, 3, 0},
		"principal": {true, 100, 2, 2, 2},
		"anonymous": {false, 5, 2, 5, 0},
	} {
		t.Run(name, func(t *testing.T) {
			url := start(t, withSessions(func(c *server.Config) {
				c.Legacy.MaxSessions, c.Legacy.MaxSessionsPerPrincipal = tc.all, tc.each
				if tc.named {
					c.Principal = byHeader
				}
			}), echoTool)
			var first *older
			begin := func(who string) told {
				c := &older{t: t, url: url, version: v2025Nov, header: map[string]string{"Authorization": who}}
				got := c.initialize("")
				if first == nil {
					first = c
				}
				return got
			}
			full := refused{200, -32603, "Too many sessions"}
			for _, who := range []string{"ada", "eve"} {
				for i := range map[string]int{"ada": tc.ada, "eve": tc.eve}[who] {
					if got := begin(who); got.result() == nil {
						t.Errorf("%s, session %d: %s", who, i, got.body)
					}
				}
				full.check(t, begin(who), "1")
			}
			if got := first.do(http.MethodDelete, "", "").end(); got.status != 204 {
				t.Errorf("DELETE: %d", got.status)
			}
			if got := begin(first.header["Authorization"]); got.result() == nil {
				t.Errorf("after one has ended: %s", got.body)
			}
		})
	}
}

// What a session keeps of its client has a limit; and what it keeps is what a
// handler sees.
func TestSessionClient(t *testing.T) {
	tool := toolOf("who", func(_ context.Context, ev *core.Event) (string, error) {
		return ev.Client().Name + " " + ev.Client().Version, nil
	})
	c := joined(t, start(t, withSessions(), tool), v2025Nov, "")
	if got := c.call("who", ""); got.text() != "probe 1.0.0" {
		t.Errorf("got %s", got.body)
	}
	large := strings.Repeat("a", 16<<10)
	fresh := &older{t: t, url: c.url}
	got := fresh.tell("initialize", `"protocolVersion":"2025-11-25","capabilities":{"x":"`+large+`"}`)
	refused{200, -32602, "Invalid params: capabilities are too large"}.check(t, got, "1")
	got = fresh.tell("initialize", `"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1","x":"`+large+`"}`)
	d := *c
	if d.session = got.header.Get("Mcp-Session-Id"); d.session == "" {
		t.Fatalf("got %s", got.body)
	}
	if got := d.call("who", ""); got.text() != " " {
		t.Errorf("a client that says too much of itself: %s", got.body)
	}
}

// Idle sessions are cheap: 4 KB each, all included.
func TestSessionMemory(t *testing.T) {
	const count = 10_000
	srv := newServer(t, withSessions(func(c *server.Config) { c.Legacy.MaxSessions = count + 1 }), documents()...)
	capabilities := `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{},"url":{}},"experimental":{}}`
	body := message("initialize", `"protocolVersion":"2025-11-25","capabilities":`+capabilities+
		`,"clientInfo":{"name":"a-usual-client","title":"A Usual Client","version":"1.32.2","websiteUrl":"https://client.example"}`)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapInuse + m.StackInuse
	}
	one := &direct{t: t, srv: srv, version: v2025Nov, open: true}
	one.post(body)
	before := heap()
	for range count {
		if resp := one.post(body); resp.Status != 200 || len(resp.Header) != 2 {
			t.Fatalf("got %d %s", resp.Status, resp.Body)
		}
	}
	after := heap()
	per := (int64(after) - int64(before)) / count
	t.Logf("%d bytes a session", per)
	if per > 4<<10 {
		t.Errorf("%d bytes a session", per)
	}
	if err := srv.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
