package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/wireschema"
)

// The revisions before 2026-07-28.
const (
	v2025Nov   = "2025-11-25"
	v2025June  = "2025-06-18"
	v2025March = "2025-03-26"
)

var olderVersions = []string{v2025Nov, v2025June, v2025March}

// older is a client of one of them. Its zero version sends no header.
type older struct {
	t       testing.TB
	url     string
	version string
	session string
	header  map[string]string // besides; "-" leaves one out
}

// withSessions serves sessions, and applies what follows.
func withSessions(changes ...func(*server.Config)) func(*server.Config) {
	return func(c *server.Config) {
		c.Legacy.Sessions = true
		for _, change := range changes {
			change(c)
		}
	}
}

// with is a copy of c with one header more.
func (c *older) with(name, value string) *older {
	d := *c
	d.header = map[string]string{name: value}
	for k, v := range c.header {
		if k != name {
			d.header[k] = v
		}
	}
	return &d
}

// initialize begins, with capabilities as JSON or "" for none. The session of
// the answer is c's from now on.
func (c *older) initialize(capabilities string) told {
	c.t.Helper()
	d := older{t: c.t, url: c.url, header: c.header} // as the first request of all clients is
	got := d.tell("initialize", `"protocolVersion":"`+c.version+`","capabilities":`+or(capabilities, "{}")+
		`,"clientInfo":{"name":"probe","version":"1.0.0"}`)
	c.session = got.header.Get("Mcp-Session-Id")
	return got
}

// joined is a client of a version in a session, which declares capabilities.
func joined(t testing.TB, url, version, capabilities string) *older {
	t.Helper()
	c := &older{t: t, url: url, version: version}
	if got := c.initialize(capabilities); got.result()["protocolVersion"] != version || c.session == "" {
		t.Fatalf("initialize: %d %s, session %q", got.status, got.body, c.session)
	}
	if got := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); got.status != 202 || got.body != "" {
		t.Fatalf("initialized: %d %s", got.status, got.body)
	}
	return c
}

// message is a request with the id 1.
func message(method, params string) string { return messageID("1", method, params) }

func messageID(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + `}}`
}

// tell sends a request with the id 1 and waits for the end of the answer.
func (c *older) tell(method, params string) told {
	c.t.Helper()
	return c.do(http.MethodPost, method, message(method, params)).end()
}

// call is tell for a tool.
func (c *older) call(tool, arguments string) told {
	c.t.Helper()
	return c.tell("tools/call", `"name":"`+tool+`","arguments":`+or(arguments, "{}"))
}

// post sends a body as it is.
func (c *older) post(body string) told {
	c.t.Helper()
	return c.do(http.MethodPost, "", body).end()
}

// ask sends a request and leaves its answer to be read.
func (c *older) ask(id, method, params string) *answer {
	c.t.Helper()
	return c.do(http.MethodPost, method, messageID(id, method, params))
}

// listen opens the stream of the session.
func (c *older) listen() *answer {
	c.t.Helper()
	a := c.with("Accept", "text/event-stream").do(http.MethodGet, "", "")
	if a.resp.StatusCode != 200 || a.resp.Header.Get("Content-Type") != "text/event-stream" {
		c.t.Fatalf("GET: %d %s", a.resp.StatusCode, a.end().body)
	}
	return a
}

// resume opens the rest of a stream.
func (c *older) resume(eventID string) *answer {
	c.t.Helper()
	return c.with("Last-Event-ID", eventID).with("Accept", "text/event-stream").do(http.MethodGet, "tools/call", "")
}

// cancel sends notifications/cancelled for a request.
func (c *older) cancel(id string) {
	c.t.Helper()
	got := c.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"test"}}`)
	if got.status != 202 || got.body != "" {
		c.t.Errorf("cancelled: %d %s", got.status, got.body)
	}
}

// reply answers a question of the server's.
func (c *older) reply(id, result string) {
	c.t.Helper()
	if got := c.post(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`); got.status != 202 || got.body != "" {
		c.t.Errorf("reply: %d %s", got.status, got.body)
	}
}

// abandon sends a request and waits until ctx ends.
func abandon(ctx context.Context, c *older, body string) {
	resp, err := http.DefaultClient.Do(c.build(ctx, http.MethodPost, body))
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

func (c *older) build(ctx context.Context, verb, body string) *http.Request {
	req, err := http.NewRequestWithContext(ctx, verb, c.url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	if verb == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	if c.version != "" {
		req.Header.Set("MCP-Protocol-Version", c.version)
	}
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	for name, value := range c.header {
		req.Header.Set(name, value)
		if value == "-" {
			req.Header.Del(name)
		}
		if name == "Host" {
			req.Host = value
		}
	}
	return req
}

// do sends a request; the answer's messages are held to the schema as those to
// the method.
func (c *older) do(verb, method, body string) *answer {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	resp, err := http.DefaultClient.Do(c.build(ctx, verb, body))
	if err != nil {
		c.t.Fatal(err)
	}
	a := &answer{
		t: c.t, version: c.schema(), method: method,
		resp: resp, lines: bufio.NewReader(resp.Body), cancel: cancel,
	}
	c.t.Cleanup(a.leave)
	return a
}

// schema is the revision that answers are held to.
func (c *older) schema() string {
	if slices.Contains(olderVersions, c.version) {
		return c.version
	}
	return v2025March
}

// answer is one that is read message by message.
type answer struct {
	t               testing.TB
	version, method string
	resp            *http.Response
	lines           *bufio.Reader
	cancel          context.CancelFunc

	got    told
	id     string // of the last event, "" for none
	primes int    // events without a message
	retry  string
}

// leave closes the connection.
func (a *answer) leave() {
	a.cancel()
	a.resp.Body.Close()
}

// next is the next message as it was spelled; "" at the end.
func (a *answer) next() string {
	a.t.Helper()
	if a.resp.Header.Get("Content-Type") != "text/event-stream" {
		raw, err := io.ReadAll(a.lines)
		if err != nil {
			a.t.Errorf("reading the answer: %v", err)
		}
		if len(raw) > 0 {
			a.take(string(raw))
		}
		return string(raw)
	}
	for {
		line, err := a.lines.ReadString('\n')
		if err != nil {
			return "" // the end, or the test has left
		}
		if data := a.line(strings.TrimSuffix(line, "\n")); data != "" {
			a.take(data)
			return data
		}
	}
}

// line takes one line of a stream and returns the message in it.
func (a *answer) line(line string) (data string) {
	a.t.Helper()
	name, value, _ := strings.Cut(line, ": ")
	switch {
	case line == ":":
		a.got.comments++
	case name == "id":
		a.id = value
	case name == "retry":
		a.retry = value
	case name == "data" && value == "":
		a.primes++
	case name == "data":
		return value
	case line != "" && line != "event: message":
		a.t.Errorf("line %q in an event stream", line)
	}
	return ""
}

func (a *answer) take(raw string) {
	a.t.Helper()
	wireschema.ValidateLegacy(a.t, a.version, a.method, []byte(raw))
	a.got.raw = append(a.got.raw, raw)
	a.got.body += raw
	var m map[string]any
	if raw[0] == '[' {
		return // a batch
	}
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		a.t.Errorf("message %q: %v", raw, err)
	}
	a.got.messages = append(a.got.messages, m)
}

// end reads all that follows and returns the whole.
func (a *answer) end() told {
	a.t.Helper()
	for a.next() != "" {
	}
	a.got.status, a.got.header = a.resp.StatusCode, a.resp.Header
	a.leave()
	return a.got
}

func (a *answer) want(want string) {
	a.t.Helper()
	if got := a.next(); got != want {
		a.t.Errorf("got  %s\nwant %s", got, want)
	}
}

// question is a request of the server's.
type question struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
}

// question reads the next message, which must be one.
func (a *answer) question() question {
	a.t.Helper()
	var q question
	raw := a.next()
	if err := json.Unmarshal([]byte(raw), &q); err != nil || q.ID == nil || q.Method == "" {
		a.t.Fatalf("no question, but %s", raw)
	}
	var out bytes.Buffer
	if json.Compact(&out, q.Params) != nil || out.Len() != len(q.Params) {
		a.t.Errorf("params are not one line: %s", q.Params)
	}
	return q
}

// eventually waits for what happens soon, and nobody tells of.
func eventually(t testing.TB, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: waited too long", what)
		}
	}
}

// sameJSON compares values, not spellings.
func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	value := func(s string) (v any) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber() // T5: or large integers would be equal that are not
		if err := d.Decode(&v); err != nil {
			t.Errorf("%v: %s", err, s)
		}
		return v
	}
	return reflect.DeepEqual(value(a), value(b))
}
