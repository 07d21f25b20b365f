package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// notifications/cancelled ends the running call of its session, and the stream
// just ends: there is no response. One that names nothing that runs is taken
// and ignored.
func TestCancelled(t *testing.T) {
	type client struct{ accept string }
	for name, tc := range map[string]struct {
		client
		quiet bool
		id    string
		want  func(got told) bool
	}{
		"in a stream": {id: "7", want: func(got told) bool {
			return got.status == 200 && len(got.raw) == 1 && strings.Contains(got.raw[0], "notifications/progress")
		}},
		"before the stream": {quiet: true, id: `"a"`, want: func(got told) bool {
			return got.status == 200 && got.header.Get("Content-Type") == "text/event-stream" && len(got.raw) == 0 && got.comments == 1
		}},
		"JSON": {client: client{"application/json"}, quiet: true, id: "12345678901234567890", want: func(got told) bool {
			return got.status == 202 && got.body == ""
		}},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				h := newHolds()
				h.quiet = tc.quiet
				c := joined(t, serve(t, &bridge{srv: newServer(t, withSessions(), h.tool()), detached: detached}), v2025June, "")
				answered := make(chan told, 1)
				go func() {
					answered <- c.with("Accept", or(tc.accept, "*/*")).ask(tc.id, "tools/call", holdParams).end()
				}()
				wait(t, h.started, "the handler")
				joined(t, c.url, v2025June, "").cancel(tc.id) // of another session
				for _, params := range []string{`{"requestId":99}`, `{"requestId":"7"}`, `{"requestId":null}`, `{"requestId":[7]}`, `{}`, `[7]`, `7`} {
					if got := c.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`); got.status != 202 {
						t.Errorf("%s: %d %s", params, got.status, got.body)
					}
				}
				none := *c
				none.session = ""
				none.cancel(tc.id) // of no session
				select {
				case cause := <-h.ended:
					t.Fatalf("cancelled too early: %v", cause)
				case <-answered:
					t.Fatal("answered")
				default:
				}
				c.cancel(tc.id)
				if cause := wait(t, h.ended, "the handler"); cause == nil || errors.Is(cause, server.ErrClientGone) {
					t.Errorf("cause %v", cause)
				}
				if got := wait(t, answered, "the answer"); !tc.want(got) {
					t.Errorf("got %d %v %q, %d comments", got.status, got.header, got.raw, got.comments)
				}
				c.cancel(tc.id) // of a call that has ended
				if got := c.tell("ping", ""); got.result() == nil {
					t.Errorf("the session afterwards: %s", got.body)
				}
			})
		})
	}
}

// Today's clients cancel by closing; a notification of theirs cancels nothing,
// also not in a session whose id they send.
func TestModernCancelsNothing(t *testing.T) {
	h := newHolds()
	c := joined(t, start(t, withSessions(), h.tool()), v2025June, "")
	answered := make(chan told, 1)
	go func() { answered <- c.ask("7", "tools/call", holdParams).end() }()
	wait(t, h.started, "the handler")
	modern := *c
	modern.version = version
	modern.cancel("7")
	meta := *c
	meta.version = ""
	if got := meta.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,` + metaJSON + `}}`); got.status != 202 {
		t.Errorf("got %d", got.status)
	}
	close(h.proceed)
	if cause := wait(t, h.ended, "the handler"); cause != nil {
		t.Errorf("cause %v", cause)
	}
	if got := wait(t, answered, "the answer"); got.text() != "held" {
		t.Errorf("got %s", got.body)
	}
}

// A call in a batch can be cancelled too; it has no response, and the others
// have theirs.
func TestCancelledInBatch(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		h := newHolds()
		c := joined(t, serve(t, &bridge{srv: newServer(t, withSessions(), h.tool()), detached: detached}), v2025March, "")
		answered := make(chan told, 1)
		go func() {
			answered <- c.post(`[` + messageID("1", "ping", "") + `,` + messageID("2", "tools/call", holdParams) + `,` + messageID("3", "ping", "") + `]`)
		}()
		wait(t, h.started, "the handler")
		c.cancel("2")
		want := `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":3,"result":{}}]`
		if got := wait(t, answered, "the answer"); got.body != want {
			t.Errorf("got %s", got.body)
		}
	})
}

// Notifications are taken, with 202 and no body, whatever they say; but their
// version must be served, and their session live.
func TestOlderNotificationsIn(t *testing.T) {
	const notice = `{"jsonrpc":"2.0","method":"notifications/x","params":[1]}`
	stateless, stateful := start(t, nil, echoTool), start(t, withSessions(), echoTool)
	march := start(t, func(c *server.Config) { c.Legacy.Versions = []string{v2025Nov} }, echoTool)
	own := joined(t, stateful, v2025Nov, "")
	other := *own
	other.session = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
	for name, tc := range map[string]struct {
		c      *older
		status int
	}{
		"nothing":             {&older{t: t, url: stateless}, 202},
		"older":               {&older{t: t, url: stateless, version: v2025June}, 202},
		"unserved":            {&older{t: t, url: stateless, version: "2024-11-05"}, 400},
		"not this one":        {&older{t: t, url: march, version: v2025June}, 400},
		"nothing, not served": {&older{t: t, url: march}, 202},
		"no session":          {&older{t: t, url: stateful, version: v2025June}, 202},
		"session":             {own, 202},
		"unknown session":     {&other, 404},
	} {
		for _, body := range []string{notice, strings.ReplaceAll(notice, "notifications/x", "notifications/cancelled")} {
			got := tc.c.post(body)
			if got.status != tc.status || (got.body == "") != (tc.status == 202) {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
			if tc.status == 404 && !strings.Contains(got.body, `"id":null`) {
				t.Errorf("%s: %s", name, got.body)
			}
		}
		got := tc.c.post(`{"jsonrpc":"2.0","id":5,"result":{}}`) // an answer that nobody waits for
		if want := tc.status; got.status != want && name != "nothing, not served" {
			t.Errorf("%s: a response: %d %s", name, got.status, got.body)
		}
	}
	if got := own.with("MCP-Protocol-Version", version).post(`{"jsonrpc":"2.0","id":5,"result":{}}`); got.status != 400 || got.code() != -32600 {
		t.Errorf("a modern response: %d %s", got.status, got.body)
	}
}

// T17: a handler that panics is an internal error in the older revisions as
// well, and leaves its session usable and idle.
func TestOlderPanics(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		tool := toolOf("panic", func(_ context.Context, ev *core.Event) (string, error) {
			ev.Progress(1, 2, "")
			panic("secret")
		})
		c := joined(t, serve(t, &bridge{srv: newServer(t, withSessions(), tool), detached: detached}), v2025Nov, "")
		for _, params := range []string{`"name":"panic"`, `"name":"panic","_meta":{"progressToken":1}`} {
			got := c.tell("tools/call", params)
			if got.status != 200 || got.code() != -32603 || strings.Contains(got.body, "secret") {
				t.Errorf("got %d %s", got.status, got.body)
			}
		}
		if got := c.do(http.MethodDelete, "", "").end(); got.status != 204 {
			t.Errorf("DELETE: %d", got.status)
		}
	})
}
