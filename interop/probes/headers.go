package probes

import "encoding/base64"

// headerProbes are about the headers of the protocol.
var headerProbes = []Probe{
	{
		Row: "T9", Short: "encoded headers", Title: "encoded headers are decoded, then compared", run: probeEncoded,
		Why: "basic/transports: Mcp-Name and Mcp-Param-* may be base64 within a sentinel; an empty value is a value",
	},
	{
		Row: "T10", Short: "repeated headers", Title: "repeated or broken Mcp-* headers are refused", run: probeRepeated,
		Why: "the schema, HeaderMismatchError: headers that differ from the body, or are malformed, get 400; safety: two fields of one name are read in two ways",
	},
	{
		Row: "T11", Short: "lenient headers", Title: "wildcards in Accept and stray headers do no harm", run: probeAccept,
		Why: "RFC 9110, 12.5.1: */* and no Accept accept everything; basic/transports: Last-Event-ID and Mcp-Session-Id mean nothing now",
	},
}

func sentinel(value string) string {
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}

func probeEncoded(t *trial) {
	got := t.send(t.echo("ran").set("Mcp-Name", sentinel("probe_echo")))
	t.expect(got.has("ran"), "`Mcp-Name` in base64", got)
	got = t.send(t.echo("ran").set("Mcp-Name", sentinel("probe_admin")))
	t.expect(got.is(400, -32020), "`Mcp-Name` in base64, of another tool", got)
	got = t.send(t.echo("ran").set("Mcp-Name", "=?base64?%%%?="))
	t.expect(got.is(400, -32020), "`Mcp-Name: =?base64?%%%?=`", got)
	got = t.send(t.ask("resources/read", sentinel("probe://ask"), `"uri":"probe://ask"`).withCaps(formCaps))
	t.expect(!got.refused(), "`Mcp-Name` of a resource in base64", got)

	region := func(arguments, header string) *reply {
		r := t.call("probe_region", arguments)
		if header != "none" {
			r.add("Mcp-Param-Region", header)
		}
		return t.send(r)
	}
	got = region(`{"region":"münchen"}`, sentinel("münchen"))
	t.expect(got.has("region m"), "`Mcp-Param-Region` in base64", got)
	got = region(`{"region":""}`, "")
	t.expect(got.has("region "), "an empty argument and an empty `Mcp-Param-Region`", got)
	got = region(`{"region":"north"}`, sentinel("south"))
	t.expect(got.is(400, -32020), "`Mcp-Param-Region` in base64, another value", got)
	got = region(`{"region":"north"}`, "none")
	t.expect(got.is(400, -32020), "`Mcp-Param-Region` missing", got)
	got = region(`{}`, "north")
	t.expect(got.is(400, -32020), "`Mcp-Param-Region` without the argument", got)
}

func probeRepeated(t *trial) {
	for _, c := range []struct{ sent, name, first, second string }{
		{"`Mcp-Method` twice, the second wrong", "Mcp-Method", "tools/call", "tools/list"},
		{"`Mcp-Method` twice, the first wrong", "Mcp-Method", "tools/list", "tools/call"},
		{"`Mcp-Name` twice, the second wrong", "Mcp-Name", "probe_echo", "probe_admin"},
		{"`Mcp-Name` twice, the first wrong", "Mcp-Name", "probe_admin", "probe_echo"},
		{"`MCP-Protocol-Version` twice, the second older", "MCP-Protocol-Version", modern, legacy},
		{"`MCP-Protocol-Version` twice, the first older", "MCP-Protocol-Version", legacy, modern},
	} {
		got := t.send(t.echo("ran").set(c.name, c.first).add(c.name, c.second))
		t.expect(got.status == 400 && !got.has("ran"), c.sent, got)
	}
	got := t.send(t.call("probe_region", `{"region":"north"}`).add("Mcp-Param-Region", "north").add("Mcp-Param-Region", "south"))
	t.expect(got.status == 400, "`Mcp-Param-Region` twice, the second wrong", got)
	for _, value := range []string{"probe_echo\x01", "probe\x00_echo"} {
		got := t.send(t.echo("ran").set("Mcp-Name", value))
		t.expect(got.status == 400, "a control character in `Mcp-Name`", got)
	}
}

func probeAccept(t *trial) {
	for _, accept := range []string{"*/*", "application/*, text/*", "application/json;q=0.9, text/event-stream;q=0.1"} {
		got := t.send(t.echo("ran").set("Accept", accept))
		t.expect(got.has("ran"), "`Accept: "+accept+"`", got)
	}
	got := t.send(t.echo("ran").add("Last-Event-ID", "5"))
	t.expect(got.has("ran"), "`Last-Event-ID: 5`", got)
	got = t.send(t.echo("ran").add("Mcp-Session-Id", "of-another-server"))
	t.expect(got.has("ran"), "`Mcp-Session-Id` of an older time", got)
	got = t.send(t.echo("ran").set("Content-Type", "Application/JSON; charset=utf-8"))
	t.expect(got.has("ran"), "`Content-Type: Application/JSON; charset=utf-8`", got)
	got = t.send(t.echo("ran").drop("Accept"))
	t.note(got.has("ran"), "no `Accept` (clients must send one)", got)
	for _, accept := range []string{"application/json", "text/event-stream"} {
		got := t.send(t.echo("ran").set("Accept", accept))
		t.note(got.has("ran"), "`Accept: "+accept+"` alone (clients must send both)", got)
	}
}
