package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// Batches belong to 2025-03-26 alone (MCP 2025-03-26, basic).
func TestBatches(t *testing.T) {
	const (
		ping   = `{"jsonrpc":"2.0","id":"a","method":"ping"}`
		pinged = `{"jsonrpc":"2.0","id":"a","result":{}}`
		notice = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
		reply  = `{"jsonrpc":"2.0","id":1,"result":{}}`
		begin  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`
		newer  = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + metaJSON + `}}`
	)
	order := func(n string) string {
		return messageID(n, "tools/call", `"name":"echo","arguments":{"text":"`+n+`"}`)
	}
	ordered := func(n string) string {
		return `{"jsonrpc":"2.0","id":` + n + `,"result":{"content":[{"type":"text","text":"` + n + `"}]}}`
	}
	many := func(n int) string { return strings.TrimSuffix(strings.Repeat(ping+",", n), ",") }
	bad := func(reason string) string {
		return `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: ` + reason + `"}}`
	}
	for name, tc := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"one":                {`[` + ping + `]`, 200, `[` + pinged + `]`},
		"order":              {`[` + order("3") + `,` + order("1") + `,` + order("2") + `]`, 200, `[` + ordered("3") + `,` + ordered("1") + `,` + ordered("2") + `]`},
		"with notifications": {`[` + notice + `,` + ping + `,` + notice + `]`, 200, `[` + pinged + `]`},
		"errors inside": {
			`[{"jsonrpc":"2.0","id":1,"method":"no/such"},` + ping + `,5,{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":7}},{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}]`, 200,
			`[{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}},` + pinged + `,` + bad("the message is not an object") +
				`,{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid params: name must be a string"}}` +
				`,{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Invalid params: params must be an object"}}]`,
		},
		"modern methods":     {`[{"jsonrpc":"2.0","id":1,"method":"server/discover"}]`, 200, `[{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}]`},
		"at the limit":       {`[` + many(32) + `]`, 200, `[` + strings.TrimSuffix(strings.Repeat(pinged+",", 32), ",") + `]`},
		"notifications only": {`[` + notice + `,` + notice + `]`, 202, ``},
		"responses only":     {`[` + reply + `,{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}]`, 202, ``},

		"empty":                  {`[]`, 400, bad("the batch is empty")},
		"too many":               {`[` + many(33) + `]`, 400, bad("the batch has too many elements")},
		"initialize":             {`[` + ping + `,` + begin + `]`, 400, bad("initialize cannot be part of a batch")},
		"request and response":   {`[` + ping + `,` + reply + `]`, 400, bad("the batch mixes requests and responses")},
		"response, notification": {`[` + reply + `,` + notice + `]`, 400, bad("the batch mixes requests and responses")},
		"modern inside":          {`[` + ping + `,` + newer + `]`, 400, bad("this protocol version has no batches")},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				stateless := serve(t, &bridge{srv: newServer(t, nil, echoTool), detached: detached})
				stateful := serve(t, &bridge{srv: newServer(t, withSessions(), echoTool), detached: detached})
				for mode, c := range map[string]*older{
					"no header": {t: t, url: stateless},
					"header":    {t: t, url: stateless, version: v2025March},
					"session":   joined(t, stateful, v2025March, ""),
					// The session says what the header does not.
					"session, other header": joined(t, stateful, v2025March, "").with("MCP-Protocol-Version", v2025Nov),
				} {
					got := c.post(tc.body)
					if got.status != tc.status || got.body != tc.want {
						t.Errorf("%s: got %d %s\nwant %s", mode, got.status, got.body, tc.want)
					}
				}
				for _, c := range []*older{
					{t: t, url: stateless, version: v2025June},
					{t: t, url: stateless, version: v2025Nov},
					joined(t, stateful, v2025June, "").with("MCP-Protocol-Version", v2025March),
				} {
					if tc.status == 400 {
						continue // some are refused for more than that
					}
					refused{400, -32600, "Invalid request: batches are not supported"}.check(t, c.post(tc.body), "")
				}
			})
		})
	}
}

// Who takes event streams only gets the whole answer as one event.
func TestBatchAsEvent(t *testing.T) {
	c := (&older{t: t, url: start(t, nil, echoTool)}).with("Accept", "text/event-stream")
	got := c.post(`[` + message("ping", "") + `]`)
	if got.header.Get("Content-Type") != "text/event-stream" || len(got.raw) != 1 || got.raw[0] != `[{"jsonrpc":"2.0","id":1,"result":{}}]` {
		t.Errorf("got %v %q", got.header, got.raw)
	}
	refused{406, -32600, "Accept must allow application/json or text/event-stream"}.check(t, c.with("Accept", "text/html").post(`[`+message("ping", "")+`]`), "")
}

// A batch with calls uses its session once, not once for each of them: or the
// session would never end, or end under those who use it.
func TestBatchLeavesItsSession(t *testing.T) {
	for name, open := range directStyles {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := newServer(t, withSessions(func(c *server.Config) { c.Legacy.SessionIdle = time.Minute }), echoTool)
				d := begin(t, srv, v2025March)
				d.open = open
				resp := d.post(`[` + message("tools/call", `"name":"echo"`) + `,` + messageID("2", "tools/call", `"name":"echo"`) + `]`)
				if resp.Status != 200 {
					t.Fatalf("got %d %s", resp.Status, resp.Body)
				}
				<-time.After(50 * time.Second)
				if resp := d.post(message("ping", "")); resp.Status != 200 {
					t.Errorf("ended too early: %s", resp.Body)
				}
				<-time.After(90 * time.Second)
				if resp := d.post(message("ping", "")); resp.Status != 404 {
					t.Errorf("lives on: %s", resp.Body)
				}
			})
		})
	}
}

// A handler in a batch has the caller, and nothing to stream to.
func TestBatchElement(t *testing.T) {
	tool := toolOf("probe", func(_ context.Context, ev *core.Event) (string, error) {
		ev.Progress(1, 2, "") // there is nobody to tell
		out, err := json.Marshal([]any{ev.Version(), ev.Principal().Subject, ev.CanRequest(askName)})
		return string(out), err
	})
	url := start(t, withSessions(func(c *server.Config) { c.Principal = byHeader }), tool)
	c := &older{t: t, url: url, version: v2025March, header: map[string]string{"Authorization": "ada"}}
	c.initialize(`{"elicitation":{}}`)
	got := c.post(`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","_meta":{"progressToken":1}}}]`)
	if want := `[{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[\"2025-03-26\",\"ada\",false]"}]}}]`; got.body != want {
		t.Errorf("got  %s\nwant %s", got.body, want)
	}
}

// byHeader takes the caller from Authorization, as a middleware would.
func byHeader(_ context.Context, h core.Header) (core.Principal, error) {
	if h.Get("Authorization") == "" {
		return core.Principal{}, errors.New("no token")
	}
	return core.Principal{Issuer: "https://issuer.example", Subject: h.Get("Authorization")}, nil
}
