package server_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

func TestPrincipal(t *testing.T) {
	runs := 0
	url := start(t, func(c *server.Config) {
		c.Principal = func(_ context.Context, h core.Header) (core.Principal, error) {
			runs++
			switch h.Get("Authorization") {
			case "Bearer ada":
				return core.Principal{Issuer: "https://id.example", Subject: "ada"}, nil
			case "Bearer nobody":
				return core.Principal{Issuer: "https://id.example"}, nil
			}
			return core.Principal{}, errors.New("secret detail")
		}
	}, toolOf("whoami", func(_ context.Context, ev *core.Event) (string, error) { return ev.Principal().Subject, nil }))
	for _, token := range []string{"", "Bearer bob", "Bearer nobody"} {
		a := call("whoami", "")
		a.header = map[string]string{"Authorization": token, "Content-Type": "text/plain"}
		got := tell(t, url, a)
		refused{401, -32600, "Authentication is required"}.check(t, got, "")
		if www := got.header.Get("WWW-Authenticate"); www != "Bearer" {
			t.Errorf("WWW-Authenticate %q", www)
		}
	}
	runs = 0
	a := call("whoami", "")
	a.header = map[string]string{"Authorization": "Bearer ada"}
	if got := tell(t, url, a); got.text() != "ada" || runs != 1 {
		t.Errorf("got %s after %d runs", got.body, runs)
	}
}

func TestNotifications(t *testing.T) {
	url := start(t, nil, echoTool)
	const body = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	for name, tc := range map[string]struct {
		ask    ask
		status int
	}{
		"no headers":        {ask{body: body, header: map[string]string{"MCP-Protocol-Version": "-", "Mcp-Method": "-", "Accept": "-"}}, 202},
		"any method":        {ask{body: `{"jsonrpc":"2.0","method":"x","params":[]}`}, 202},
		"served version":    {ask{body: body}, 202},
		"unserved version":  {ask{body: body, header: map[string]string{"MCP-Protocol-Version": "2024-11-05"}}, 400},
		"foreign Origin":    {ask{body: body, header: map[string]string{"Origin": "null"}}, 403},
		"wrong type":        {ask{body: body, header: map[string]string{"Content-Type": "text/plain"}}, 415},
		"surrogate in it":   {ask{body: `{"jsonrpc":"2.0","method":"x","params":{"a":"\ud800"}}`}, 202},
		"wrong method type": {ask{body: `{"jsonrpc":"2.0","method":5}`}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			got := tell(t, url, tc.ask)
			if got.status != tc.status || got.status == 202 && got.body != "" {
				t.Errorf("got %d %q, want %d", got.status, got.body, tc.status)
			}
		})
	}
}
