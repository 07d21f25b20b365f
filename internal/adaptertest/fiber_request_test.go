package adaptertest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	mcpfiber "github.com/parleymcp/parley/adapters/fiber"
	"github.com/parleymcp/parley/internal/adaptertest"
)

// exchange sends bytes to addr and reads one answer, or the head of a stream.
// The connection stays open until the test ends.
func exchange(t *testing.T, addr, request string) (status int, body string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // closing would wait for the end of a stream
	if err != nil {
		t.Fatal(err)
	}
	if resp.Header.Get("Content-Type") == "text/event-stream" {
		return resp.StatusCode, ""
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

const (
	listBody   = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":` + listMeta + `}}`
	listMeta   = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	listHeader = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
		"MCP-Protocol-Version: 2026-07-28\r\n"
)

// The Host that counts is the one that was sent, and not what the parser of
// URIs makes of it (T1).
func TestFiberHost(t *testing.T) {
	tests := []struct {
		target, host string
		status       int
	}{
		{"/mcp", "localhost", http.StatusOK},
		{"/mcp", "LOCALHOST:80", http.StatusOK},
		{"/mcp", "evil.example", http.StatusForbidden},
		{"/mcp", "evil.example/@localhost", http.StatusForbidden},
		{"/mcp", "evil.example@localhost", http.StatusForbidden},
		{"/mcp", "@localhost", http.StatusForbidden},
		{"http://evil.example/mcp", "localhost", http.StatusForbidden}, // the request line counts
		{"http://localhost/mcp", "evil.example", http.StatusOK},
	}
	srv := newServer(t, nil, notified(nil))
	app := newFiber(fiber.Config{})
	app.All(adaptertest.Path, mcpfiber.Handler(srv))
	addr := runFiber(t, app, srv)
	for _, tt := range tests {
		status, body := exchange(t, addr, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nMcp-Method: tools/list\r\n%sContent-Length: %d\r\n\r\n%s",
			tt.target, tt.host, listHeader, len(listBody), listBody))
		if status != tt.status {
			t.Errorf("%s, Host %s: status %d, body %s, want %d", tt.target, tt.host, status, body, tt.status)
		}
	}
}

// What comes behind a body is no header: a proxy in front has not seen it.
func TestFiberTrailer(t *testing.T) {
	srv := newServer(t, nil, notified(nil))
	app := newFiber(fiber.Config{})
	app.All(adaptertest.Path, mcpfiber.Handler(srv))
	addr := runFiber(t, app, srv)
	const method = "Mcp-Method: tools/list\r\n"
	tests := []struct {
		name, header, trailer string
		status                int
	}{
		{"header", method, "", http.StatusOK},
		{"trailer", "", method, http.StatusBadRequest},
		{"both", method, method, http.StatusBadRequest},
		{"header, and another trailer", method, "X-Checksum: 1\r\n", http.StatusOK},
	}
	for _, tt := range tests {
		status, body := exchange(t, addr, fmt.Sprintf(
			"POST /mcp HTTP/1.1\r\nHost: localhost\r\n%s%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n%s\r\n",
			tt.header, listHeader, len(listBody), listBody, tt.trailer))
		if status != tt.status {
			t.Errorf("%s: status %d, body %s, want %d", tt.name, status, body, tt.status)
		}
	}
}

// Fiber keeps no body of a request whose stream is open (T26).
func TestFiberStreamKeepsNoBody(t *testing.T) {
	const streams, size = 16, 2 << 20
	srv := newServer(t, nil, notified(nil))
	app := newFiber(fiber.Config{})
	app.All(adaptertest.Path, mcpfiber.Handler(srv))
	addr := runFiber(t, app, srv)
	body := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"junk":"` +
		strings.Repeat("x", size) + `","_meta":` + listMeta + `}}`
	request := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Method: subscriptions/listen\r\n%sContent-Length: %d\r\n\r\n%s",
		listHeader, len(body), body)
	before := heap()
	for range streams {
		if status, body := exchange(t, addr, request); status != http.StatusOK || body != "" {
			t.Fatalf("status %d, body %.200q, want a stream", status, body)
		}
	}
	if after := heap(); after > before+streams*size/4 {
		t.Errorf("%d streams with bodies of %d bytes keep %d", streams, size, after-before)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC() // pools give up what they hold
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
