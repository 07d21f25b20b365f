package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server"
)

// What initialize answers: the client's version if it is served, else the
// newest older one; no member of the modern era.
func TestInitialize(t *testing.T) {
	const params = `,"capabilities":{},"clientInfo":{"name":"probe","version":"1.0.0"}`
	for name, tc := range map[string]struct {
		versions []string
		params   string
		want     string // version, or text of an error
	}{
		"newest":          {nil, `"protocolVersion":"2025-11-25"` + params, v2025Nov},
		"middle":          {nil, `"protocolVersion":"2025-06-18"` + params, v2025June},
		"oldest":          {nil, `"protocolVersion":"2025-03-26"` + params, v2025March},
		"older than all":  {nil, `"protocolVersion":"2024-11-05"` + params, v2025Nov},
		"newer":           {nil, `"protocolVersion":"2026-07-28"` + params, v2025Nov},
		"no date":         {nil, `"protocolVersion":"draft"` + params, v2025Nov},
		"not served here": {[]string{v2025March, v2025June}, `"protocolVersion":"2025-11-25"` + params, v2025June},
		"one served":      {[]string{v2025March}, `"protocolVersion":"2025-06-18"` + params, v2025March},
		"version alone":   {nil, `"protocolVersion":"2025-11-25"`, v2025Nov},
		"null members":    {nil, `"protocolVersion":"2025-11-25","capabilities":null,"clientInfo":null`, v2025Nov},

		"no version":          {nil, params[1:], badInitialize},
		"no params":           {nil, ``, badInitialize},
		"version 5":           {nil, `"protocolVersion":5` + params, badInitialize},
		"version null":        {nil, `"protocolVersion":null` + params, badInitialize},
		"capabilities a list": {nil, `"protocolVersion":"2025-11-25","capabilities":[]`, badInitialize},
		"clientInfo a string": {nil, `"protocolVersion":"2025-11-25","clientInfo":"x"`, badInitialize},
		"_meta a list":        {nil, `"protocolVersion":"2025-11-25","_meta":[]`, "Invalid params: _meta must be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			for mode, sessions := range map[string]bool{"stateless": false, "sessions": true} {
				t.Run(mode, func(t *testing.T) {
					srv := newServer(t, func(c *server.Config) {
						c.Legacy.Sessions, c.Legacy.Versions, c.Instructions = sessions, tc.versions, "Be kind."
					}, documents()...)
					c := &older{t: t, url: serve(t, &bridge{srv: srv})}
					got := c.tell("initialize", tc.params)
					id := got.header.Get("Mcp-Session-Id")
					if !strings.HasPrefix(tc.want, "20") {
						if notRefused(tc.want, got) || id != "" {
							t.Errorf("got %d %s, session %q", got.status, got.body, id)
						}
						return
					}
					capabilities := `{"logging":{},"tools":{},"resources":{}}`
					if sessions {
						capabilities = `{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}}`
					}
					want := `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + tc.want + `","capabilities":` + capabilities +
						`,"serverInfo":{"name":"test","version":"1.2.3"},"instructions":"Be kind."}}`
					if got.status != 200 || !sameJSON(t, got.body, want) {
						t.Errorf("got %d %s\nwant %s", got.status, got.body, want)
					}
					if sessions != regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(id) {
						t.Errorf("session %q", id)
					}
				})
			}
		})
	}
}

const badInitialize = "Invalid params: initialize needs a string protocolVersion, and objects capabilities and clientInfo"

// notRefused reports whether got is anything but a refusal of params with
// this text, at the status that older clients read.
func notRefused(text string, got told) bool {
	return got.status != 200 || got.code() != -32602 || got.message() != text
}

// The answer to initialize has the form that is accepted, and its session id
// in both.
func TestInitializeForms(t *testing.T) {
	url := start(t, withSessions(), echoTool)
	params := `"protocolVersion":"2025-11-25","capabilities":{}`
	for accept, want := range map[string]string{
		"application/json": "application/json", "text/event-stream": "text/event-stream", "*/*": "application/json", "-": "application/json",
	} {
		c := (&older{t: t, url: url}).with("Accept", accept)
		got := c.tell("initialize", params)
		if got.header.Get("Content-Type") != want || got.header.Get("Mcp-Session-Id") == "" || got.result()["protocolVersion"] != v2025Nov {
			t.Errorf("%s: %v %s", accept, got.header, got.body)
		}
		c.session = got.header.Get("Mcp-Session-Id")
		if got := c.tell("ping", ""); got.body != `{"jsonrpc":"2.0","id":1,"result":{}}` {
			t.Errorf("%s: ping in the session: %s", accept, got.body)
		}
	}
	got := (&older{t: t, url: url}).with("Accept", "text/html").tell("initialize", params)
	refused{406, -32600, "Accept must allow application/json or text/event-stream"}.check(t, got, "1")
}

// What all requests must pass, the older ones must pass as well, with the same
// answers.
func TestOlderRefusals(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	for mode, sessions := range map[string]bool{"stateless": false, "sessions": true} {
		t.Run(mode, func(t *testing.T) {
			url := start(t, func(c *server.Config) { c.Legacy.Sessions, c.MaxBody = sessions, 4096 }, echoTool)
			c := &older{t: t, url: url, version: v2025June}
			if sessions {
				c = joined(t, url, v2025June, "")
			}
			for name, tc := range map[string]struct {
				header, value, body string
				id                  string
				want                refused
			}{
				"T1: foreign Origin":  {"Origin", "https://evil.example", list, "", refused{403, -32600, "This Origin is not allowed"}},
				"T1: Origin null":     {"Origin", "null", list, "", refused{403, -32600, "This Origin is not allowed"}},
				"T1: rebinding":       {"Host", "evil.example", list, "", refused{403, -32600, "This Host is not allowed"}},
				"Content-Type":        {"Content-Type", "text/plain", list, "", refused{415, -32600, "Content-Type must be application/json"}},
				"Content-Encoding":    {"Content-Encoding", "gzip", list, "", refused{415, -32600, "Content-Encoding must be identity"}},
				"T2: size":            {"X-A", "b", list + strings.Repeat(" ", 4097), "", refused{413, -32600, "The request body is too large"}},
				"T6: trailing bytes":  {"X-A", "b", list + "x", "7", refused{400, -32700, "Parse error: there are bytes after the message"}},
				"T4: repeated member": {"X-A", "b", `{"jsonrpc":"2.0","id":7,"id":8}`, "", refused{400, -32700, "Parse error: a member name is repeated"}},
				"T3: fractional id":   {"X-A", "b", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "", refused{400, -32600, "Invalid request: id must be a string or an integer"}},
				"no JSON":             {"X-A", "b", `{`, "", refused{400, -32700, "Parse error: the body is not valid JSON"}},
				"Accept":              {"Accept", "text/html", list, "7", refused{406, -32600, "Accept must allow application/json or text/event-stream"}},
				"T7: version":         {"MCP-Protocol-Version", "2024-11-05", list, "7", refused{400, -32022, "Unsupported protocol version"}},
				"T10: version bytes":  {"MCP-Protocol-Version", "2025-06-18\xe4", list, "7", refused{400, -32020, "Header Mcp-Protocol-Version has bytes outside printable ASCII"}},
				"session bytes":       {"Mcp-Session-Id", "a\xe4", list, "7", refused{400, -32600, "Header Mcp-Session-Id has bytes outside printable ASCII"}},
			} {
				t.Run(name, func(t *testing.T) {
					d := c.with(tc.header, tc.value)
					d.t = t
					tc.want.check(t, d.post(tc.body), tc.id)
				})
			}
			for _, verb := range []string{http.MethodPut, http.MethodOptions, http.MethodPatch} {
				got := c.do(verb, "", list).end()
				allow, text := "POST", "Only POST is allowed here"
				if sessions {
					allow, text = "POST, GET, DELETE", "Only POST, GET and DELETE are allowed here"
				}
				refused{405, -32600, text}.check(t, got, "")
				if got.header.Get("Allow") != allow {
					t.Errorf("%s: Allow %q", verb, got.header.Get("Allow"))
				}
			}
		})
	}
}

// With Off nothing of the older revisions is looked at.
func TestOffIgnoresSessions(t *testing.T) {
	c := (&older{t: t, url: start(t, modernOnly, echoTool), version: v2025June}).with("Mcp-Session-Id", "a\xe4")
	refused{400, -32022, "Unsupported protocol version"}.check(t, c.tell("tools/list", ""), "1")
}
