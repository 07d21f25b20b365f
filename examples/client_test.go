package examples_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/wireschema"
)

// message is what a server sends.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result *result         `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

type result struct {
	ResultType    string                     `json:"resultType"`
	InputRequests map[string]json.RawMessage `json:"inputRequests"`
	RequestState  string                     `json:"requestState"`
	IsError       bool                       `json:"isError"`
	Content       []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Tools []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

// text is the result's content, if it is one text.
func (m message) text() string {
	if m.Result == nil || m.Result.IsError || len(m.Result.Content) != 1 {
		return ""
	}
	return m.Result.Content[0].Text
}

// asked are the keys of the questions in an interim result.
func (m message) asked() []string {
	if m.Result == nil || m.Result.ResultType != "input_required" {
		return nil
	}
	var keys []string
	for key := range m.Result.InputRequests {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (m message) String() string {
	raw, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

type object = map[string]any

var everyCapability = object{"elicitation": object{}, "sampling": object{}, "roots": object{}}

var client = &http.Client{Timeout: patience}

// send posts one request of 2026-07-28; accept is the Accept header.
func (p *program) send(t *testing.T, accept, method string, params object) *http.Response {
	t.Helper()
	if params["_meta"] == nil {
		params["_meta"] = object{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": everyCapability,
		}
	}
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", method)
	if name, ok := params["name"].(string); ok {
		req.Header.Set("Mcp-Name", name)
	}
	if p.token != "" {
		req.Header.Set("Authorization", "Bearer "+p.token)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// call posts a request and returns the answer to it.
func (p *program) call(t *testing.T, method string, params object) message {
	t.Helper()
	resp := p.send(t, "application/json", method, params)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	wireschema.Validate(t, method, raw)
	return decode(t, raw)
}

// tool calls a tool without arguments; more may be nil.
func (p *program) tool(t *testing.T, name string, more object) message {
	t.Helper()
	params := object{"name": name, "arguments": object{}}
	maps.Copy(params, more)
	return p.call(t, "tools/call", params)
}

func decode(t *testing.T, raw []byte) message {
	t.Helper()
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	return m
}

// events is an open event stream.
type events struct{ lines *bufio.Scanner }

// listen opens a subscription to one kind of notification, and reads its
// acknowledgement.
func (p *program) listen(t *testing.T, kind string) *events {
	t.Helper()
	resp := p.send(t, "text/event-stream", "subscriptions/listen", object{"notifications": object{kind: true}})
	t.Cleanup(func() { _ = resp.Body.Close() })
	e := &events{bufio.NewScanner(resp.Body)}
	if ack := e.next(t); ack.Method != "notifications/subscriptions/acknowledged" {
		t.Fatalf("the first event is %v, want the acknowledgement", ack)
	}
	return e
}

// next is the next event of the stream.
func (e *events) next(t *testing.T) message {
	t.Helper()
	for e.lines.Scan() {
		if data, ok := strings.CutPrefix(e.lines.Text(), "data: "); ok {
			return decode(t, []byte(data))
		}
	}
	t.Fatalf("the stream has ended: %v", e.lines.Err())
	return message{}
}

func answer(key string, content object) object {
	return object{key: object{"action": "accept", "content": content}}
}
