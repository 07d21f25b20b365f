package adaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// sessionHeader is the header that names a session.
const sessionHeader = "Mcp-Session-Id"

// sessions is an application like f's that serves older revisions in sessions.
func (f *fixture) sessions(t *testing.T, change func(*server.Config)) *fixture {
	t.Helper()
	h := newHouse(t, func(c *server.Config) {
		c.Legacy.Sessions = true
		if change != nil {
			change(c)
		}
	})
	if err := h.server.Add(h.interviewTool(), h.chatterTool()); err != nil {
		t.Fatal(err)
	}
	return f.factory.fixture(t, f.spec, h)
}

// older is a client of a revision that begins with a handshake. Each request
// has an id of its own.
type older struct {
	*client
	version string
	session string // "": none
	user    string // "": none
	last    int    // id of the last request
}

// everything is what a client can declare that a server may ask.
var everything = object{"elicitation": object{}, "sampling": object{}, "roots": object{}}

// begin makes the handshake.
func (f *fixture) begin(t testing.TB, version, user string) *older {
	t.Helper()
	return f.beginWith(t, version, user, everything)
}

func (f *fixture) beginWith(t testing.TB, version, user string, capabilities object) *older {
	t.Helper()
	o := &older{client: newClient(t, f.app), version: version, user: user}
	a := o.do(o.post(t.Context(), o.handshake(capabilities)))
	if a.status != http.StatusOK || a.message.Result["protocolVersion"] != version {
		t.Fatalf("initialize: status %d, body %s", a.status, a.body)
	}
	o.session = a.header.Get(sessionHeader)
	if a := o.do(o.post(t.Context(), object{"method": "notifications/initialized"})); a.status != http.StatusAccepted {
		t.Fatalf("notifications/initialized: status %d, body %s", a.status, a.body)
	}
	return o
}

func (o *older) handshake(capabilities object) object {
	return o.ask(protocol.MethodInitialize, object{
		"protocolVersion": o.version, "capabilities": capabilities,
		"clientInfo": object{"name": "older", "version": "1"},
	})
}

// ask is a request with the next id.
func (o *older) ask(method string, params object) object {
	o.last++
	return object{"id": o.last, "method": method, "params": params}
}

// tool is a call of a tool, which may report progress.
func (o *older) tool(name string, arguments object) object {
	return o.ask(protocol.MethodToolsCall, object{
		"name": name, "arguments": arguments, "_meta": object{"progressToken": "t"},
	})
}

// post makes an HTTP request of a message.
func (o *older) post(ctx context.Context, message object) *http.Request {
	o.t.Helper()
	message = maps.Clone(message)
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		o.t.Fatal(err)
	}
	req := o.raw(ctx, http.MethodPost, Path, bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	o.identify(req)
	if message["method"] == protocol.MethodInitialize {
		req.Header.Del(sessionHeader)
	}
	return req
}

// get asks for the stream of the session, or for what came after an event.
func (o *older) get(ctx context.Context, after string) *http.Request {
	o.t.Helper()
	req := o.raw(ctx, http.MethodGet, Path, nil)
	req.Header.Set("Accept", "text/event-stream")
	o.identify(req)
	if after != "" {
		req.Header.Set("Last-Event-Id", after)
	}
	return req
}

func (o *older) delete(ctx context.Context) *http.Request {
	o.t.Helper()
	req := o.raw(ctx, http.MethodDelete, Path, nil)
	o.identify(req)
	return req
}

func (o *older) identify(req *http.Request) {
	req.Header.Set("Mcp-Protocol-Version", o.version)
	if o.session != "" {
		req.Header.Set(sessionHeader, o.session)
	}
	if o.user != "" {
		req.Header.Set(UserHeader, o.user)
	}
}

// result posts a request that has to have a result.
func (o *older) result(ctx context.Context, message object) object {
	o.t.Helper()
	a := o.do(o.post(ctx, message))
	if a.status != http.StatusOK || a.message.Result == nil || a.message.ID != float64(message["id"].(int)) {
		o.t.Fatalf("%v: status %d, body %s", message["method"], a.status, a.body)
	}
	return a.message.Result
}

// start posts a request whose answer has to be a stream.
func (o *older) start(ctx context.Context, message object) *stream {
	o.t.Helper()
	return o.stream("", o.post(ctx, message))
}

// listen opens the stream of the session, or the rest of another.
func (o *older) listen(ctx context.Context, after string) *stream {
	o.t.Helper()
	return o.stream("", o.get(ctx, after))
}

// answer accepts a question of the server's with a name.
func (o *older) answer(question message, name string) {
	o.t.Helper()
	o.reply(question, object{"action": "accept", "content": object{"name": name}})
}

func (o *older) reply(question message, result object) {
	o.t.Helper()
	a := o.do(o.post(o.t.Context(), object{"id": question.ID, "result": result}))
	if a.status != http.StatusAccepted || len(a.body) > 0 {
		o.t.Fatalf("an answer: status %d, body %q, want 202 and none", a.status, a.body)
	}
}

// question is the next event, which has to be one, for a key of interview.
func (o *older) question(s *stream) message {
	o.t.Helper()
	m := o.must(s)
	if m.Method != "elicitation/create" || m.ID == nil {
		o.t.Fatalf("got %+v, want a question", m)
	}
	return m
}

// end reads to the end of a stream on which nothing follows.
func (o *older) end(s *stream) {
	o.t.Helper()
	if m, err := s.next(); !errors.Is(err, io.EOF) {
		o.t.Errorf("got %+v, %v, want the end of the stream", m, err)
	}
}

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); <-time.After(5 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// cancellable is the context of a request whose client leaves.
func cancellable(t testing.TB) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}
