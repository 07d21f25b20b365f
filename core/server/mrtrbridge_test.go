package server_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

const everything = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}`

// asker is a tool that asks all of asks at once and says what was answered.
func asker(name string, asks ...core.InputRequest) core.Feature {
	return toolOf(name, func(_ context.Context, ev *core.Event) (string, error) {
		if missing := ev.Missing(asks...); len(missing) > 0 {
			return "", ev.InputRequired(missing...)
		}
		var out []string
		for _, ask := range asks {
			raw, _ := ev.Response(ask.Key())
			out = append(out, ask.Key()+"="+string(raw))
		}
		return strings.Join(out, " "), nil
	})
}

// questionText is a question as it was sent, without its id.
func questionText(q question) string { return q.Method + " " + string(q.Params) }

type sized struct {
	Size string `json:"size" enum:"*" default:"s"`
	Fast bool   `json:"fast" default:"true"`
	Note string `json:"note,omitempty" maxLength:"9" default:"-"`
	N    int    `json:"n,omitempty" minimum:"1" default:"3"`
}

var (
	askSized = core.Form[sized]("size", "Which?").Choices("size", core.Choice{Value: "s", Title: "Small"}, core.Choice{Value: "l", Title: "Large"})
	askPage  = core.URL("page", "Open it.", "https://pay.example/7")
	askModel = core.Raw("model", "sampling/createMessage", []byte(`{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":5,"includeContext":"thisServer"}`))
	askTools = core.Raw("tools", "sampling/createMessage", []byte(`{"messages":[],"maxTokens":5,"tools":[]}`))
	askRoots = core.Raw("roots", "roots/list", nil)
	askMany  = core.Raw("many", "elicitation/create", []byte(`{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}`))
	askLines = core.Raw("lines", "elicitation/create", []byte("{\"mode\":\"form\",\n\"message\":\"?\",\r\n\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}"))
)

// M19: each kind of question goes out as the client's revision knows it, and
// comes back to the handler; what it does not know is refused before a byte is
// written.
func TestM19Bridge(t *testing.T) {
	const (
		form  = `"message":"What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`
		model = `sampling/createMessage {"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":5,"includeContext":"thisServer"}`
	)
	for name, tc := range map[string]struct {
		ask       core.InputRequest
		nov, june string // as sent; what begins with ! is the text of a refusal
		result    string
	}{
		"form":     {askName, `elicitation/create {"mode":"form",` + form, `elicitation/create {` + form, `{"action":"accept","content":{"name":"Ada"}}`},
		"sampling": {askModel, model, model, `{"role":"assistant","content":{"type":"text","text":"Ho"},"model":"m"}`},
		"sampling tools": {
			askTools, `sampling/createMessage {"messages":[],"maxTokens":5,"tools":[]}`,
			"!This call needs input from the user, and the client did not declare sampling with tools.", `{"role":"assistant","content":[],"model":"m"}`,
		},
		"roots": {askRoots, `roots/list {}`, `roots/list {}`, `{"roots":[{"uri":"file:///a"}]}`},
		"URL": {
			askPage, `elicitation/create {"mode":"url","message":"Open it.","url":"https://pay.example/7","elicitationId":"ID"}`,
			"!This call needs input from the user, and the client did not declare elicitation by URL.", `{"action":"accept"}`,
		},
		"choices": {
			askSized,
			`elicitation/create {"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{` +
				`"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}],"default":"s"},` +
				`"fast":{"type":"boolean","default":true},"note":{"type":"string","maxLength":9,"default":"-"},"n":{"type":"integer","minimum":1,"default":3}},"required":["size","fast"]}}`,
			`elicitation/create {"message":"Which?","requestedSchema":{"type":"object","properties":{` +
				`"size":{"type":"string","enum":["s","l"],"enumNames":["Small","Large"]},` +
				`"fast":{"type":"boolean","default":true},"note":{"type":"string","maxLength":9},"n":{"type":"integer","minimum":1}},"required":["size","fast"]}}`,
			`{"action":"accept","content":{"size":"l","fast":false}}`,
		},
		"several at once": {
			askMany, `elicitation/create {"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}`,
			"!This call asks for several choices at once, which clients know as of MCP 2025-11-25.", `{"action":"accept","content":{"a":["x"]}}`,
		},
		"one line": {
			askLines, `elicitation/create {"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{}}}`,
			`elicitation/create {"message":"?","requestedSchema":{"type":"object","properties":{}}}`, `{"action":"decline"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				url := serve(t, &bridge{srv: newServer(t, withSessions(), asker("ask", tc.ask)), detached: detached})
				for version, want := range map[string]string{
					v2025Nov: tc.nov, v2025June: tc.june,
					v2025March: "!This call needs input from the user, which clients can be asked for as of MCP 2026-07-28.",
				} {
					c := joined(t, url, version, everything)
					a := c.ask("1", "tools/call", `"name":"ask"`)
					if text, no := strings.CutPrefix(want, "!"); no {
						got := a.end()
						if got.text() != text || got.result()["isError"] != true || got.header.Get("Content-Type") != "application/json" {
							t.Errorf("%s: got %v %s, want %q", version, got.header, got.body, text)
						}
						continue
					}
					q := a.question()
					if got := hideID(questionText(q)); !sameQuestion(t, got, want) {
						t.Errorf("%s: got  %s\nwant %s", version, got, want)
					}
					c.reply(string(q.ID), tc.result)
					got := a.end()
					if got.text() != tc.ask.Key()+"="+tc.result || len(got.raw) != 2 {
						t.Errorf("%s: got %s", version, got.body)
					}
				}
			})
		})
	}
}

// hideID replaces the value of elicitationId, which is chance.
func hideID(s string) string {
	before, after, has := strings.Cut(s, `"elicitationId":"`)
	id, rest, _ := strings.Cut(after, `"`)
	if !has || len(id) < 20 {
		return s
	}
	return before + `"elicitationId":"ID"` + rest
}

func sameQuestion(t *testing.T, a, b string) bool {
	t.Helper()
	method, params, _ := strings.Cut(a, " ")
	wanted, rest, _ := strings.Cut(b, " ")
	return method == wanted && sameJSON(t, params, rest)
}

// M19, M20: prompts, resources and templates ask as tools do, and where they
// cannot the error is of JSON-RPC.
func TestM19OtherFeatures(t *testing.T) {
	type vars struct {
		ID string `json:"id"`
	}
	features := []core.Feature{
		core.NewPrompt("greet", "Greets.", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) { return greet(ev) }),
		core.NewResource("docs://greeting", "greeting", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) }),
		core.NewTemplate("docs://{id}/greeting", "greeting", func(_ context.Context, ev *core.Event, _ vars) (string, error) { return greet(ev) }),
	}
	const refusal = "This call needs input from the user, "
	inStyles(t, func(t *testing.T, detached bool) {
		url := serve(t, &bridge{srv: newServer(t, withSessions(), features...), detached: detached})
		for name, tc := range map[string]struct{ method, params string }{
			"prompt":   {"prompts/get", `"name":"greet"`},
			"resource": {"resources/read", `"uri":"docs://greeting"`},
			"template": {"resources/read", `"uri":"docs://7/greeting"`},
		} {
			c := joined(t, url, v2025Nov, `{"elicitation":{}}`)
			a := c.ask("1", tc.method, tc.params)
			c.reply(string(a.question().ID), `{"action":"accept","content":{"name":"Ada"}}`)
			if got := a.end(); !strings.Contains(got.body, "Hello, Ada!") {
				t.Errorf("%s: %s", name, got.body)
			}
			a = c.ask("1", tc.method, tc.params)
			q := a.question()
			got := c.post(`{"jsonrpc":"2.0","id":` + string(q.ID) + `,"error":{"code":-1,"message":"no"}}`)
			if got.status != 202 {
				t.Errorf("%s: %d", name, got.status)
			}
			if got := a.end(); got.code() != -32603 || got.message() != "The client did not answer the question." {
				t.Errorf("%s: error reply: %s", name, got.body)
			}
			mute := joined(t, url, v2025Nov, `{}`)
			if got := mute.tell(tc.method, tc.params); got.code() != -32603 ||
				got.message() != refusal+"and the client did not declare elicitation by form" {
				t.Errorf("%s: nothing declared: %s", name, got.body)
			}
			march := joined(t, url, v2025March, `{"elicitation":{}}`)
			if got := march.tell(tc.method, tc.params); got.code() != -32603 ||
				got.message() != refusal+"which clients can be asked for as of MCP 2026-07-28" {
				t.Errorf("%s: 2025-03-26: %s", name, got.body)
			}
		}
	})
}

// M19: who cannot be asked is told so, before anything is written: without a
// session, without a stream, without the capability.
func TestM19CannotAsk(t *testing.T) {
	tool := toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) {
		if ev.CanRequest(askName) {
			return greet(ev)
		}
		return "", ev.InputRequired(askName)
	})
	stateless, stateful := start(t, nil, tool), start(t, withSessions(), tool)
	whole := serve(t, &bridge{
		srv:    newServer(t, withSessions(), tool),
		change: func(r *server.Request) { r.CanStream = false }, // as to HTTP/1.0
	})
	const dated = "This call needs input from the user, which clients can be asked for as of MCP 2026-07-28."
	const lacking = "This call needs input from the user, and the client did not declare elicitation by form."
	for name, tc := range map[string]struct {
		c    *older
		want string
	}{
		"stateless": {&older{t: t, url: stateless, version: v2025Nov}, dated},
		"JSON only": {joined(t, stateful, v2025Nov, `{"elicitation":{}}`).with("Accept", "application/json"), dated},
		"no stream": {joined(t, whole, v2025Nov, `{"elicitation":{}}`), dated},
		"nothing":   {joined(t, stateful, v2025Nov, ``), lacking},
		"true":      {joined(t, stateful, v2025Nov, `{"elicitation":true}`), lacking},
		"URL only":  {joined(t, stateful, v2025Nov, `{"elicitation":{"url":{}}}`), lacking},
		"form true": {joined(t, stateful, v2025Nov, `{"elicitation":{"form":true}}`), lacking},
	} {
		got := tc.c.call("greet", "")
		if got.status != 200 || got.text() != tc.want || got.result()["isError"] != true || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	// 2025-06-18 knows no kinds of elicitation: it is by form.
	c := joined(t, stateful, v2025June, `{"elicitation":{"url":{}}}`)
	a := c.ask("1", "tools/call", `"name":"greet"`)
	c.reply(string(a.question().ID), `{"action":"cancel"}`)
	if got := a.end(); got.text() != "No problem." {
		t.Errorf("2025-06-18: %s", got.body)
	}
}

// M16, M19: three rounds of typed state; what comes back is sealed as it is for
// everybody else.
func TestM19TypedState(t *testing.T) {
	type trip struct{ Names []string }
	state := core.NewState[trip]("trip")
	tool := toolOf("trip", func(_ context.Context, ev *core.Event) (string, error) {
		st, err := state.Open(ev)
		if err != nil {
			return "", err
		}
		if name, ok := askName.Accepted(ev); ok {
			st.Names = append(st.Names, name.Name)
		}
		if len(st.Names) == 3 {
			return strings.Join(st.Names, " "), nil
		}
		ev.Progress(1, 3, "") // again in each round, which to the client is one request
		ev.Progress(float64(len(st.Names)+1), 3, "")
		return "", state.InputRequired(ev, st, askName.Messagef("Name %d?", len(st.Names)+1))
	})
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, withSessions(func(c *server.Config) { c.Keys = []seal.Key{testKey('a')} }), tool)
		c := joined(t, serve(t, &bridge{srv: srv, detached: detached}), v2025June, `{"elicitation":{}}`)
		a := c.ask(`"x"`, "tools/call", `"name":"trip","_meta":{"progressToken":7}`)
		for i, name := range []string{"Ada", "Bea", "Cid"} {
			a.want(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":%d,"total":3}}`, i+1))
			q := a.question()
			if want := fmt.Sprintf(`"message":"Name %d?"`, i+1); !strings.Contains(string(q.Params), want) || string(q.ID) != strconv.Itoa(i+1) {
				t.Errorf("question %s %s, want %s", q.ID, q.Params, want)
			}
			c.reply(string(q.ID), `{"action":"accept","content":{"name":"`+name+`"}}`)
		}
		a.want(`{"jsonrpc":"2.0","id":"x","result":{"content":[{"type":"text","text":"Ada Bea Cid"}]}}`)
		a.want("")
	})
}
