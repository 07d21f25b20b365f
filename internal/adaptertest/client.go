package adaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/wireschema"
)

// object is JSON as a client sees it.
type object = map[string]any

// client talks to one application.
type client struct {
	t    testing.TB
	addr string
	http *http.Client
}

func newClient(t testing.TB, app App) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	if app.http2 {
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &client{t: t, addr: app.Addr, http: &http.Client{Transport: transport, Timeout: patience}}
}

// call is one request of the protocol.
type call struct {
	method string
	params object
	header http.Header // on top of those that the protocol asks for
	json   bool        // accepts JSON only
	quiet  bool        // wants no progress
	length int64       // −1: sent in chunks, without a length
}

// tool is a call of a tool.
func tool(name string, arguments object) call {
	return call{method: protocol.MethodToolsCall, params: object{"name": name, "arguments": arguments}}
}

func (c call) with(name, value string) call {
	c.header = c.header.Clone()
	if c.header == nil {
		c.header = http.Header{}
	}
	c.header.Add(name, value)
	return c
}

func (c call) jsonOnly() call { c.json = true; return c }

// body is the message, with the id and the token "t".
func (c call) body() []byte {
	meta := object{
		protocol.MetaProtocolVersion:    protocol.Version20260728,
		protocol.MetaClientCapabilities: object{"elicitation": object{"form": object{}}},
	}
	if !c.quiet {
		meta["progressToken"] = "t"
	}
	params := object{"_meta": meta}
	maps.Copy(params, c.params)
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": c.method, "params": params})
	if err != nil {
		panic(err) // of what a test wrote down
	}
	return body
}

func (c call) headers() http.Header {
	h := http.Header{
		"Content-Type":         {"application/json"},
		"Accept":               {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {protocol.Version20260728},
		"Mcp-Method":           {c.method},
	}
	if c.json {
		h.Set("Accept", "application/json")
	}
	for _, member := range []string{"name", "uri"} {
		if name, ok := c.params[member].(string); ok {
			h.Set("Mcp-Name", name)
		}
	}
	maps.Copy(h, c.header)
	return h
}

// request makes the HTTP request; Host of the header becomes the request's.
func (c *client) request(ctx context.Context, msg call) *http.Request {
	c.t.Helper()
	req := c.raw(ctx, http.MethodPost, Path, bytes.NewReader(msg.body()))
	req.Header = msg.headers()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	if msg.length < 0 {
		req.ContentLength = -1
	}
	return req
}

func (c *client) raw(ctx context.Context, method, path string, body io.Reader) *http.Request {
	c.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.addr+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return req
}

// answer is an HTTP answer that was read to its end.
type answer struct {
	status     int
	header     http.Header
	compressed bool
	body       []byte
	message    message // of a JSON body, or the last event of a stream
}

// message is the part of a JSON-RPC message that tests look at.
type message struct {
	ID     any    `json:"id"`
	Method string `json:"method"`
	Params object `json:"params"`
	Result object `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (m message) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

// text is the text of a tool's result.
func (m message) text() string {
	content, _ := m.Result["content"].([]any)
	if len(content) == 0 {
		return ""
	}
	block, _ := content[0].(object)
	text, _ := block["text"].(string)
	return text
}

// do sends req and reads the whole answer.
func (c *client) do(req *http.Request) answer {
	c.t.Helper()
	a, err := c.try(req)
	if err != nil {
		c.t.Fatalf("%s %s: %v", req.Method, req.URL.Path, err)
	}
	return a
}

// try is do for answers that may break off.
func (c *client) try(req *http.Request) (answer, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header, compressed: resp.Uncompressed}
	a.body, err = io.ReadAll(resp.Body)
	if err != nil {
		return a, err
	}
	switch a.header.Get("Content-Type") {
	case "application/json":
		if len(a.body) > 0 { // HEAD
			err = json.Unmarshal(a.body, &a.message)
			if method := methodOf(req); method != "" || req.Header.Get("Mcp-Protocol-Version") == "" {
				err = errors.Join(err, wireschema.Check(method, a.body))
			}
		}
	case "text/event-stream":
		var events []message
		if events, err = readAll(methodOf(req), bytes.NewReader(a.body)); len(events) > 0 {
			a.message = events[len(events)-1]
		}
	}
	return a, err
}

// methodOf is the method that a request names in its header, however that is
// spelled.
func methodOf(req *http.Request) string {
	for name, values := range req.Header {
		if strings.EqualFold(name, "Mcp-Method") {
			return values[0]
		}
	}
	return ""
}

// post is one call, answered with 200 or the test ends.
func (c *client) post(ctx context.Context, msg call) message {
	c.t.Helper()
	a := c.do(c.request(ctx, msg))
	if a.status != http.StatusOK {
		c.t.Fatalf("%s: status %d, body %q", msg.method, a.status, a.body)
	}
	return a.message
}

// ToolCall is a call of a tool as a client of 2026-07-28 sends it, with a
// progress token, to an application that listens on addr: for tests that bring
// their own server.
func ToolCall(t testing.TB, addr, name string, arguments map[string]any) *http.Request {
	t.Helper()
	return newClient(t, App{Addr: addr}).request(t.Context(), tool(name, arguments))
}
