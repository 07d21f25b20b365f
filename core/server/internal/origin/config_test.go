package origin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/origin"
)

func TestNewNamesEveryProblem(t *testing.T) {
	origins := map[string]string{
		"*": "wildcard", "https://*.example": "wildcard", "https://app.example:*": "wildcard", "null": "never allowed",
		"app.example": "no scheme", "": "no scheme", "https:app.example": "no scheme", "https://app.example/": "path",
		"https://app.example/mcp": "path", "https://app.example?x": "path", "https://app.example#x": "path",
		"https://me@app.example": "user information", "https://bücher.example": "xn--", "https://": "malformed",
		"://app.example": "malformed", "https://app.example:0443": "malformed", "https://app.example:99999": "malformed",
		"https://::1": "brackets", "https://[fe80::1%25eth0]": "zone", " https://app.example": "malformed", "https://app.example ": "malformed",
		"https://a.example,https://b.example": "path", "https://a.example,b.example": "comma",
	}
	hosts := map[string]string{
		"*": "wildcard", "*.example": "wildcard", "": "malformed", "https://mcp.example": "scheme", "mcp.example/": "path",
		"me@mcp.example": "user information", "mcp.example:": "malformed", "mcp.example:x": "malformed", "::1": "brackets",
		"fe80::1%eth0": "zone", "[::1": "malformed", "bücher.example": "xn--", "mcp .example": "malformed", "a.example,b.example": "comma",
	}
	var allOrigins, allHosts []string
	for value, reason := range origins {
		allOrigins = append(allOrigins, value)
		p, err := origin.New([]string{"https://fine.example", value}, nil)
		checkConfig(t, p, err, "AllowedOrigins", value, reason)
	}
	for value, reason := range hosts {
		allHosts = append(allHosts, value)
		p, err := origin.New(nil, []string{"fine.example", value})
		checkConfig(t, p, err, "AllowedHosts", value, reason)
	}
	_, err := origin.New(allOrigins, allHosts)
	if got, want := strings.Count(err.Error(), "parley: "), len(origins)+len(hosts); got != want {
		t.Errorf("%d problems named, want %d", got, want)
	}
}

func checkConfig(t *testing.T, p *origin.Policy, err error, field, value, reason string) {
	t.Helper()
	problem, ok := errors.AsType[*origin.ConfigError](err)
	switch {
	case !ok || p != nil:
		t.Errorf("%s %q was taken: %v", field, value, err)
	case problem.Field != field || problem.Value != value || !strings.Contains(problem.Reason, reason):
		t.Errorf("%s %q: got %v, want %q", field, value, err, reason)
	case !strings.Contains(err.Error(), "[:port], as in "):
		t.Errorf("%v does not say what is allowed", err)
	}
}

func TestNewTakes(t *testing.T) {
	if _, err := origin.New(
		[]string{"https://app.example", "http://localhost:3000", "HTTP://[::1]:80", "http://10.0.0.1", "chrome-extension://abcdefgh", "https://app.example", "https://xn--bcher-kva.example"},
		[]string{"mcp.example", "mcp.example:8443", "localhost", "127.0.0.1:8080", "[::1]", "[::1]:8080", "MCP.example", "my_host", "mcp.example."},
	); err != nil {
		t.Error(err)
	}
}

// Whoever reads the log learns which option to set (T1), and nobody else does.
func TestVerdictsNameTheOption(t *testing.T) {
	options := map[origin.Verdict]string{
		origin.Allowed: "", origin.OriginRepeated: "", origin.OriginNull: "", origin.OriginMalformed: "",
		origin.OriginNotAllowed: "AllowedOrigins", origin.OriginOfUntrustedHost: "AllowedHosts",
		origin.HostNotAllowed: "AllowedHosts", origin.HostNotLoopback: "AllowedHosts",
	}
	seen := map[string]bool{}
	for v, option := range options {
		if v.Option() != option || !strings.Contains(v.Advice(), option) {
			t.Errorf("%s: option %q, advice %q, want %q", v.Reason(), v.Option(), v.Advice(), option)
		}
		if v.Allowed() != (v == origin.Allowed) || (v.Advice() == "") != v.Allowed() || seen[v.Reason()] {
			t.Errorf("%s: allowed %v, advice %q", v.Reason(), v.Allowed(), v.Advice())
		}
		seen[v.Reason()] = true
	}
	var none origin.Verdict
	if none.Allowed() || none.Reason() != "undecided" {
		t.Error("the zero verdict allows")
	}
}

func TestZeroPolicy(t *testing.T) {
	var p origin.Policy
	if got := p.Check("evil.example", nil, loopback); got != origin.HostNotLoopback {
		t.Errorf("got %s", got.Reason())
	}
	if got := p.Check("localhost", []string{"http://localhost"}, loopback); !got.Allowed() {
		t.Errorf("got %s", got.Reason())
	}
}

func TestAllocations(t *testing.T) {
	p := policy(t, []string{"https://app.example"}, nil)
	listed := policy(t, nil, []string{"mcp.example"})
	for name, tc := range map[string]struct {
		p *origin.Policy
		r request
	}{
		"no Origin":     {p, request{"localhost:8080", nil, loopback}},
		"loopback":      {p, request{"127.0.0.1:8080", []string{"http://localhost:3000"}, loopback}},
		"IPv6":          {p, request{"[::1]:8080", []string{"http://[::1]:3000"}, loopback}},
		"listed origin": {p, request{"localhost:8080", []string{"https://app.example"}, loopback}},
		"same origin":   {listed, request{"mcp.example", []string{"https://mcp.example"}, lan}},
	} {
		if got := tc.p.Check(tc.r.host, tc.r.origin, tc.r.local); !got.Allowed() {
			t.Errorf("%s: %s", name, got.Reason())
		}
		if got := testing.AllocsPerRun(100, func() { tc.p.Check(tc.r.host, tc.r.origin, tc.r.local) }); got > 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("localhost:8080", "http://localhost:3000")
	f.Add("evil.example", "http://evil.example")
	f.Add("[::1]", "https://[::1]:443")
	f.Add("127.0.0.1.", "http://user@localhost")
	f.Fuzz(func(t *testing.T, host, from string) {
		p := policy(t, nil, nil)
		// A name that is not loopback's never reaches a loopback address.
		plain := strings.ToLower(host)
		loop := strings.HasPrefix(plain, "localhost") || strings.HasPrefix(plain, "127.") || strings.HasPrefix(plain, "[")
		if got := p.Check(host, []string{from}, loopback); got.Allowed() && !loop {
			t.Fatalf("Host %q, Origin %q: allowed", host, from)
		}
		// Without a list only a plain scheme://host[:port] has a chance.
		if got := p.Check(host, []string{from}, lan); got.Allowed() && (strings.ContainsAny(from, "@?#\\ %,") || strings.Count(from, "/") != 2) {
			t.Fatalf("Host %q, Origin %q: allowed", host, from)
		}
		// Agreement proves nothing, whatever the name is.
		if p.Check("x"+host+".example", []string{"http://x" + host + ".example"}, lan).Allowed() {
			t.Fatalf("%q agrees with itself", host)
		}
	})
}
