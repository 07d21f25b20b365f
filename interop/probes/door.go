package probes

import (
	"fmt"
	"net"
	"strings"
)

// doorProbes are about who may come in, and with what.
var doorProbes = []Probe{
	{
		Row: "T1", Short: "Origin, Host", Title: "foreign Origin and rebound Host are refused", run: probeOrigin,
		Why: "basic/transports: Origin is validated on every connection, and what is present and not allowed gets 403",
	},
	{
		Row: "T2", Short: "body size", Title: "a body of 16 MiB is refused with 413", run: probeSize,
		Why: "safety: one request must not cost unbounded memory",
	},
	{
		Row: "T23", Short: "GET, DELETE", Title: "GET and DELETE get 405 with Allow", run: probeVerbs,
		Why: "basic/transports: the endpoint answers POST only; RFC 9110, 15.5.6: 405 has Allow",
	},
	{
		Row: "T24", Short: "exact path", Title: "nothing but the path itself is served", run: probePath,
		Why: "safety: what stands in front protects a path, and must know which",
	},
}

func probeOrigin(t *trial) {
	_, port, _ := net.SplitHostPort(t.ask("", "").host)
	for _, c := range []struct {
		sent, origin, host string
	}{
		{"`Origin: http://evil.example`", "http://evil.example", ""},
		{"`Origin: null`", "null", ""},
		{"`Host: evil.example` on a loopback connection", "", "evil.example"},
		{"`Origin` and `Host` both evil.example, as after DNS rebinding", "http://evil.example:" + port, "evil.example:" + port},
	} {
		r := t.echo("inside")
		if c.origin != "" {
			r.add("Origin", c.origin)
		}
		if c.host != "" {
			r.host = c.host
		}
		got := t.send(r)
		t.expect(got.status == 403 && !got.has("inside"), c.sent, got)
	}
	got := t.send(t.echo("inside").add("Host", "evil.example"))
	t.expect(got.status >= 400, "two `Host` fields", got)
}

func probeSize(t *trial) {
	r := t.call("probe_echo", `{"text":"`+strings.Repeat("a", 16<<20)+`"}`)
	got := t.send(r)
	t.expect(got.status == 413, "16 MiB of arguments", got)
	t.note(got.code() != 0, "the same: the refusal is JSON-RPC", got)

	body := r.body()
	head, _, _ := strings.Cut(r.bytes(), "Content-Length:")
	got = t.sendBytes(fmt.Sprintf("%sTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(body), body))
	t.expect(got.status == 413, "the same without an announced length", got)
}

func probeVerbs(t *trial) {
	for _, verb := range []string{"GET", "DELETE", "PUT", "HEAD"} {
		r := t.ask("server/discover", "")
		r.verb = verb
		r.set("Accept", "text/event-stream")
		got := t.send(r)
		allow := got.header.Get("Allow")
		evidence := words(fmt.Sprintf("%s, Allow: %q", got, allow))
		if ok := got.status == 405 && strings.Contains(allow, "POST"); verb == "GET" || verb == "DELETE" {
			t.expect(ok, "`"+verb+"`", evidence)
		} else {
			t.note(ok, "`"+verb+"`", evidence)
		}
	}
}

func probePath(t *trial) {
	for _, suffix := range []string{"foo", "/foo", "%2ffoo"} {
		r := t.echo("inside")
		r.path += suffix
		got := t.send(r)
		t.expect(!got.has("inside"), "`POST "+r.path+"`", got)
	}
}
