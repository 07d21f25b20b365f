package server_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/wireschema"
)

// T33: one handler serves both eras; the first row of the table that matches
// decides which (wire.md of the protocol: which era).
func TestT33Routing(t *testing.T) {
	const (
		list       = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
		modernList = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + metaJSON + `}}`
		begin      = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`
		newerStart = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{` + metaJSON + `}}`
		batch      = `[` + list + `]`
		handshake  = "Unsupported protocol version: this server has no initialize, it speaks 2026-07-28"
		noSession  = "Header Mcp-Session-Id is missing"
	)
	type want struct {
		status, code int
		text         string // of an error; of a result "legacy" or "modern"
	}
	legacy, modern := want{200, 0, "legacy"}, want{200, 0, "modern"}
	version := want{400, -32022, "Unsupported protocol version"}
	missing := want{400, -32020, "Header MCP-Protocol-Version is missing"}
	unknown := want{404, -32600, "Session not found"}
	for name, tc := range map[string]struct {
		body, header, session    string // session "own": of this server's
		off, stateless, stateful want
	}{
		// 1: a modern version anywhere.
		"modern header and meta":     {modernList, version2026, "", modern, modern, modern},
		"modern, with a session":     {modernList, version2026, "own", modern, modern, modern},
		"modern, foreign session":    {modernList, version2026, "nobody", modern, modern, modern},
		"modern header, no meta":     {list, version2026, "", want{400, -32602, ""}, want{400, -32602, ""}, want{400, -32602, ""}},
		"modern meta, no header":     {modernList, "", "", missing, missing, missing},
		"modern meta, older header":  {modernList, v2025Nov, "own", want{400, -32020, ""}, want{400, -32020, ""}, want{400, -32020, ""}},
		"newer date":                 {strings.ReplaceAll(modernList, version2026, "2027-01-01"), "2027-01-01", "", version, version, version},
		"no date is modern":          {strings.ReplaceAll(modernList, version2026, "draft"), "draft", "", version, version, version},
		"empty is no date":           {list, " ", "own", want{400, -32602, ""}, want{400, -32602, ""}, want{400, -32602, ""}},
		"modern initialize":          {newerStart, version2026, "", want{404, -32601, "Method not found"}, want{404, -32601, "Method not found"}, want{404, -32601, "Method not found"}},
		"modern initialize, by meta": {newerStart, "", "", missing, missing, missing},

		// 2: initialize.
		"initialize":                 {begin, "", "", want{400, -32022, handshake}, legacy, legacy},
		"initialize, older header":   {begin, v2025Nov, "", want{400, -32022, handshake}, legacy, legacy},
		"initialize, unknown header": {begin, "2024-11-05", "", want{400, -32022, handshake}, legacy, legacy},
		"initialize, stale session":  {begin, v2025June, "nobody", want{400, -32022, handshake}, legacy, legacy},
		"initialize, own session":    {begin, "", "own", want{400, -32022, handshake}, legacy, legacy},

		// 3: a session id.
		"own session":               {list, v2025June, "own", version, unknown, legacy},
		"own session, no header":    {list, "", "own", missing, unknown, legacy},
		"own session, other older":  {list, v2025March, "own", version, unknown, legacy},
		"own session, unserved":     {list, "2024-11-05", "own", version, unknown, version},
		"unknown session":           {list, v2025June, "nobody", version, unknown, unknown},
		"unknown session, unserved": {list, "2024-11-05", "nobody", version, unknown, unknown},
		"unknown session, batch":    {batch, "", "nobody", missing, unknown, unknown},

		// 4: an older header.
		"older header":        {list, v2025Nov, "", version, legacy, want{400, -32600, noSession}},
		"oldest header":       {list, v2025March, "", version, legacy, want{400, -32600, noSession}},
		"unserved header":     {list, "2024-11-05", "", version, version, version},
		"last day before":     {list, "2026-07-27", "", version, version, version},
		"batch, older header": {batch, v2025Nov, "", version, want{400, -32600, "Invalid request: batches are not supported"}, want{400, -32600, noSession}},

		// 5: neither.
		"neither":        {list, "", "", missing, legacy, want{400, -32600, noSession}},
		"neither, batch": {batch, "", "", missing, want{200, 0, "batch"}, want{400, -32600, noSession}},
	} {
		t.Run(name, func(t *testing.T) {
			for mode, row := range map[string]want{"off": tc.off, "stateless": tc.stateless, "sessions": tc.stateful} {
				t.Run(mode, func(t *testing.T) {
					url := start(t, func(c *server.Config) {
						c.Legacy.Off, c.Legacy.Sessions = mode == "off", mode == "sessions"
					}, echoTool)
					c := &older{t: t, url: url, version: v2025June}
					if mode == "sessions" {
						c = joined(t, url, v2025June, "")
					} else if tc.session == "own" {
						c.session = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
					}
					if tc.session != "own" {
						c.session = tc.session
					}
					got := route(t, c, tc.header, tc.body)
					kind := "legacy"
					switch {
					case strings.HasPrefix(got.body, "["):
						kind = "batch"
					case got.result()["resultType"] != nil:
						kind = "modern"
					case got.result() == nil:
						kind = got.message()
					}
					if got.status != row.status || got.code() != row.code || row.text != "" && kind != row.text {
						t.Errorf("got %d %s, want %+v", got.status, got.body, row)
					}
					id := `"id":7`
					switch {
					case row == unknown:
						id = `"id":null`
					case tc.body == batch: // has none
						id = ""
					}
					if !strings.Contains(got.body, id) {
						t.Errorf("the id is not %s: %s", id, got.body)
					}
					if row.code == -32022 && len(got.data()["supported"].([]any)) == 0 {
						t.Errorf("no versions: %s", got.body)
					}
				})
			}
		})
	}
}

const version2026 = version

// route sends a body without holding the answer to one schema.
func route(t *testing.T, c *older, header, body string) told {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Method", "tools/list")
	if strings.Contains(body, "initialize") {
		req.Header.Set("Mcp-Method", "initialize")
	}
	if header != "" {
		req.Header.Set("MCP-Protocol-Version", strings.TrimSpace(header))
	}
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := told{status: resp.StatusCode, header: resp.Header, body: string(raw)}
	if raw[0] != '[' {
		got.take(t, got.body)
	}
	method, _, _ := strings.Cut(strings.SplitAfter(body, `"method":"`)[1], `"`)
	if got.result()["resultType"] != nil {
		wireschema.Validate(t, method, raw)
	} else {
		wireschema.ValidateLegacy(t, v2025March, method, raw)
	}
	return got
}
