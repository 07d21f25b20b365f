package adaptertest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
)

func testJSON(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	a := c.do(c.request(t.Context(), tool("echo", object{"text": "hello"})))
	if a.status != http.StatusOK || a.message.text() != "hello|||" {
		t.Errorf("status %d, text %q", a.status, a.message.text())
	}
	want := map[string]string{
		"Content-Type": "application/json",
		AppHeader:      "1", // the application's middleware has run
	}
	if !a.compressed {
		want["Content-Length"] = strconv.Itoa(len(a.body))
	}
	for name, value := range want {
		if got := a.header.Values(name); len(got) != 1 || got[0] != value {
			t.Errorf("%s: %q, want %q once", name, got, value)
		}
	}
	// What does not fit any buffer arrives whole.
	long := strings.Repeat("long text, ", maxBody/16)
	if got := c.post(t.Context(), tool("echo", object{"text": long})).text(); got != long+"|||" {
		t.Errorf("%d bytes echoed as %d", len(long)+3, len(got))
	}
}

// testHeaderCase spells the names of headers as proxies do.
func testHeaderCase(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	for _, spell := range []func(string) string{strings.ToLower, strings.ToUpper} {
		req := c.request(t.Context(), tool("echo", object{"text": "hello"}).with(UserHeader, "ada"))
		spelled := http.Header{}
		for name, values := range req.Header {
			spelled[spell(name)] = values
		}
		req.Header = spelled
		// What the application's middleware finds is the framework's affair.
		if a := c.do(req); !strings.HasPrefix(a.message.text(), "hello|ada|") {
			t.Errorf("status %d, body %s", a.status, a.body)
		}
	}
}

// testOldHTTP: a client of HTTP/1.0 knows no chunks.
func testOldHTTP(t *testing.T, f *fixture) {
	if f.factory.HTTP2 {
		t.Skip("clients of HTTP/2 are no clients of HTTP/1.0")
	}
	c := f.dial(t)
	c.sendAs("HTTP/1.0", tool("count", object{"n": 3}))
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || len(resp.TransferEncoding) > 0 || !strings.Contains(string(body), "counted") {
		t.Errorf("Transfer-Encoding %q, body %q, error %v", resp.TransferEncoding, body, err)
	}
}

func testNotification(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	req := c.raw(t.Context(), http.MethodPost, Path, strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`))
	req.Header.Set("Content-Type", "application/json")
	a := c.do(req)
	if a.status != http.StatusAccepted || len(a.body) > 0 {
		t.Errorf("status %d, body %q, want 202 and none", a.status, a.body)
	}
	if got := a.header.Get("Content-Type"); got != "" {
		t.Errorf("Content-Type %q of no body", got)
	}
}

func testMethods(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	for _, method := range []string{
		http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
	} {
		a := c.do(c.raw(t.Context(), method, Path, nil))
		if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: status %d, Allow %q", method, a.status, a.header.Get("Allow"))
		}
		if method != http.MethodHead && a.message.code() != protocol.CodeInvalidRequest {
			t.Errorf("%s: body %q", method, a.body)
		}
	}
}

func testTooLarge(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	for _, length := range []int64{0, -1} { // announced, and in chunks
		msg := tool("echo", object{"text": strings.Repeat("x", maxBody)})
		msg.length = length
		a := c.do(c.request(t.Context(), msg))
		if a.status != http.StatusRequestEntityTooLarge || a.message.code() != protocol.CodeInvalidRequest {
			t.Errorf("length %d: status %d, Content-Type %q, body %.100q",
				length, a.status, a.header.Get("Content-Type"), a.body)
		}
		msg = tool("echo", object{"text": "in chunks"})
		msg.length = length
		if got := c.post(t.Context(), msg).text(); got != "in chunks|||" {
			t.Errorf("length %d: %q", length, got)
		}
	}
}

func testPath(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	others := []string{Path + "foo", Path[:len(Path)-1], "/app" + Path}
	if f.spec.Form == Middleware { // a handler serves what its route lets through
		others = append(others, Path+"/", Path+"/foo", "/MCP")
	}
	body := tool("echo", object{"text": "hello"})
	for _, path := range others {
		req := c.raw(t.Context(), http.MethodPost, path, bytes.NewReader(body.body()))
		req.Header = body.headers()
		if a := c.do(req); a.status != http.StatusNotFound || string(a.body) != NotFoundText {
			t.Errorf("%s: status %d, body %q, want the application's 404", path, a.status, a.body)
		}
	}
	req := c.request(t.Context(), body)
	req.URL.RawQuery = "a=b"
	if a := c.do(req); a.status != http.StatusOK {
		t.Errorf("with a query: status %d", a.status)
	}
}

func testApplication(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	for range 3 {
		a := c.do(c.raw(t.Context(), http.MethodPost, EchoPath, strings.NewReader("its own")))
		if a.status != http.StatusOK || string(a.body) != "its own" || a.header.Get(AppHeader) != "1" {
			t.Errorf("a route of the application: status %d, body %q", a.status, a.body)
		}
		c.post(t.Context(), tool("echo", object{"text": "between"}))
		a = c.do(c.raw(t.Context(), http.MethodGet, "/none", nil))
		if a.status != http.StatusNotFound || string(a.body) != NotFoundText || a.header.Get(AppHeader) != "1" {
			t.Errorf("its 404: status %d, body %q", a.status, a.body)
		}
	}
}

func testOrigin(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	msg := tool("echo", object{"text": "hello"})
	tests := []struct {
		name   string
		msg    call
		status int
	}{
		{"no Origin", msg, http.StatusOK},
		{"loopback Origin", msg.with("Origin", "http://localhost:3000"), http.StatusOK},
		{"foreign Origin", msg.with("Origin", "https://evil.example"), http.StatusForbidden},
		{"null Origin", msg.with("Origin", "null"), http.StatusForbidden},
		{"rebound Host", msg.with("Host", "evil.example"), http.StatusForbidden},
		{"rebound Host and Origin", msg.with("Host", "evil.example").with("Origin", "http://evil.example"), http.StatusForbidden},
		{
			"forwarded Host", // Fiber's Hostname believes it
			msg.with("Host", "evil.example").with("X-Forwarded-Host", "localhost").with("Forwarded", "host=localhost"),
			http.StatusForbidden,
		},
		{"foreign forwarded Host", msg.with("X-Forwarded-Host", "evil.example"), http.StatusOK},
	}
	for _, tt := range tests {
		a := c.do(c.request(t.Context(), tt.msg))
		if a.status != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, a.status, tt.status)
		}
		if tt.status != http.StatusOK && a.message.code() != protocol.CodeInvalidRequest {
			t.Errorf("%s: body %q", tt.name, a.body)
		}
	}
}
