package probes

import (
	"encoding/json"
	"slices"
	"strings"
)

// messageProbes are about JSON and JSON-RPC.
var messageProbes = []Probe{
	{
		Row: "T3", Short: "request ids", Title: "ids come back as they were; what is no id is refused", run: probeIDs,
		Why: "basic: an id is a string or integer, never null; the response carries the same",
	},
	{
		Row: "T4", Short: "member names", Title: "names match exactly, and once", run: probeNames,
		Why: "JSON-RPC 2.0: member names are case-sensitive; safety: what a gateway reads must be what runs",
	},
	{
		Row: "T5", Short: "large integers", Title: "integers above 2^53 stay exact", run: probeIntegers,
		Why: "the schema says integer; a rounded account number is another account's",
	},
	{
		Row: "T6", Short: "strict JSON", Title: "trailing bytes, bad UTF-8 and deep nesting are refused", run: probeJSON,
		Why: "JSON-RPC 2.0: −32700 for what is no JSON (RFC 8259: one value, UTF-8)",
	},
	{
		Row: "T7", Short: "unknown version", Title: "an unknown version is −32022 and names those served", run: probeVersion,
		Why: "the schema, RequestMetaObject: a server that does not support the requested version MUST return UnsupportedProtocolVersionError",
	},
	{
		Row: "T8", Short: "JSON-RPC refusals", Title: "refusals are JSON-RPC", run: probeRefusals,
		Why: "the schema, ParseError and InvalidRequestError; basic/transports: a client takes a 400 without a JSON-RPC error for a server of the older era",
	},
	{
		Row: "M8", Short: "opaque errors", Title: "errors tell nothing of the inside", run: probeTexts,
		Why: "safety: Go type names and parser texts help nobody but an attacker",
	},
}

func probeIDs(t *trial) {
	for _, id := range []string{`9007199254740993`, `-7`, `0`, `""`, `"a"`} {
		got := t.send(t.echo("same").withID(id))
		t.expect(got.has("same") && string(got.answer().ID) == id, "`\"id\":"+id+"`", got)
	}
	for _, id := range []string{`null`, `1.5`, `{}`, `[1]`, `true`} {
		got := t.send(t.echo("same").withID(id))
		t.expect(got.refused(), "`\"id\":"+id+"`", got)
	}
}

func probeNames(t *trial) {
	const admin = "the admin tool ran"
	run := func(sent, header, members string) {
		r := t.ask("tools/call", header, members+`,"arguments":{}`)
		got := t.send(r)
		t.expect(!got.has(admin), "`Mcp-Name: "+header+"`, `"+sent+"`", got)
	}
	for _, header := range []string{"probe_echo", "probe_admin"} {
		run(`{"name":"probe_echo","Name":"probe_admin"}`, header, `"name":"probe_echo","Name":"probe_admin"`)
		run(`{"name":"probe_echo","name":"probe_admin"}`, header, `"name":"probe_echo","name":"probe_admin"`)
	}
	run(`{"name\u0000":"probe_admin"}`, "probe_admin", `"name\u0000":"probe_admin"`)
	run(`{"NAME":"probe_admin"}`, "probe_admin", `"NAME":"probe_admin"`)

	got := t.send(t.call("probe_echo", `{"text":"first","Text":"second"}`))
	t.expect(!got.has("second"), "arguments `{\"text\":\"first\",\"Text\":\"second\"}`", got)
	got = t.send(t.call("probe_echo", `{"text":"first","text":"second"}`))
	t.expect(!got.has("second"), "arguments `{\"text\":\"first\",\"text\":\"second\"}`", got)
	body := t.echo("x").body()
	got = t.send(t.echo("x").withBody(strings.Replace(body, `"method":"tools/call"`, `"method":"tools/list","method":"tools/call"`, 1)))
	t.expect(!got.has("x"), "`\"method\":\"tools/list\",\"method\":\"tools/call\"`", got)
	got = t.send(t.echo("x").withBody(strings.Replace(body, `"method"`, `"Method"`, 1)))
	t.expect(!got.has("x"), "`\"Method\":\"tools/call\"`", got)
}

func probeIntegers(t *trial) {
	for _, n := range []string{"9007199254740993", "9223372036854775807", "-9007199254740993"} {
		got := t.send(t.call("probe_echo", `{"text":"n","n":`+n+`}`))
		var structured struct {
			N json.RawMessage `json:"n"`
		}
		_ = json.Unmarshal(got.result()["structuredContent"], &structured) // then N is empty
		t.expect(string(structured.N) == n, "`\"n\":"+n+"`, echoed as structured content", got)
	}
}

func probeJSON(t *trial) {
	body := t.echo("ran").body()
	deep := strings.Repeat(`[`, 200_000) + strings.Repeat(`]`, 200_000)
	for _, c := range []struct{ sent, body string }{
		{"a letter behind the message", body + "x"},
		{"a second message behind the first", body + body},
		{"a byte 0xFF within a string", strings.Replace(body, "ran", "ran\xff", 1)},
		{"an array 200 000 deep in the arguments", strings.Replace(body, `"text":"ran"`, `"text":"ran","more":`+deep, 1)},
	} {
		got := t.send(t.echo("ran").withBody(c.body))
		t.expect(got.refused(), c.sent, got)
	}
	got := t.send(t.echo("alive"))
	t.expect(got.has("alive"), "a good call afterwards", got)
}

func probeVersion(t *trial) {
	for _, version := range []string{"2099-01-01", "1900-01-01", "latest"} {
		r := t.echo("ran").set("MCP-Protocol-Version", version)
		r.version = version
		got := t.send(r)
		var data struct {
			Supported []string `json:"supported"`
			Requested string   `json:"requested"`
		}
		if e := got.answer().Error; e != nil {
			_ = json.Unmarshal(e.Data, &data) // then they are empty
		}
		ok := got.is(400, -32022) && slices.Contains(data.Supported, modern) && data.Requested == version
		t.expect(ok, "version `"+version+"` in header and `_meta`", got)
	}
}

func probeRefusals(t *trial) {
	body := t.echo("x").body()
	noMeta := t.echo("x")
	noMeta.version = ""
	for _, c := range []struct {
		sent string
		r    *request
		ok   func(*reply) bool
	}{
		{"no JSON", t.echo("x").withBody("hello"), func(r *reply) bool { return r.is(400, -32700) }},
		{"an empty body", t.echo("x").withBody(""), func(r *reply) bool { return r.is(400, -32700) }},
		{"a batch", t.echo("x").withBody("[" + body + "]"), func(r *reply) bool { return r.status == 400 && r.code() != 0 }},
		{"JSON that is no message", t.echo("x").withBody("{}"), func(r *reply) bool { return r.status == 400 && r.code() != 0 }},
		{"no `_meta`", noMeta, func(r *reply) bool { return r.is(400, -32602) }},
		{"no version header", t.echo("x").drop("MCP-Protocol-Version"), func(r *reply) bool { return r.is(400, -32020) }},
		{"`Mcp-Method: tools/list` on a call", t.echo("x").set("Mcp-Method", "tools/list"), func(r *reply) bool { return r.is(400, -32020) }},
		{"an unknown method", t.ask("no/such", ""), func(r *reply) bool { return r.is(404, -32601) }},
		{"`ping`, which 2026-07-28 removed", t.ask("ping", ""), func(r *reply) bool { return r.is(404, -32601) }},
	} {
		got := t.send(c.r)
		t.expect(c.ok(got), c.sent, got)
	}
	for _, c := range []struct {
		sent string
		r    *request
	}{
		{"`Content-Type: text/plain`", t.echo("x").set("Content-Type", "text/plain")},
		{"`Accept: text/html`", t.echo("x").set("Accept", "text/html")},
	} {
		got := t.send(c.r)
		t.note(got.status >= 400 && got.code() != 0, c.sent, got)
	}
}

func probeTexts(t *trial) {
	for _, c := range []struct {
		sent string
		r    *request
	}{
		{"`\"name\":5`", t.ask("tools/call", "probe_echo", `"name":5`)},
		{"`\"arguments\":[1]`", t.call("probe_echo", `[1]`)},
		{"`\"arguments\":{\"text\":5}`", t.call("probe_echo", `{"text":5}`)},
		{"`\"inputResponses\":[]`", t.call("probe_ask", `{}`).withParams(`"inputResponses":[1]`)},
		{"`\"requestState\":5`", t.call("probe_ask", `{}`).withParams(`"requestState":5`)},
		{"an answer that is a number", t.call("probe_ask", `{}`).withCaps(formCaps).withParams(`"inputResponses":{"who":5}`)},
		{"`\"params\":[]`", t.echo("x").withBody(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`)},
	} {
		got := t.send(c.r)
		t.expect(got.status != 0 && !leaks(got.body), c.sent, got)
	}
}

// leaks reports whether a text names what only the source of the server does.
func leaks(text string) bool {
	for _, word := range []string{"Go struct", "Go value", "Go type", "unmarshal", "map[string]", "interface {}", "mcp.", ".go:", "goroutine "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
