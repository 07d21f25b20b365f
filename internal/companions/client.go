package companions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/wireschema"
)

type object = map[string]any

// Client calls one application. Its transport asks for compression by itself.
type Client struct {
	Server *server.Server
	url    string
	http   *http.Client
}

// Accept headers.
const (
	onlyJSON = "application/json"
	both     = "application/json, text/event-stream"
)

// Request makes a request for the application.
func (c *Client) Request(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	return http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
}

// Call makes the request of a call of the tool echo, for an answer in JSON.
func (c *Client) Call(ctx context.Context, text string) (*http.Request, error) {
	return c.request(ctx, onlyJSON, protocol.MethodToolsCall, tool("echo", object{"text": text}))
}

// Reply is an answer that was read to its end.
type Reply struct {
	Status int
	Header http.Header
	Body   string
}

// Do sends req and reads the answer.
func (c *Client) Do(req *http.Request) (Reply, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return Reply{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return Reply{resp.StatusCode, resp.Header, string(body)}, err
}

func tool(name string, arguments object) object {
	return object{"name": name, "arguments": arguments}
}

func (c *Client) request(ctx context.Context, accept, method string, params object) (*http.Request, error) {
	params = maps.Clone(params)
	params["_meta"] = object{
		protocol.MetaProtocolVersion:    protocol.Version20260728,
		protocol.MetaClientCapabilities: object{},
		"progressToken":                 "t",
	}
	body, err := jsonx.Marshal(object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	req, err := c.Request(ctx, http.MethodPost, Path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	req.Header.Set("Mcp-Protocol-Version", protocol.Version20260728)
	req.Header.Set("Mcp-Method", method)
	if name, ok := params["name"].(string); ok {
		req.Header.Set("Mcp-Name", name)
	}
	return req, nil
}

// answer is an answer whose body is being read.
type answer struct {
	Head
	status int
	method string // of the request
	body   io.ReadCloser
	events *events // nil: JSON
}

// open sends a request and returns when the head of the answer is there.
func (c *Client) open(ctx context.Context, accept, method string, params object) (*answer, error) {
	req, err := c.request(ctx, accept, method, params)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req) //nolint:bodyclose // the answer's close does it
	if err != nil {
		return nil, err
	}
	a := &answer{Head: Head{resp.Header, resp.Uncompressed}, status: resp.StatusCode, method: method, body: resp.Body}
	switch kind := resp.Header.Get("Content-Type"); kind {
	case "application/json":
	case "text/event-stream":
		a.events = newEvents(method, resp.Body)
	default:
		defer a.close()
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return nil, fmt.Errorf("status %d, Content-Type %q, body %q", resp.StatusCode, kind, text)
	}
	return a, nil
}

// call sends a request and reads the answer to its end: the notifications in
// front, and the message that answers.
func (c *Client) call(ctx context.Context, accept, method string, params object) (*answer, []message, message, error) {
	a, err := c.open(ctx, accept, method, params)
	if err != nil {
		return nil, nil, message{}, err
	}
	defer a.close()
	before, last, err := a.rest()
	return a, before, last, err
}

// rest reads what is left of an answer. A stream that breaks off, or ends
// without an answer, is an error.
func (a *answer) rest() (before []message, last message, err error) {
	if a.events == nil {
		raw, err := io.ReadAll(a.body)
		if err != nil {
			return nil, last, err
		}
		return nil, last, errors.Join(jsonx.Unmarshal(raw, &last), wireschema.Check(a.method, raw))
	}
	for {
		m, err := a.events.next()
		switch {
		case errors.Is(err, io.EOF) && last.Result == nil && last.Error == nil:
			return before, last, fmt.Errorf("the stream ends after %d events, without an answer", len(before))
		case errors.Is(err, io.EOF):
			return before, last, nil
		case err != nil:
			return before, last, err
		case m.Method != "":
			before = append(before, m)
		default:
			last = m
		}
	}
}

func (a *answer) close() { a.body.Close() }
