package banktest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// older is a customer whose client speaks a revision with sessions.
type older struct {
	customer
	version, session string
}

// begin makes the handshake.
func (c customer) begin(t *testing.T, version string) older {
	t.Helper()
	o := older{customer: c, version: version}
	resp := o.do(t, t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":`+quote(version)+
		`,"capabilities":{"elicitation":{}},"clientInfo":{"name":"older","version":"1"}}}`, "")
	defer resp.Body.Close()
	o.session = resp.Header.Get("Mcp-Session-Id")
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || o.session == "" || err != nil {
		t.Fatalf("initialize: %d %s, %v", resp.StatusCode, body, err)
	}
	c.bank.conceal("session", o.session)
	return o
}

// do makes an HTTP request; after is an event id, or "".
func (o older) do(t *testing.T, ctx context.Context, method, body, after string) *http.Response { //nolint:revive // t first, as everywhere
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, o.bank.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": o.version,
		"Mcp-Session-Id": o.session, "Last-Event-ID": after, "Authorization": "Bearer " + o.bearer,
	} {
		if value != "" && value != "Bearer " {
			req.Header.Set(name, value)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// answer posts an answer to a question, and must be told a status.
func (o older) answer(t *testing.T, id json.RawMessage, result string, status int) {
	t.Helper()
	resp := o.do(t, t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":`+string(id)+`,"result":`+result+`}`, "")
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != status || err != nil {
		t.Errorf("an answer: %d %s, %v, want %d", resp.StatusCode, body, err, status)
	}
}

// talk is a call that asks on its stream.
type talk struct {
	older
	resp *http.Response
	r    *bufio.Reader
	cut  context.CancelFunc
	last string // id of the last event
}

// transfer calls the tool.
func (o older) transfer(t *testing.T) *talk {
	t.Helper()
	return o.open(t, http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transfer","arguments":`+
		transfer.first.arguments+`}}`, "")
}

// resume asks for what came after the last event.
func (k *talk) resume(t *testing.T) *talk {
	t.Helper()
	return k.open(t, http.MethodGet, "", k.last)
}

func (o older) open(t *testing.T, method, body, after string) *talk {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	k := &talk{older: o, cut: cancel, resp: o.do(t, ctx, method, body, after)} //nolint:bodyclose // by the cleanup
	t.Cleanup(func() {
		cancel()
		k.resp.Body.Close()
	})
	k.r = bufio.NewReader(k.resp.Body)
	if k.resp.StatusCode != http.StatusOK || k.resp.Header.Get("Content-Type") != "text/event-stream" {
		rest, _ := io.ReadAll(k.r)
		t.Fatalf("%s: %d %s, want a stream", method, k.resp.StatusCode, rest)
	}
	return k
}

// said is a message on a stream.
type said struct {
	question
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	message
}

// next is the next message; ok is false at the end of the stream.
func (k *talk) next(t *testing.T) (m said, ok bool) {
	t.Helper()
	for {
		line, err := k.r.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return m, false
		}
		if err != nil {
			t.Fatal(err)
		}
		if id, is := strings.CutPrefix(line, "id: "); is {
			k.last = strings.TrimSpace(id)
		}
		if data, is := strings.CutPrefix(line, "data: "); is && len(data) > 1 {
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatalf("%q: %v", data, err)
			}
			return m, true
		}
	}
}

// asked are the next messages, which have to be so many questions.
func (k *talk) asked(t *testing.T, count int) []said {
	t.Helper()
	all := make([]said, count)
	for i := range all {
		m, ok := k.next(t)
		if !ok || m.Method != "elicitation/create" || m.Params.Message == "" {
			t.Fatalf("got %+v, want question %d of %d", m, i+1, count)
		}
		all[i] = m
	}
	return all
}

// result is the next message, which has to be the result of the call, and the
// last one.
func (k *talk) result(t *testing.T) (text string, isError bool) {
	t.Helper()
	m, ok := k.next(t)
	for ok && m.Method == "notifications/cancelled" {
		m, ok = k.next(t)
	}
	if !ok || m.Result == nil || string(m.ID) != "1" || m.Result.ResultType != "" {
		t.Fatalf("got %+v, want the result", m)
	}
	if more, ok := k.next(t); ok {
		t.Errorf("after the result: %+v", more)
	}
	return reply{message: m.message}.text(), m.Result.IsError
}

// consent is a yes to a question, with the first choice of each.
func (m said) consent() string {
	content := object{}
	for name, property := range m.Params.RequestedSchema.Properties {
		content[name] = remark
		switch {
		case len(property.OneOf) > 0:
			content[name] = property.OneOf[0].Const
		case len(property.Enum) > 0:
			content[name] = property.Enum[0]
		}
	}
	return encode(object{"action": "accept", "content": content})
}

// consent answers some questions with yes.
func (o older) consent(t *testing.T, questions []said) {
	t.Helper()
	for _, q := range questions {
		o.answer(t, q.ID, q.consent(), http.StatusAccepted)
	}
}
