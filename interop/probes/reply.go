package probes

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// reply is what came back.
type reply struct {
	status int // 0: nothing that is HTTP
	header http.Header
	body   string
	err    error // of the connection

	messages []message // of the body, or of each event of it
}

// message is one JSON-RPC message.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// parse reads the messages of the body.
func (r *reply) parse() {
	if !r.streamed() {
		var m message
		if json.Unmarshal([]byte(r.body), &m) == nil && m.JSONRPC == "2.0" {
			r.messages = []message{m}
		}
		return
	}
	for event := range strings.SplitSeq(strings.ReplaceAll(r.body, "\r\n", "\n"), "\n\n") {
		if m, ok := parseEvent(event); ok {
			r.messages = append(r.messages, m)
		}
	}
}

// parseEvent reads the message of an event; a comment has none.
func parseEvent(event string) (message, bool) {
	var data []string
	for line := range strings.Lines(event) {
		if text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "data:"); ok {
			data = append(data, strings.TrimPrefix(text, " "))
		}
	}
	var m message
	if len(data) == 0 || json.Unmarshal([]byte(strings.Join(data, "\n")), &m) != nil {
		return m, false
	}
	return m, m.JSONRPC == "2.0"
}

func (r *reply) streamed() bool {
	return strings.HasPrefix(r.header.Get("Content-Type"), "text/event-stream")
}

// answer is the JSON-RPC response; an empty one if there is none.
func (r *reply) answer() message {
	for _, m := range r.messages {
		if m.Method == "" {
			return m
		}
	}
	return message{}
}

// code is that of a JSON-RPC error; 0 if there is none.
func (r *reply) code() int {
	if e := r.answer().Error; e != nil {
		return e.Code
	}
	return 0
}

// is reports whether it is the error of that code, under that status.
func (r *reply) is(status, code int) bool { return r.status == status && r.code() == code }

// refused reports whether the request was not acted on: an error of JSON-RPC or
// HTTP. A tool's own failure is none.
func (r *reply) refused() bool { return r.status >= 400 || r.code() != 0 }

// failed is refused, or a tool result that says that it is none.
func (r *reply) failed() bool { return r.refused() || string(r.result()["isError"]) == "true" }

func (r *reply) result() map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(r.answer().Result, &members) // none, if it is no object
	return members
}

// kind is the resultType.
func (r *reply) kind() string { return unquote(r.result()["resultType"]) }

func (r *reply) state() string { return unquote(r.result()["requestState"]) }

func unquote(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // "", if it is no string
	return s
}

// has reports whether the result of a call that succeeded has this in it.
func (r *reply) has(text string) bool {
	return !r.failed() && strings.Contains(string(r.answer().Result), text)
}

func (r *reply) String() string {
	switch {
	case r.status == 0 && r.err != nil:
		return clip("no answer: " + r.err.Error())
	case r.body == "":
		return fmt.Sprintf("%d, no body", r.status)
	}
	body := serverInfo.ReplaceAllString(strings.TrimSpace(r.body), "")
	text := fmt.Sprintf("%d `%s`", r.status, clip(body))
	if r.err != nil {
		text += " cut: " + clip(r.err.Error())
	}
	return text
}

// serverInfo is in every result, and never what it is about.
var serverInfo = regexp.MustCompile(`"_meta":\{"io\.modelcontextprotocol/serverInfo":\{[^{}]*\}\},|,?"_meta":\{"io\.modelcontextprotocol/serverInfo":\{[^{}]*\}\}`)

// Ports and times differ from one run to the next.
var (
	ports = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	times = regexp.MustCompile(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `)
)

// clip makes evidence fit into code within a line of a table.
func clip(text string) string { return shorten(strings.ReplaceAll(text, "`", "·")) }

// shorten makes evidence fit a line of a table.
func shorten(text string) string {
	const most = 240
	text = times.ReplaceAllString(ports.ReplaceAllString(strings.ToValidUTF8(text, "·"), "127.0.0.1"), "")
	text = strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return '⏎'
		case c < 0x20:
			return '·'
		default:
			return c
		}
	}, text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	if strings.Count(text, "`")%2 == 1 { // code that was cut
		text += "`"
	}
	return text
}
