package jwtrecipes_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// older is a request of 2025-11-25.
func older(t testing.TB, method, url, session, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	must(t, err)
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
	}
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	return req
}

const (
	handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	callMural = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mural","arguments":{}}}`
	listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
)

// Clients of older revisions are behind the same door: tokens on every request
// and HTTP method, scopes, and a session that is its caller's (M10).
func TestOlderClients(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		var log lines
		cfg := a.config()
		cfg.Leeway = time.Millisecond
		srv := a.server(t, cfg, &log, mural)
		url := mount(t, srv) + "/mcp"
		t.Cleanup(func() { must(t, srv.Close(context.Background())) }) // before the application, which waits for streams
		full := "Bearer " + a.token("ES256", nil, map[string]any{"scope": "paint paint:walls"})
		less := "Bearer " + a.token("ES256", nil, map[string]any{"scope": "paint"})
		bob := "Bearer " + a.token("ES256", nil, map[string]any{"scope": "paint paint:walls", "sub": "bob"})

		want := refusal{http.StatusUnauthorized, missing, unauthorized}
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			want.check(t, do(t, older(t, method, url, "", handshake)))
			want.check(t, do(t, older(t, method, url, "nonsense", listTools)))
		}
		begun := do(t, older(t, http.MethodPost, url, "", handshake), full)
		session := begun.header.Get("Mcp-Session-Id")
		if begun.status != http.StatusOK || session == "" {
			t.Fatalf("got %+v", begun)
		}
		refusal{http.StatusForbidden, stepUp, tooLittle}.check(t, do(t, older(t, http.MethodPost, url, session, callMural), less))
		for who, sees := range map[string]bool{full: true, less: false} {
			if list := do(t, older(t, http.MethodPost, url, session, listTools), who); list.status != http.StatusOK || strings.Contains(list.body, `"mural"`) != sees {
				t.Errorf("got %+v, want mural in it: %v", list, sees)
			}
		}
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			if got := do(t, older(t, method, url, session, listTools), bob); got.status != http.StatusNotFound {
				t.Errorf("%s: another's session: %+v", method, got)
			}
		}

		end := time.Now().Add(600 * time.Millisecond)
		short := "Bearer " + a.token("ES256", nil, map[string]any{"exp": float64(end.UnixMilli()) / 1000})
		resp := open(t, older(t, http.MethodGet, url, session, ""), short)
		defer resp.Body.Close()
		_, err := io.ReadAll(resp.Body)
		must(t, err)
		if early, late := time.Until(end), time.Since(end); resp.StatusCode != http.StatusOK || early > 0 || late > 10*time.Second {
			t.Errorf("status %d, the stream ended %v after its token", resp.StatusCode, late)
		}
		log.want(t, `reason=token_expired principal=[0-9a-f]{12}\b`)
		log.never(t, "ada", session)
	})
}

// In a batch each element is judged by itself, with the caller's scopes.
func TestOlderBatch(t *testing.T) {
	a := newAuthority(t)
	onEach(t, func(t *testing.T, mount func(testing.TB, *server.Server) string) {
		srv := a.server(t, a.config(), io.Discard, mural)
		url := mount(t, srv) + "/mcp"
		begun := do(t, older(t, http.MethodPost, url, "", strings.Replace(handshake, "2025-11-25", "2025-03-26", 1)), "Bearer "+a.token("ES256", nil, nil))
		for scope, want := range map[string]string{"paint paint:walls": `"mural"`, "paint": "Insufficient scope"} {
			req := older(t, http.MethodPost, url, begun.header.Get("Mcp-Session-Id"), "["+listTools+","+strings.Replace(callMural, `"id":1`, `"id":2`, 1)+"]")
			req.Header.Set("Mcp-Protocol-Version", "2025-03-26")
			got := do(t, req, "Bearer "+a.token("ES256", nil, map[string]any{"scope": scope}))
			if got.status != http.StatusOK || !strings.Contains(got.body, want) || strings.Contains(got.body, "Insufficient") != (scope == "paint") {
				t.Errorf("%q: %+v", scope, got)
			}
		}
	})
}
