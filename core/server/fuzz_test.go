package server_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/wireschema"
)

// Whatever arrives, the answer is one of ours: a known status, and one line of
// JSON that the schema allows.
func FuzzHandle(f *testing.F) {
	srv := newServer(f, func(c *server.Config) { c.PageSize = 1 }, append(documents(), numbered(0, 3)...)...)
	for _, a := range []ask{
		call("echo", `{"text":"hi"}`),
		{method: "tools/list", params: `"cursor":"YTE"`},
		{method: "resources/read", name: "docs://rows/1", params: `"uri":"docs://rows/1"`},
		{method: "completion/complete", params: `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"b"}`},
		{method: "subscriptions/listen", params: `"notifications":{}`},
		{method: "tools/call", params: `"name":"echo","inputResponses":{},"requestState":"x"`, name: "echo"},
	} {
		r := a.build(f, "http://127.0.0.1/")
		body, err := io.ReadAll(r.Body)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body, a.method, a.name, "application/json")
	}
	f.Fuzz(func(t *testing.T, body []byte, method, name, accept string) {
		h := http.Header{
			"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {version},
			"Mcp-Method": {method}, "Mcp-Name": {name}, "Accept": {accept},
		}
		resp := srv.Handle(context.Background(), &server.Request{
			Method: http.MethodPost, Host: "127.0.0.1", Header: h,
			Body: strings.NewReader(string(body)), ContentLength: -1,
		})
		if resp == nil || resp.Stream != nil {
			t.Fatalf("got %+v", resp)
		}
		switch resp.Status {
		case 200, 202, 400, 404, 406:
		default:
			t.Fatalf("status %d", resp.Status)
		}
		if resp.Status == 202 {
			return
		}
		if resp.Header[0].Value != "application/json" {
			return // events, each checked elsewhere
		}
		if strings.ContainsAny(string(resp.Body), "\r\n") || !json.Valid(resp.Body) {
			t.Fatalf("got %q", resp.Body)
		}
		if resp.Status == 200 {
			wireschema.Validate(t, method, resp.Body)
		}
	})
}
