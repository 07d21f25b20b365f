package probes

import (
	"encoding/json"
	"fmt"
	"strings"
)

// sessionProbes are about clients of older revisions.
var sessionProbes = []Probe{
	{
		Row: "T33", Short: "two eras, one URL", Title: "both eras on one URL; an ended session is 404", Setup: Sessions, run: probeEras,
		Why: "2025-11-25, basic/transports: a session that was terminated answers 404",
	},
	{
		Row: "M19", Short: "asking older clients", Title: "older clients are asked by requests, as often as it takes", Setup: Sessions, run: probeBridge,
		Why: "2025-11-25, client/elicitation: the server asks with elicitation/create on the stream of the call",
	},
}

// initialize begins a session, and returns its id.
func (t *trial) initialize(caps string) (string, *reply) {
	r := t.send(t.older("initialize", fmt.Sprintf(`"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"probe","version":"1"}`, legacy, caps)).drop("MCP-Protocol-Version"))
	id := r.header.Get("Mcp-Session-Id")
	done := t.older("notifications/initialized").withID("")
	if id != "" {
		done.set("Mcp-Session-Id", id)
	}
	t.send(done)
	return id, r
}

func probeEras(t *trial) {
	got := t.send(t.echo("modern"))
	t.expect(got.has("modern"), "a call of 2026-07-28", got)
	id, got := t.initialize(`{}`)
	t.expect(strings.Contains(got.body, `"protocolVersion":"`+legacy+`"`) && id != "", "`initialize` of 2025-11-25", words(fmt.Sprintf("session id: %v, %s", id != "", got)))
	call := func() *reply {
		return t.send(t.older("tools/call", `"name":"probe_echo","arguments":{"text":"older"}`).set("Mcp-Session-Id", id))
	}
	got = call()
	t.expect(got.has("older"), "a call in that session", got)
	end := t.older("").set("Mcp-Session-Id", id)
	end.verb = "DELETE"
	got = t.send(end)
	t.expect(got.status/100 == 2, "`DELETE` of it", got)
	got = call()
	t.expect(got.status == 404, "a call in the session that was ended", got)
	id = "00000000-0000-0000-0000-000000000000"
	got = call()
	t.expect(got.status == 404, "a call in a session that never was", got)
}

func probeBridge(t *trial) {
	id, _ := t.initialize(`{"elicitation":{}}`)
	for _, c := range []struct {
		tool, want string
		answers    []string
	}{
		{"probe_ask", "accepted Ada", []string{`{"action":"accept","content":{"name":"Ada"}}`}},
		{"probe_chain", "all three", []string{`{"action":"accept","content":{"ok":true}}`, `{"action":"accept","content":{"ok":true}}`, `{"action":"accept","content":{"ok":true}}`}},
	} {
		s := t.open(t.older("tools/call", fmt.Sprintf(`"name":%q,"arguments":{}`, c.tool)).set("Mcp-Session-Id", id))
		asked := 0
		for {
			event, err := s.event(patience / 4)
			m, ok := parseEvent(event)
			if err != nil || (ok && m.Method == "") {
				break
			}
			if m.Method != "elicitation/create" || asked >= len(c.answers) {
				continue
			}
			reply := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, c.answers[asked])
			asked++
			t.send(t.older("").set("Mcp-Session-Id", id).withBody(reply))
		}
		got := s.rest()
		s.close()
		_, label := got.result()["resultType"]
		t.expect(asked == len(c.answers) && got.has(c.want) && !label,
			fmt.Sprintf("`%s`: questions to ask: %d", c.tool, len(c.answers)), words(fmt.Sprintf("questions asked: %d; %s", asked, finalOf(got))))
	}
}

// finalOf is the response of a stream with requests in it.
func finalOf(r *reply) string {
	m := r.answer()
	if m.Error != nil {
		text, _ := json.Marshal(m.Error) // it came as JSON
		return fmt.Sprintf("%d, error `%s`", r.status, text)
	}
	return fmt.Sprintf("%d, result `%s` %s", r.status, serverInfo.ReplaceAllString(string(m.Result), ""), errOr(r.err, ""))
}
