package jwtrecipes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/wireschema"
)

type color struct {
	Color string `json:"color"`
}

type step struct {
	Round int `json:"round"`
}

var (
	askColor = core.Form[color]("color", "Which color?")
	steps    = core.NewState[step]("steps")
)

// whoami says who is calling; paint asks and seals once before it does.
var (
	whoami = core.NewTool("whoami", "Says who is calling.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			p := ev.Principal()
			if p.IsAnonymous() {
				return "anonymous", nil
			}
			return fmt.Sprintf("%s|%s|%s", p.Issuer, p.Subject, ev.Scopes()), nil
		})
	paint = core.NewTool("paint", "Paints a wall.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			s, err := steps.Open(ev)
			if err != nil {
				return "", err
			}
			if c, ok := askColor.Accepted(ev); ok && s.Round == 1 {
				return ev.Principal().Subject + " wants " + c.Color, nil
			}
			return "", steps.InputRequired(ev, step{Round: 1}, askColor)
		})
)

func newServer(t testing.TB, who core.Authenticator) *server.Server {
	t.Helper()
	srv, err := server.New(server.Config{
		Name: "bank", Version: "1.0.0", Authenticator: who, Keys: []seal.Key{seal.EphemeralKey()},
	}, whoami, paint)
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

// serve runs h on a listener of its own and returns its URL.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	listener := listenLoopback(t)
	srv := &http.Server{Handler: h} //nolint:gosec // nobody is slow here
	done := make(chan error, 1)
	go func() { done <- srv.Serve(listener) }()
	t.Cleanup(func() {
		must(t, srv.Close())
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

type object = map[string]any

// answer is what a client sees.
type answer struct {
	status int
	text   string // of a complete result
	state  string // of an interim one
	code   int
	raw    string
}

// post calls a tool; token may be empty, and more is added to params.
func post(t testing.TB, url, token, tool string, more object) answer {
	t.Helper()
	req := request(t, url, "tools/call", tool, more)
	return send(t, req, token)
}

// request is one of the protocol, with the params that its method needs.
func request(t testing.TB, url, method, name string, more ...object) *http.Request {
	t.Helper()
	params := object{"name": name, "_meta": object{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": object{"elicitation": object{}},
	}}
	if method == "subscriptions/listen" {
		params["notifications"] = object{"toolsListChanged": true}
	}
	for _, m := range more {
		maps.Copy(params, m)
	}
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	must(t, err)
	req.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}, "Mcp-Name": {name},
	}
	if method == "subscriptions/listen" {
		req.Header.Set("Accept", "text/event-stream")
	}
	return req
}

func send(t testing.TB, req *http.Request, token string) answer {
	t.Helper()
	if token == "" {
		return read(t, req.Header.Get("Mcp-Method"), do(t, req))
	}
	return read(t, req.Header.Get("Mcp-Method"), do(t, req, "Bearer "+token))
}

// reply is what comes back, whatever it is.
type reply struct {
	status int
	header http.Header
	body   string
}

// do sends a request with these Authorization headers and reads the whole answer.
func do(t testing.TB, req *http.Request, authorization ...string) reply {
	t.Helper()
	resp := open(t, req, authorization...)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(t, err)
	return reply{resp.StatusCode, resp.Header, string(raw)}
}

// open is do for streams.
func open(t testing.TB, req *http.Request, authorization ...string) *http.Response {
	t.Helper()
	if len(authorization) > 0 {
		req.Header["Authorization"] = authorization
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	must(t, err)
	return resp
}

// read reads an answer of the protocol.
func read(t testing.TB, method string, r reply) answer {
	t.Helper()
	var message struct {
		Result struct {
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
			RequestState string `json:"requestState"`
		} `json:"result"`
		Error struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal([]byte(r.body), &message) // what is no JSON has no members
	if strings.Contains(r.body, `"jsonrpc"`) {   // and not an answer of the application's
		wireschema.Validate(t, method, []byte(r.body))
	}
	a := answer{status: r.status, state: message.Result.RequestState, code: message.Error.Code, raw: r.body}
	if len(message.Result.Content) == 1 {
		a.text = message.Result.Content[0].Text
	}
	return a
}

// get asks the rest of the application.
func get(t testing.TB, url, token string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	must(t, err)
	return send(t, req, token)
}
