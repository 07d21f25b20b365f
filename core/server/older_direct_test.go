package server_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/parleymcp/parley/core/server"
)

// direct is an older client that calls the server without a listener, so that
// a test can set the clock.
type direct struct {
	t                testing.TB
	srv              *server.Server
	version, session string
	header           map[string]string
	open             bool // the adapter can open the response while Handle runs
	sink             *recorder
}

// directStyles are the two ways in which frameworks stream, as direct.open.
var directStyles = map[string]bool{"inline": true, "detached": false}

// begin begins a session.
func begin(t testing.TB, srv *server.Server, version string) *direct {
	t.Helper()
	return beginWith(t, srv, version, "{}")
}

func beginWith(t testing.TB, srv *server.Server, version, capabilities string) *direct {
	t.Helper()
	d := &direct{t: t, srv: srv, version: version, open: true}
	d.start(capabilities)
	return d
}

// start begins d's session.
func (d *direct) start(capabilities string) {
	d.t.Helper()
	resp := d.post(message("initialize", `"protocolVersion":"`+d.version+`","capabilities":`+capabilities+`,"clientInfo":{"name":"probe","version":"1"}`))
	for _, f := range resp.Header {
		if f.Name == "Mcp-Session-Id" {
			d.session = f.Value
		}
	}
	if d.session == "" {
		d.t.Fatalf("no session: %d %s", resp.Status, resp.Body)
	}
}

func (d *direct) post(body string) *server.Response {
	d.t.Helper()
	return d.do(http.MethodPost, body, nil)
}

// do serves one request. What is streamed goes to d.sink, which is a new one
// for each.
func (d *direct) do(verb, body string, change func(*server.Request)) *server.Response {
	d.t.Helper()
	return d.doIn(d.t.Context(), verb, body, change)
}

func (d *direct) doIn(ctx context.Context, verb, body string, change func(*server.Request)) *server.Response {
	h := http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {d.version}}
	if d.session != "" {
		h.Set("Mcp-Session-Id", d.session)
	}
	for name, value := range d.header {
		h.Set(name, value)
	}
	d.sink = &recorder{}
	r := &server.Request{
		Method: verb, Host: "127.0.0.1", Header: h, Body: strings.NewReader(body), ContentLength: int64(len(body)), CanStream: true,
	}
	sink := d.sink
	if d.open {
		r.Open = func(*server.Response) (server.Sink, error) { return sink, nil }
	}
	if change != nil {
		change(r)
	}
	return d.srv.Handle(ctx, r)
}

// recorder is a sink that remembers.
type recorder struct {
	mu   sync.Mutex
	sent strings.Builder
	fail error
}

func (r *recorder) Send(p []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail == nil {
		r.sent.Write(p)
	}
	return r.fail
}

// String is what was sent so far.
func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent.String()
}

// breaks makes every further write fail.
func (r *recorder) breaks(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail = err
}
