package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/wireschema"
)

const version = "2026-07-28"

// metaJSON is the least that _meta has to have.
const metaJSON = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// metaWith is _meta with these capabilities and further members.
func metaWith(capabilities string, members ...string) string {
	all := append([]string{
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28"`,
		`"io.modelcontextprotocol/clientCapabilities":` + capabilities,
	}, members...)
	return `"_meta":{` + strings.Join(all, ",") + `}`
}

// ask is one POST. The zero value of a field is what a good client sends.
type ask struct {
	method string
	params string // members of params after _meta, without braces
	meta   string // "": metaJSON
	id     string // "": 1
	name   string // Mcp-Name; "": left out
	body   string // instead of all of the above
	header map[string]string
	verb   string
}

func (a ask) build(t testing.TB, url string) *http.Request {
	t.Helper()
	body := a.body
	if body == "" {
		params := or(a.meta, metaJSON)
		if a.params != "" {
			params += "," + a.params
		}
		body = `{"jsonrpc":"2.0","id":` + or(a.id, "1") + `,"method":"` + a.method + `","params":{` + params + `}}`
	}
	req, err := http.NewRequestWithContext(t.Context(), or(a.verb, http.MethodPost), url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", version)
	req.Header.Set("Mcp-Method", a.method)
	if a.name != "" {
		req.Header.Set("Mcp-Name", a.name)
	}
	for name, value := range a.header {
		switch value {
		case "-":
			req.Header.Del(name)
		default:
			if strings.EqualFold(name, "Host") {
				req.Host = value
			}
			req.Header.Set(name, value)
		}
	}
	return req
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// told is what came back.
type told struct {
	status   int
	header   http.Header
	body     string
	comments int
	messages []map[string]any // in order
	raw      []string         // the same as they were spelled
}

// last is the last message; nil for none.
func (a told) last() map[string]any {
	if len(a.messages) == 0 {
		return nil
	}
	return a.messages[len(a.messages)-1]
}

func (a told) result() map[string]any {
	r, _ := a.last()["result"].(map[string]any)
	return r
}

func (a told) code() int {
	e, _ := a.last()["error"].(map[string]any)
	code, _ := e["code"].(float64)
	return int(code)
}

func (a told) message() string {
	e, _ := a.last()["error"].(map[string]any)
	text, _ := e["message"].(string)
	return text
}

func (a told) data() map[string]any {
	e, _ := a.last()["error"].(map[string]any)
	data, _ := e["data"].(map[string]any)
	return data
}

// text is the first content block's.
func (a told) text() string {
	content, _ := a.result()["content"].([]any)
	if len(content) == 0 {
		return ""
	}
	block, _ := content[0].(map[string]any)
	text, _ := block["text"].(string)
	return text
}

// tell sends a and holds every message of the answer to the schema.
func tell(t testing.TB, url string, a ask) told {
	t.Helper()
	resp, err := http.DefaultClient.Do(a.build(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return read(t, a.method, resp)
}

func read(t testing.TB, method string, resp *http.Response) told {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("reading the answer: %v", err)
	}
	out := told{status: resp.StatusCode, header: resp.Header, body: string(body)}
	kind := resp.Header.Get("Content-Type")
	switch {
	case kind == "text/event-stream":
		sc := bufio.NewScanner(bytes.NewReader(body))
		sc.Buffer(nil, len(body)+1)
		for sc.Scan() {
			out.line(t, sc.Text())
		}
	case kind == "application/json":
		if strings.ContainsAny(out.body, "\r\n") {
			t.Errorf("the body has more than one line: %q", out.body)
		}
		out.take(t, out.body)
	case len(body) > 0:
		t.Errorf("Content-Type %q with a body: %q", kind, body)
	}
	for _, raw := range out.raw {
		wireschema.Validate(t, method, []byte(raw))
	}
	return out
}

// line takes one line of an event stream, in the only form that is sent.
func (a *told) line(t testing.TB, line string) {
	t.Helper()
	data, isData := strings.CutPrefix(line, "data: ")
	switch {
	case isData:
		a.take(t, data)
	case line == ":":
		a.comments++
	case line != "" && line != "event: message":
		t.Errorf("line %q in an event stream", line)
	}
}

func (a *told) take(t testing.TB, raw string) {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		t.Errorf("message %q: %v", raw, err)
	}
	a.raw = append(a.raw, raw)
	a.messages = append(a.messages, m)
}
