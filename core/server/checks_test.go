package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server"
)

// refused is what a refusal must look like: a status, a code and a fixed text.
type refused struct {
	status int
	code   int
	text   string
}

func (r refused) check(t *testing.T, a told, id string) {
	t.Helper()
	if a.status != r.status || a.code() != r.code || a.message() != r.text {
		t.Errorf("got %d, %s\nwant %d, %d %q", a.status, a.body, r.status, r.code, r.text)
	}
	if got := a.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("T8: Content-Type %q", got)
	}
	if want := `"id":` + id; id != "" && !strings.Contains(a.body, want) {
		t.Errorf("T8: the id is not echoed: %s, want %s", a.body, want)
	}
	if id == "" && strings.Contains(a.body, `"id"`) {
		t.Errorf("an id that could not be read: %s", a.body)
	}
}

// Every refusal is a JSON-RPC error with the id of the request (T8), in the
// order of the checks.
func TestRefusals(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{` + metaJSON + `}}`
	with := func(name, value string) map[string]string { return map[string]string{name: value} }
	body := func(s string) ask { return ask{method: "tools/list", body: s} }
	url := start(t, func(c *server.Config) { c.MaxBody, c.Legacy.Off = 4096, true }, echoTool)
	for name, tc := range map[string]struct {
		ask  ask
		id   string
		want refused
	}{
		// Before the era.
		"T1: foreign Origin": {
			ask{method: "tools/list", header: with("Origin", "https://evil.example")},
			"",
			refused{403, -32600, "This Origin is not allowed"},
		},
		"T1: Origin null": {
			ask{method: "tools/list", header: with("Origin", "null")},
			"",
			refused{403, -32600, "This Origin is not allowed"},
		},
		"T1: rebinding, Origin and Host agree": {
			ask{method: "tools/list", header: map[string]string{"Origin": "http://evil.example", "Host": "evil.example"}},
			"",
			refused{403, -32600, "This Host is not allowed"},
		},
		"T1: before the HTTP method": {
			ask{method: "tools/list", verb: http.MethodPut, header: with("Origin", "https://evil.example")},
			"",
			refused{403, -32600, "This Origin is not allowed"},
		},
		"GET": {ask{method: "tools/list", verb: http.MethodGet}, "", refused{405, -32600, "Only POST is allowed here"}},
		"DELETE before Content-Type": {
			ask{method: "tools/list", verb: http.MethodDelete, header: with("Content-Type", "text/plain")},
			"",
			refused{405, -32600, "Only POST is allowed here"},
		},
		"OPTIONS": {ask{method: "tools/list", verb: http.MethodOptions}, "", refused{405, -32600, "Only POST is allowed here"}},
		"no Content-Type": {
			ask{method: "tools/list", header: with("Content-Type", "-")},
			"",
			refused{415, -32600, "Content-Type must be application/json"},
		},
		"Content-Type before size": {
			ask{method: "tools/list", body: strings.Repeat(" ", 5000), header: with("Content-Type", "text/plain")},
			"",
			refused{415, -32600, "Content-Type must be application/json"},
		},
		"Content-Encoding": {
			ask{method: "tools/list", header: with("Content-Encoding", "gzip")},
			"",
			refused{415, -32600, "Content-Encoding must be identity"},
		},
		"T2: too large": {
			body(good + strings.Repeat(" ", 4097-len(good))),
			"",
			refused{413, -32600, "The request body is too large"},
		},
		"T6: trailing bytes":     {body(good + "x"), "7", refused{400, -32700, "Parse error: there are bytes after the message"}},
		"T6: deep":               {body(strings.Repeat("[", 200) + strings.Repeat("]", 200)), "", refused{400, -32700, "Parse error: the body is nested too deeply"}},
		"T4: repeated member":    {body(`{"jsonrpc":"2.0","id":7,"id":8}`), "", refused{400, -32700, "Parse error: a member name is repeated"}},
		"T4: repeated in params": {body(`{"jsonrpc":"2.0","id":7,"method":"m","params":{"name":"safe","name":"admin"}}`), "7", refused{400, -32700, "Parse error: a member name is repeated"}},
		"no JSON":                {body(`{`), "", refused{400, -32700, "Parse error: the body is not valid JSON"}},
		"empty":                  {body(" "), "", refused{400, -32700, "Parse error: the body is empty"}},
		"batch":                  {body(`[` + good + `]`), "", refused{400, -32600, "Invalid request: batches are not supported"}},
		"a string":               {body(`"x"`), "", refused{400, -32600, "Invalid request: the message is not an object"}},
		"a response":             {body(`{"jsonrpc":"2.0","id":7,"result":{}}`), "7", refused{400, -32600, "Invalid request: this server asks nothing that could be answered"}},
		"T3: fractional id":      {body(`{"jsonrpc":"2.0","id":1.5,"method":"m"}`), "", refused{400, -32600, "Invalid request: id must be a string or an integer"}},
		"T3: null id":            {body(`{"jsonrpc":"2.0","id":null,"method":"m"}`), "", refused{400, -32600, "Invalid request: id must be a string or an integer"}},
		"T3: object id":          {body(`{"jsonrpc":"2.0","id":{},"method":"m"}`), "", refused{400, -32600, "Invalid request: id must be a string or an integer"}},

		// Which era, with only the modern one served.
		"neither version": {
			ask{method: "tools/list", body: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, header: with("MCP-Protocol-Version", "-")},
			"7",
			refused{400, -32020, "Header MCP-Protocol-Version is missing"},
		},
		"T7: older version": {
			ask{method: "tools/list", id: "7", body: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, header: with("MCP-Protocol-Version", "2025-11-25")},
			"7",
			refused{400, -32022, "Unsupported protocol version"},
		},
		"T7: initialize": {
			ask{method: "initialize", body: `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, header: with("MCP-Protocol-Version", "-")},
			"7",
			refused{400, -32022, "Unsupported protocol version: this server has no initialize, it speaks 2026-07-28"},
		},
		"session ids prove nothing": {
			ask{method: "tools/list", body: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, header: map[string]string{"MCP-Protocol-Version": "-", "Mcp-Session-Id": "x"}},
			"7",
			refused{400, -32020, "Header MCP-Protocol-Version is missing"},
		},

		// The modern checks, each with everything after it wrong as well.
		"version header absent": {
			ask{method: "tools/list", header: map[string]string{"MCP-Protocol-Version": "-", "Mcp-Method": "-", "Accept": "text/html"}},
			"1",
			refused{400, -32020, "Header MCP-Protocol-Version is missing"},
		},
		"T10: version header repeated": {
			ask{method: "tools/list", header: with("MCP-Protocol-Version", version+", "+version)},
			"1",
			refused{400, -32020, "Header MCP-Protocol-Version differs from the version in _meta"},
		},
		"no _meta": {
			ask{method: "server/discover", body: `{"jsonrpc":"2.0","id":101,"method":"server/discover"}`, header: with("Mcp-Method", "-")},
			"101",
			refused{400, -32602, "Invalid params: _meta is missing"},
		},
		"no version in _meta": {
			ask{method: "server/discover", meta: `"_meta":{}`, header: with("Mcp-Method", "-")},
			"1",
			refused{400, -32602, "Invalid params: _meta has no io.modelcontextprotocol/protocolVersion"},
		},
		"params are no object": {
			body(`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}`),
			"7",
			refused{400, -32602, "Invalid params: params must be an object"},
		},
		"T7: header and _meta differ": {
			ask{method: "x", meta: strings.Replace(metaJSON, version, "v999.0.0", 1), header: with("Mcp-Method", "-")},
			"1",
			refused{400, -32020, "Header MCP-Protocol-Version differs from the version in _meta"},
		},
		"an older header beside a modern _meta": {
			ask{method: "x", header: with("MCP-Protocol-Version", "2025-11-25")},
			"1",
			refused{400, -32020, "Header MCP-Protocol-Version differs from the version in _meta"},
		},
		"T7: unknown version": {
			ask{method: "x", meta: strings.Replace(metaJSON, version, "v999.0.0", 1), header: map[string]string{"Mcp-Method": "-", "MCP-Protocol-Version": "v999.0.0"}},
			"1",
			refused{400, -32022, "Unsupported protocol version"},
		},
		"T7: later version": {
			ask{method: "x", meta: strings.Replace(metaJSON, version, "2027-01-01", 1), header: with("MCP-Protocol-Version", "2027-01-01")},
			"1",
			refused{400, -32022, "Unsupported protocol version"},
		},
		"no capabilities": {
			ask{method: "tools/list", meta: `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, header: with("Mcp-Method", "-")},
			"1",
			refused{400, -32602, "Invalid params: _meta has no io.modelcontextprotocol/clientCapabilities"},
		},
		"unknown log level": {
			ask{method: "tools/list", meta: metaWith("{}", `"io.modelcontextprotocol/logLevel":"loud"`)},
			"1",
			refused{400, -32602, "Invalid params: _meta: io.modelcontextprotocol/logLevel is no log level"},
		},
		"no Mcp-Method": {
			ask{method: "unknown", header: with("Mcp-Method", "-")},
			"1",
			refused{400, -32020, "Header Mcp-Method is missing"},
		},
		"Mcp-Method of another case": {
			ask{method: "tools/list", header: with("Mcp-Method", "TOOLS/LIST")},
			"1",
			refused{400, -32020, "Header Mcp-Method differs from the method"},
		},
		"no Mcp-Name": {
			ask{method: "tools/call", params: `"name":"echo"`, header: with("Accept", "text/html")},
			"1",
			refused{400, -32020, "Header Mcp-Name is missing"},
		},
		"another Mcp-Name": {
			ask{method: "tools/call", params: `"name":"echo"`, name: "Echo"},
			"1",
			refused{400, -32020, "Header Mcp-Name differs from the name or URI in the params"},
		},
		"T9: broken base64": {
			ask{method: "tools/call", params: `"name":"echo"`, name: "=?base64?ZWNob?="},
			"1",
			refused{400, -32020, "Header Mcp-Name is not valid base64 of UTF-8"},
		},
		"unknown method": {
			ask{method: "unknown/method", header: with("Accept", "text/html")},
			"1",
			refused{404, -32601, "Method not found"},
		},
		"nobody completes":          {ask{method: "completion/complete"}, "1", refused{404, -32601, "Method not found"}},
		"capability not advertised": {ask{method: "prompts/list"}, "1", refused{404, -32601, "Method not found"}},
		"T11: Accept of neither": {
			ask{method: "tools/call", params: `"name":5`, name: "x", header: with("Accept", "text/html")},
			"1",
			refused{406, -32600, "Accept must allow application/json or text/event-stream"},
		},
		"listen without a stream": {
			ask{method: "subscriptions/listen", params: `"notifications":{}`, header: with("Accept", "application/json")},
			"1",
			refused{406, -32600, "Accept must allow text/event-stream"},
		},
		"no name":            {ask{method: "tools/call"}, "1", refused{400, -32602, "Invalid params: name must be a string"}},
		"name is a number":   {ask{method: "tools/call", params: `"name":5`, name: "5"}, "1", refused{400, -32602, "Invalid params: name must be a string"}},
		"arguments a list":   {call("nobody", `[]`), "1", refused{400, -32602, "Invalid params: arguments must be an object"}},
		"lone surrogate":     {call("echo", `{"text":"\ud800"}`), "1", refused{400, -32602, "Invalid params: a string holds a lone surrogate"}},
		"cursor a number":    {ask{method: "tools/list", params: `"cursor":5`}, "1", refused{400, -32602, "Invalid params: cursor must be a string"}},
		"filter missing":     {ask{method: "subscriptions/listen"}, "1", refused{400, -32602, "Invalid params: notifications must be an object of booleans and a list of URIs"}},
		"filter of null":     {ask{method: "subscriptions/listen", params: `"notifications":{"resourceSubscriptions":[null]}`}, "1", refused{400, -32602, "Invalid params: notifications must be an object of booleans and a list of URIs"}},
		"id of 1025 bytes":   {ask{method: "subscriptions/listen", id: `"` + strings.Repeat("a", 1023) + `"`, params: `"notifications":{}`}, `"aaa`, refused{400, -32600, "Invalid request: the id of a subscription is too long"}},
		"filter of a type":   {ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":"yes"}`}, "1", refused{400, -32602, "Invalid params: notifications must be an object of booleans and a list of URIs"}},
		"unknown tool":       {call("nobody", `{}`), "1", refused{200, -32602, "Unknown tool"}},
		"bad cursor":         {ask{method: "tools/list", params: `"cursor":"zzz"`}, "1", refused{200, -32602, "Unknown cursor"}},
		"T3: id beyond 2^53": {ask{method: "tools/list", id: "9007199254740993", params: `"cursor":"zzz"`}, "9007199254740993", refused{200, -32602, "Unknown cursor"}},
		"T3: id a string":    {ask{method: "tools/list", id: `"é"`, params: `"cursor":"zzz"`}, `"é"`, refused{200, -32602, "Unknown cursor"}},
		"T3: id empty":       {ask{method: "tools/list", id: `""`, params: `"cursor":"zzz"`}, `""`, refused{200, -32602, "Unknown cursor"}},
		"T3: id negative":    {ask{method: "tools/list", id: `-7`, params: `"cursor":"zzz"`}, `-7`, refused{200, -32602, "Unknown cursor"}},
	} {
		t.Run(name, func(t *testing.T) { tc.want.check(t, tell(t, url, tc.ask), tc.id) })
	}
}

func TestRemovedMethods(t *testing.T) {
	url := start(t, nil, echoTool)
	for _, method := range []string{"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"} {
		refused{404, -32601, "Method not found"}.check(t, tell(t, url, ask{method: method}), "1")
	}
}

// What a refusal says besides its body.
func TestAllowHeader(t *testing.T) {
	url := start(t, nil, echoTool)
	for _, verb := range []string{http.MethodGet, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		if got := tell(t, url, ask{method: "tools/list", verb: verb}); got.status != 405 || got.header.Get("Allow") != "POST" {
			t.Errorf("%s: %d, Allow %q", verb, got.status, got.header.Get("Allow"))
		}
	}
}

// T7: the data tells a client what it may try instead.
func TestUnsupportedVersionData(t *testing.T) {
	url := start(t, modernOnly, echoTool)
	for requested, a := range map[string]ask{
		"2025-06-18": {method: "tools/list", body: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, header: map[string]string{"MCP-Protocol-Version": "2025-06-18"}},
		"2024-11-05": {method: "initialize", body: `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`, header: map[string]string{"MCP-Protocol-Version": "-"}},
		"v999.0.0":   {method: "tools/list", meta: strings.Replace(metaJSON, version, "v999.0.0", 1), header: map[string]string{"MCP-Protocol-Version": "v999.0.0"}},
	} {
		got := tell(t, url, a)
		if want := fmt.Sprint(map[string]any{"requested": requested, "supported": []any{version}}); fmt.Sprint(got.data()) != want {
			t.Errorf("data %v, want %s", got.data(), want)
		}
	}
}

// T10: what arrives twice has no first and no last.
func TestRepeatedHeaders(t *testing.T) {
	url := start(t, nil, echoTool)
	for _, name := range []string{"Mcp-Method", "Mcp-Name", "MCP-Protocol-Version"} {
		req := call("echo", "").build(t, url)
		req.Header.Add(name, req.Header.Get(name))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		a := read(t, "tools/call", resp)
		resp.Body.Close()
		refused{400, -32020, "Header " + http.CanonicalHeaderKey(name) + " is repeated"}.check(t, a, "1")
	}
}

// The conformance runner's accepted spellings, T9 and T11 among them.
func TestAcceptedHeaders(t *testing.T) {
	url := start(t, nil, echoTool)
	for name, header := range map[string]map[string]string{
		"spaces around":              {"Mcp-Name": "  echo  "},
		"T9: base64":                 {"Mcp-Name": "=?base64?ZWNobw==?="},
		"T11: no Accept":             {"Accept": "-"},
		"T11: anything":              {"Accept": "*/*"},
		"T11: q-values":              {"Accept": "text/html, application/*;q=0.5"},
		"T11: Last-Event-ID":         {"Last-Event-ID": "3"},
		"session id":                 {"Mcp-Session-Id": "x"},
		"Content-Type with charset":  {"Content-Type": "Application/JSON; charset=utf-8"},
		"Content-Encoding identity":  {"Content-Encoding": "identity"},
		"T1: Origin of the loopback": {"Origin": "http://localhost:3000"},
		"undeclared Mcp-Param":       {"Mcp-Param-Region": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			a := call("echo", `{"text":"hi"}`)
			a.header = header
			if got := tell(t, url, a); got.status != 200 || got.text() != "hi" {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}

// T1: the lists, and a Host that stands behind a proxy.
func TestAllowedHostsAndOrigins(t *testing.T) {
	url := start(t, func(c *server.Config) {
		c.AllowedHosts, c.AllowedOrigins = []string{"mcp.example"}, []string{"https://app.example"}
	}, echoTool)
	for _, tc := range []struct {
		host, origin string
		status       int
	}{
		{"mcp.example", "", 200},
		{"mcp.example", "https://app.example", 200},
		{"mcp.example", "https://mcp.example", 200},
		{"mcp.example", "https://app.example:444", 403},
		{"evil.example", "", 403},
		{"localhost", "", 403},
	} {
		a := call("echo", "")
		a.header = map[string]string{"Host": tc.host}
		if tc.origin != "" {
			a.header["Origin"] = tc.origin
		}
		if got := tell(t, url, a); got.status != tc.status {
			t.Errorf("%+v: got %d %s", tc, got.status, got.body)
		}
	}
}
