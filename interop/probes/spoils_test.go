package probes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parleymcp/parley/interop/probes"
)

// spoilers are, for each probe, a server with the fault that it looks for and
// otherwise ours.
var spoilers = map[string]spoiler{
	"T1": {request: func(r *http.Request, body string) (string, *spoiled) {
		r.Header.Del("Origin")
		return body, nil
	}},
	"T2": {request: func(_ *http.Request, body string) (string, *spoiled) {
		if len(body) > 1<<20 {
			return "", result(`"content":[]`)
		}
		return body, nil
	}},
	"T23": {request: func(r *http.Request, body string) (string, *spoiled) {
		if r.Method == http.MethodGet {
			return "", refusal(http.StatusNotFound, "")
		}
		return body, nil
	}},
	"T24": {request: func(r *http.Request, body string) (string, *spoiled) {
		r.URL.Path, r.URL.RawPath = "/mcp", ""
		return body, nil
	}},
	"T3": edit(`"id":9007199254740993`, `"id":9007199254740992`),
	"T4": {request: func(_ *http.Request, body string) (string, *spoiled) { // the last one of any case wins
		var folded struct {
			Params struct{ Name string } `json:"params"`
		}
		if json.Unmarshal([]byte(body), &folded) == nil && folded.Params.Name == "probe_admin" {
			return "", result(`"content":[{"type":"text","text":"the admin tool ran"}]`)
		}
		return body, nil
	}},
	"T5": edit("9007199254740993", "9007199254740992"),
	"T6": {request: func(_ *http.Request, body string) (string, *spoiled) { // the first value is enough
		var first json.RawMessage
		if json.NewDecoder(strings.NewReader(body)).Decode(&first) == nil {
			body = string(first)
		}
		return body, nil
	}},
	"T7": {answer: plain("-32022", "unsupported version")},
	"T8": {answer: plain("-32700", "malformed payload")},
	"M8": editAnswer(`"code":-32602,"message":"`, `"code":-32602,"message":"json: cannot unmarshal array into Go struct field `),
	"T9": {request: func(r *http.Request, body string) (string, *spoiled) {
		if strings.HasPrefix(r.Header.Get("Mcp-Name"), "=?base64?") {
			return "", refusal(http.StatusBadRequest, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"mismatch"}}`)
		}
		return body, nil
	}},
	"T10": {request: func(r *http.Request, body string) (string, *spoiled) { // the first one wins
		for name := range r.Header {
			r.Header.Set(name, r.Header.Get(name))
		}
		return body, nil
	}},
	"T11": {request: func(r *http.Request, body string) (string, *spoiled) {
		if strings.Contains(r.Header.Get("Accept"), "*/*") {
			return "", refusal(http.StatusNotAcceptable, "")
		}
		return body, nil
	}},
	"T12": {deaf: true},
	"T13": {writeTimeout: time.Second},
	"T14": {answer: func(*spoiled) {}}, // one piece
	"T15": {answer: func(a *spoiled) {
		if i := strings.LastIndex(a.body, `data: {"jsonrpc":"2.0","method":"notifications/progress"`); i > 0 && a.status == http.StatusOK {
			a.body = a.body[:i] + strings.TrimPrefix(a.body[i:], "data: ") // no event any more
		}
	}},
	"T16": editAnswer(`data: {"jsonrpc":"2.0","id":1,"error"`, `{"jsonrpc":"2.0","id":1,"error"`),
	"T17": editAnswer(`"message":"Internal error"`, `"message":"panic: the password is swordfish"`),
	"T29": editAnswer(`"content":[]`, `"content":null`),
	"T30": editAnswer(`"cacheScope":"private"`, `"cacheScope":"public"`),
	"T31": editAnswer(`"isError":true`, `"isError":false`),
	"T32": {answer: func(a *spoiled) {
		if strings.Contains(a.body, "-32021") {
			a.status = http.StatusOK
		}
	}},
	"T35": editAnswer(`"type":"array"`, `"type":["null","array"]`),
	"T33": {answer: func(a *spoiled) {
		if a.status == http.StatusNotFound {
			a.status = http.StatusOK
		}
	}},
	"M19": {request: func(_ *http.Request, body string) (string, *spoiled) { // once is all that it asks
		if strings.Contains(body, `"probe_chain"`) {
			return "", result(`"content":[]`)
		}
		return body, nil
	}},
	"M1": edit(`clientCapabilities":{}`, `clientCapabilities":{"elicitation":{}}`),
	"M2": editAnswer(`"requiredCapabilities":{"elicitation":`, `"requiredCapabilities":{"another":`),
	"M3": editAnswer(`"input_required"`, `"complete"`),
	"M16": {request: func(_ *http.Request, body string) (string, *spoiled) { // it forgets
		return strings.ReplaceAll(body, `"requestState"`, `"forgotten"`), nil
	}},
	"M20": {request: func(r *http.Request, body string) (string, *spoiled) {
		if r.Header.Get("Mcp-Method") == "resources/read" {
			return "", result(`"contents":[{"uri":"probe://ask","text":"cannot ask"}]`)
		}
		return body, nil
	}},
	"M4": edit(`"action":"decline"`, `"action":"accept"`),
	"M5": edit(`"inputResponses"`, `"ignored"`),
	"M6": edit(`"action":"maybe"`, `"action":"decline"`),
	"M7": {request: func(_ *http.Request, body string) (string, *spoiled) {
		if strings.Contains(body, `"nobody"`) {
			return "", refusal(http.StatusBadRequest, `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"mismatch"}}`)
		}
		return body, nil
	}},
	"M9": {request: func(_ *http.Request, body string) (string, *spoiled) {
		if strings.Contains(body, `"requestState":"to=eve"`) {
			return "", result(`"content":[{"type":"text","text":"sent 1 to eve"}]`)
		}
		return body, nil
	}},
	"M12": {request: func(_ *http.Request, body string) (string, *spoiled) {
		return regexp.MustCompile(`("requestState":"[A-Za-z0-9._-]*)[^"]*"`).ReplaceAllString(body, `$1"`), nil
	}},
	"M14": edit(`"requestState"`, `"forgotten"`),
	"M18": {answer: numbered("Invalid request state")},
	"M23": {request: func(_ *http.Request, body string) (string, *spoiled) {
		return regexp.MustCompile(`"to":"\w+","cents":\d+`).ReplaceAllString(body, `"to":"ada","cents":1`), nil
	}},
	"M24": {request: func(_ *http.Request, body string) (string, *spoiled) {
		return regexp.MustCompile(`"requestState":"a+"`).ReplaceAllString(body, `"requestState":null`), nil
	}},
}

// edit changes a text wherever it is, on the way there or back.
func edit(from, to string) spoiler {
	return spoiler{request: func(_ *http.Request, body string) (string, *spoiled) {
		return strings.ReplaceAll(body, from, to), nil
	}}
}

func editAnswer(from, to string) spoiler {
	return spoiler{answer: func(a *spoiled) { a.body = strings.ReplaceAll(a.body, from, to) }}
}

// plain makes the errors of a code plain text.
func plain(code, text string) func(*spoiled) {
	return func(a *spoiled) {
		if strings.Contains(a.body, `"code":`+code) {
			a.contentType, a.body = "text/plain", text
		}
	}
}

// numbered makes each error another one.
func numbered(text string) func(*spoiled) {
	var n atomic.Int64
	return func(a *spoiled) {
		a.body = strings.ReplaceAll(a.body, text, fmt.Sprintf("%s, check %d", text, n.Add(1)))
	}
}

// TestFaults shows that each probe can fail: it finds its fault in a server
// that has it.
func TestFaults(t *testing.T) {
	for _, probe := range probes.All() {
		t.Run(probe.Row, func(t *testing.T) {
			t.Parallel()
			var result probes.Result
			switch spoiler, ok := spoilers[probe.Row]; {
			case ok:
				result = spoiler.run(t, probe)
			case probe.Row == "T18":
				result = stubborn(t, probe)
			case probe.Row == "T28":
				result = racing(t, probe)
			default:
				t.Fatal("nobody has shown that this probe can fail")
			}
			if result.Mark != probes.Failed {
				t.Errorf("it has the fault, but the probe says %v, %s: %+v", result.Mark, result.Why, result.Cases)
			}
		})
	}
}
