package jwtrecipes_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

var whoami = core.NewTool("whoami", "Says who is calling.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		p := ev.Principal()
		if p.IsAnonymous() {
			return "anonymous", nil
		}
		return fmt.Sprintf("%s|%s|%s", p.Issuer, p.Subject, ev.Scopes()), nil
	})

func newServer(t testing.TB, who core.Authenticator) *server.Server {
	t.Helper()
	srv, err := server.New(server.Config{Name: "bank", Version: "1.0.0", Authenticator: who}, whoami)
	must(t, err)
	t.Cleanup(func() { must(t, srv.Close(context.Background())) })
	return srv
}

func listenLoopback(t testing.TB) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	return listener
}

// answer is what a client sees.
type answer struct {
	status    int
	challenge string // WWW-Authenticate
	text      string // of a complete result
	raw       string
}

// whoIs calls the tool; authorization and cookie may be empty.
func whoIs(t testing.TB, url, authorization, cookie string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	must(t, err)
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"whoami"},
	}
	return send(t, req, authorization, cookie)
}

// get asks the rest of the application.
func get(t testing.TB, url, authorization string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	must(t, err)
	return send(t, req, authorization, "")
}

func send(t testing.TB, req *http.Request, authorization, cookie string) answer {
	t.Helper()
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	if cookie != "" {
		req.Header.Set("Cookie", cookie)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(t, err)
	var message struct {
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
	}
	_ = json.Unmarshal(raw, &message) // what is no JSON has no members
	a := answer{status: resp.StatusCode, challenge: resp.Header.Get("WWW-Authenticate"), raw: string(raw)}
	if len(message.Result.Content) == 1 {
		a.text = message.Result.Content[0].Text
	}
	return a
}
