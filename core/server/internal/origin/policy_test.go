package origin_test

import (
	"net"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/origin"
)

const (
	loopback = true // where the connection came to
	lan      = false
)

func policy(t *testing.T, origins, hosts []string) *origin.Policy {
	t.Helper()
	p, err := origin.New(origins, hosts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// request is what a policy sees of one.
type request struct {
	host   string
	origin []string
	local  bool
}

// T1: each attack, refused, stands beside the nearest request that is fine.
func TestRebinding(t *testing.T) {
	from := func(origins ...string) []string { return origins }
	for name, tc := range map[string]struct {
		origins, hosts []string
		attack         request
		verdict        origin.Verdict
		control        request
	}{
		"name rebound to loopback": {
			attack:  request{"evil.example:8080", from("http://evil.example:8080"), loopback},
			verdict: origin.HostNotLoopback,
			control: request{"localhost:8080", from("http://localhost:8080"), loopback},
		},
		"the same, no Origin header": {
			attack:  request{"evil.example:8080", nil, loopback},
			verdict: origin.HostNotLoopback,
			control: request{"localhost:8080", nil, loopback},
		},
		"name rebound to the LAN": {
			attack:  request{"evil.example:8080", from("http://evil.example:8080"), lan},
			verdict: origin.OriginOfUntrustedHost,
			control: request{"192.168.1.5:8080", from("http://192.168.1.5:8080"), lan},
		},
		"name rebound to the LAN, hosts listed": {
			hosts:   []string{"mcp.example"},
			attack:  request{"evil.example:8080", from("http://evil.example:8080"), lan},
			verdict: origin.HostNotAllowed,
			control: request{"mcp.example", from("https://mcp.example"), lan},
		},
		"plain cross-site request": {
			attack:  request{"localhost:8080", from("https://evil.example"), loopback},
			verdict: origin.OriginNotAllowed,
			control: request{"localhost:8080", from("http://localhost:3000"), loopback},
		},
		"cross-site, origins listed": {
			origins: []string{"https://app.example"}, hosts: []string{"mcp.example"},
			attack:  request{"mcp.example", from("https://evil.example"), lan},
			verdict: origin.OriginNotAllowed,
			control: request{"mcp.example", from("https://app.example"), lan},
		},
		"proxy on this machine, no list": {
			attack:  request{"mcp.example", nil, loopback},
			verdict: origin.HostNotLoopback,
			control: request{"127.0.0.1:8080", nil, loopback},
		},
		"rebound through the proxy on this machine": {
			hosts:   []string{"mcp.example"},
			attack:  request{"evil.example", from("https://evil.example"), loopback},
			verdict: origin.HostNotAllowed,
			control: request{"mcp.example", from("https://mcp.example"), loopback},
		},
		"sandboxed page": {
			origins: []string{"https://app.example"},
			attack:  request{"localhost:8080", from("null"), loopback},
			verdict: origin.OriginNull,
			control: request{"localhost:8080", from("https://app.example"), loopback},
		},
		"a second Origin header": {
			attack:  request{"localhost:8080", from("http://localhost:8080", "https://evil.example"), loopback},
			verdict: origin.OriginRepeated,
			control: request{"localhost:8080", from("http://localhost:8080"), loopback},
		},
		"0.0.0.0 as a way around loopback": {
			attack:  request{"0.0.0.0:8080", from("http://evil.example"), loopback},
			verdict: origin.HostNotLoopback,
			control: request{"127.0.0.1:8080", nil, loopback},
		},
		"IP literal of somebody else": {
			attack:  request{"192.168.1.5:8080", from("http://192.168.1.66:8080"), lan},
			verdict: origin.OriginNotAllowed,
			control: request{"192.168.1.5:8080", from("http://192.168.1.5:8080"), lan},
		},
		"another port of the same public host": {
			hosts:   []string{"mcp.example"},
			attack:  request{"mcp.example", from("https://mcp.example:8443"), lan},
			verdict: origin.OriginNotAllowed,
			control: request{"mcp.example:8443", from("https://mcp.example:8443"), lan},
		},
		"loopback page against a public host": {
			hosts:   []string{"mcp.example"},
			attack:  request{"mcp.example", from("http://localhost:3000"), lan},
			verdict: origin.OriginNotAllowed,
			control: request{"mcp.example", from("https://mcp.example"), lan},
		},
		"subdomain of localhost": {
			attack:  request{"evil.localhost:8080", from("http://evil.localhost:8080"), loopback},
			verdict: origin.HostNotLoopback,
			control: request{"LocalHost:8080", from("http://localhost:8080"), loopback},
		},
		"name that starts like loopback": {
			attack:  request{"localhost:8080", from("http://127.0.0.1.evil.example"), loopback},
			verdict: origin.OriginNotAllowed,
			control: request{"localhost:8080", from("http://127.0.0.1"), loopback},
		},
		"name that starts like a listed origin": {
			origins: []string{"https://app.example"},
			attack:  request{"localhost", from("https://app.example.evil.example"), loopback},
			verdict: origin.OriginNotAllowed,
			control: request{"localhost", from("https://app.example"), loopback},
		},
		"another scheme of a listed origin": {
			origins: []string{"https://app.example"},
			attack:  request{"localhost", from("http://app.example"), loopback},
			verdict: origin.OriginNotAllowed,
			control: request{"localhost", from("https://app.example"), loopback},
		},
		"app page that calls itself localhost": {
			attack:  request{"localhost:8080", from("capacitor://localhost"), loopback},
			verdict: origin.OriginNotAllowed,
			control: request{"localhost:8080", from("https://localhost"), loopback},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := policy(t, tc.origins, tc.hosts)
			if got := p.Check(tc.attack.host, tc.attack.origin, tc.attack.local); got != tc.verdict {
				t.Errorf("attack: %s, want %s", got.Reason(), tc.verdict.Reason())
			}
			if got := p.Check(tc.control.host, tc.control.origin, tc.control.local); !got.Allowed() {
				t.Errorf("control: %s", got.Reason())
			}
		})
	}
}

// T1: what is no plain Host or Origin never passes for a trusted one.
func TestSpellings(t *testing.T) {
	hosts := map[string]bool{ // against a loopback address without a list
		"localhost": true, "localhost:8080": true, "LOCALHOST": true, "127.0.0.1": true, "127.0.0.1:1": true,
		"127.255.255.254": true, "[::1]": true, "[::1]:8080": true, "[0:0:0:0:0:0:0:1]:8080": true, "[::ffff:127.0.0.1]": true,

		"": false, ":8080": false, "localhost.": false, "localhost:": false, "localhost:080": false, "localhost:65536": false,
		"localhost:8080:8080": false, "localhost:http": false, "localhost:-1": false, "localhost ": false, " localhost": false,
		"localhost@evil.example": false, "evil.example@localhost": false, "user:pass@localhost": false,
		"localhost/": false, "localhost#": false, "localhost?": false, "localhost\\": false, "evil.example#localhost": false,
		"localhost\x00": false, "localhost\t": false, "localhost,evil.example": false, "localhost%00": false,
		"localhoſt": false, "lo\u212aalhost": false, "ｌocalhost": false,
		"127.0.0.1.": false, "127.1": false, "127.0.1": false, "0127.0.0.1": false, "2130706433": false, "0x7f.0.0.1": false, "0x7f000001": false,
		"::1": false, "[::1": false, "::1]": false, "[::1]x": false, "[::1]:": false, "[::1%lo]": false, "[::1%25lo]:8080": false,
		"[127.0.0.1]": false, "[localhost]": false, "[]": false, "[::2]": false, "0.0.0.0": false, "[::]": false,
		"128.0.0.1": false, "192.168.1.5": false, "evil.example": false, "localhost.evil.example": false, "xlocalhost": false,
	}
	p := policy(t, nil, nil)
	for host, want := range hosts {
		if got := p.Check(host, nil, loopback); got.Allowed() != want {
			t.Errorf("Host %q: %s", host, got.Reason())
		}
	}
	origins := map[string]bool{ // against Host localhost
		"http://localhost": true, "https://localhost:3000": true, "http://127.0.0.1:5173": true, "http://[::1]:3000": true,
		"HTTP://LOCALHOST": true,

		"": false, "null": false, "NULL": false, "localhost": false, "http:localhost": false, "http:/localhost": false, "//localhost": false,
		"://localhost": false, "http://": false, "file://": false, "http://localhost/": false, "http://localhost/x": false, "http://localhost?": false,
		"http://user@localhost": false, "http://localhost@evil.example": false, "http://localhost:80@evil.example": false,
		"http://evil.example#@localhost": false, "http://evil.example\\@localhost": false, "http://localhost http://evil.example": false,
		"http://localhost,http://evil.example": false, "http://localhost.": false, "http://localhost:": false, "http://localhost:99999": false,
		" http://localhost": false, "http://localhost\n": false, "http://evil.example": false, "http://[::1%25lo]": false, "http://::1": false,
		"ht tp://localhost": false, "1http://localhost": false, "ws://localhost": false, "chrome-extension://localhost": false, "file://localhost": false,
		"http://localhoſt": false, "http://127.1": false,
	}
	for o, want := range origins {
		if got := p.Check("localhost:8080", []string{o}, loopback); got.Allowed() != want {
			t.Errorf("Origin %q: %s", o, got.Reason())
		}
	}
}

func TestDefaultPorts(t *testing.T) {
	for name, tc := range map[string]struct {
		origins, hosts []string
		host, origin   string
		verdict        origin.Verdict
	}{
		"scheme is not compared":     {nil, []string{"mcp.example"}, "mcp.example", "http://mcp.example", origin.Allowed},
		"default port left out":      {nil, []string{"mcp.example"}, "mcp.example:443", "https://mcp.example", origin.Allowed},
		"default port of the other":  {nil, []string{"mcp.example"}, "mcp.example:80", "https://mcp.example", origin.OriginNotAllowed},
		"port written out":           {nil, []string{"mcp.example"}, "mcp.example", "https://mcp.example:443", origin.Allowed},
		"http on 443":                {nil, []string{"mcp.example"}, "mcp.example", "http://mcp.example:443", origin.OriginNotAllowed},
		"case of the host":           {nil, []string{"MCP.Example"}, "mcp.EXAMPLE", "https://mcp.example", origin.Allowed},
		"trailing dot":               {nil, []string{"mcp.example"}, "mcp.example.", "", origin.HostNotAllowed},
		"trailing dot in the Origin": {nil, []string{"mcp.example"}, "mcp.example", "https://mcp.example.", origin.OriginNotAllowed},
		"IPv6, other spelling":       {nil, nil, "[2001:db8:0::1]", "https://[2001:DB8::1]", origin.Allowed},
		"IPv6, another":              {nil, nil, "[2001:db8::1]", "https://[2001:db8::2]", origin.OriginNotAllowed},
		"IPv6 with a zone":           {nil, nil, "[fe80::1%25eth0]", "http://[fe80::1]", origin.OriginNotAllowed},

		"listed origin, default port":  {[]string{"https://app.example:443"}, nil, "x.example", "https://app.example", origin.Allowed},
		"listed origin, written out":   {[]string{"https://app.example"}, nil, "x.example", "https://app.example:443", origin.Allowed},
		"listed origin, other port":    {[]string{"https://app.example"}, nil, "x.example", "https://app.example:8443", origin.OriginNotAllowed},
		"listed origin, case":          {[]string{"HTTPS://App.Example"}, nil, "x.example", "https://app.example", origin.Allowed},
		"listed origin, own scheme":    {[]string{"vscode-webview://abc"}, nil, "x.example", "vscode-webview://abc", origin.Allowed},
		"listed origin, IPv6":          {[]string{"http://[::1]:3000"}, nil, "x.example", "http://[0::1]:3000", origin.Allowed},
		"listed origin, bad Host":      {[]string{"https://app.example"}, nil, "", "https://app.example", origin.Allowed},
		"same origin, bad Host":        {nil, nil, "x.example:", "http://x.example", origin.OriginNotAllowed},
		"no Origin, foreign Host":      {nil, nil, "x.example", "", origin.Allowed},
		"names are left as they are":   {nil, nil, "b\u00fccher.example", "https://xn--bcher-kva.example", origin.OriginNotAllowed},
		"listed host, its port":        {nil, []string{"mcp.example:8443"}, "mcp.example:8443", "", origin.Allowed},
		"listed host, other port":      {nil, []string{"mcp.example:8443"}, "mcp.example:8080", "", origin.HostNotAllowed},
		"443 listed, other port":       {nil, []string{"mcp.example:443"}, "mcp.example:8080", "", origin.HostNotAllowed},
		"listed host, no number":       {nil, []string{"mcp.example"}, "mcp.example:x", "", origin.HostNotAllowed},
		"no folding of the K sign":     {nil, []string{"kiosk.example"}, "\u212aiosk.Example", "", origin.HostNotAllowed},
		"listed host, no port":         {nil, []string{"mcp.example:8443"}, "mcp.example", "", origin.HostNotAllowed},
		"listed host, every port":      {nil, []string{"mcp.example"}, "mcp.example:8080", "", origin.Allowed},
		"listed host, 443 left out":    {nil, []string{"mcp.example:443"}, "mcp.example", "", origin.Allowed},
		"listed host, 80 left out":     {nil, []string{"mcp.example:80"}, "mcp.example", "", origin.Allowed},
		"a list leaves loopback out":   {nil, []string{"mcp.example"}, "localhost:8080", "", origin.HostNotAllowed},
		"listed IPv6":                  {nil, []string{"[::1]:8080"}, "[0:0::1]:8080", "http://[::1]:8080", origin.Allowed},
		"listed loopback, other ports": {nil, []string{"localhost"}, "localhost:8080", "http://127.0.0.1:3000", origin.Allowed},
		"list and no Host":             {nil, []string{"mcp.example"}, "", "", origin.HostNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			var origins []string
			if tc.origin != "" {
				origins = []string{tc.origin}
			}
			if got := policy(t, tc.origins, tc.hosts).Check(tc.host, origins, lan); got != tc.verdict {
				t.Errorf("got %s, want %s", got.Reason(), tc.verdict.Reason())
			}
		})
	}
}

// named is an address of a kind that package net does not have.
type named string

func (named) Network() string  { return "other" }
func (a named) String() string { return string(a) }

func TestLoopback(t *testing.T) {
	for _, local := range []string{"127.0.0.1:8080", "127.9.9.9:1", "[::1]:8080", "[::ffff:127.0.0.1]:8080", "[::1%lo]:8080", "127.0.0.1", "::1"} {
		if !origin.Loopback(named(local)) {
			t.Errorf("%q is not taken for one", local)
		}
		if tcp, err := net.ResolveTCPAddr("tcp", local); err == nil && !origin.Loopback(tcp) {
			t.Errorf("%v is not taken for one", tcp)
		}
	}
	for _, local := range []string{"", "192.168.1.5:8080", "[2001:db8::1]:8080", "/run/app.sock", "@", "pipe", "0.0.0.0:8080"} {
		if origin.Loopback(named(local)) {
			t.Errorf("%q is taken for one", local)
		}
		if tcp, err := net.ResolveTCPAddr("tcp", local); err == nil && origin.Loopback(tcp) {
			t.Errorf("%v is taken for one", tcp)
		}
	}
	for _, local := range []net.Addr{nil, (*net.TCPAddr)(nil), &net.UnixAddr{Name: "/run/app.sock", Net: "unix"}} {
		if origin.Loopback(local) {
			t.Errorf("%v is taken for one", local)
		}
	}
}
