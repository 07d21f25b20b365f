package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

const (
	noAnswer   = "The client did not answer the question."
	accepted   = `{"action":"accept","content":{"name":"Ada"}}`
	cancelled1 = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	cancelled2 = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`
)

// toolError is the result of a tool that failed with a text.
func toolError(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"` + text + `"}],"isError":true}}`
}

var askOther = core.Form[person]("other", "And the other's?")

// M19: questions of a round go out together, and are answered in any order.
func TestM19SeveralAsks(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, withSessions(), asker("both", askName, askOther, askRoots))
		c := joined(t, serve(t, &bridge{srv: srv, detached: detached}), v2025Nov, everything)
		a := c.ask("1", "tools/call", `"name":"both"`)
		var ids []string
		for range 3 {
			ids = append(ids, string(a.question().ID))
		}
		if strings.Join(ids, ",") != "1,2,3" {
			t.Errorf("ids %v", ids)
		}
		c.reply("3", `{"roots":[]}`)
		c.reply("1", accepted)
		c.reply("2", `{"action":"decline"}`)
		if got := a.end(); got.text() != `user_name=`+accepted+` other={"action":"decline"} roots={"roots":[]}` {
			t.Errorf("got %s", got.body)
		}
		// A batch has no place for questions, but answers may come in one.
		march := joined(t, c.url, v2025March, everything)
		if got := march.post(`[` + message("tools/call", `"name":"both"`) + `]`); !strings.Contains(got.body, "which clients can be asked for as of") {
			t.Errorf("in a batch: %s", got.body)
		}
	})
}

// How a round ends that was not answered well: the text for the model, and what
// the client is told to forget.
func TestM19BadReplies(t *testing.T) {
	response := func(id, member, value string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"` + member + `":` + value + `}`
	}
	done := func(text string) string {
		return `{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
	}
	deep := strings.Repeat(`[`, 20) + strings.Repeat(`]`, 20)
	for name, tc := range map[string]struct {
		replies []string
		want    []string // that follow
	}{
		"accepted":       {[]string{response("1", "result", accepted), response("2", "result", accepted)}, []string{done("Ada Ada")}},
		"declined":       {[]string{response("1", "result", `{"action":"decline","content":{"name":"Eve"}}`), response("2", "result", accepted)}, []string{done("Declined Ada")}},
		"cancelled":      {[]string{response("1", "result", `{"action":"cancel"}`), response("2", "result", accepted)}, []string{done("Cancelled Ada")}},
		"M5 invalid":     {[]string{response("1", "result", `{"action":"accept","content":{"name":5}}`), response("2", "result", accepted)}, []string{done("Invalid Ada")}},
		"error":          {[]string{response("1", "error", `{"code":-32603,"message":"secret"}`)}, []string{cancelled2, toolError("9", noAnswer)}},
		"error, second":  {[]string{response("2", "error", `{"code":-1,"message":"x"}`)}, []string{cancelled1, toolError("9", noAnswer)}},
		"error, at last": {[]string{response("2", "result", accepted), response("1", "error", `{"code":-1,"message":"x"}`)}, []string{toolError("9", noAnswer)}},
		"M6 malformed":   {[]string{response("1", "result", `{"action":"maybe"}`), response("2", "result", accepted)}, []string{toolError("9", "Invalid input response")}},
		"M6 no object":   {[]string{response("1", "result", `7`), response("2", "result", accepted)}, []string{toolError("9", "Invalid input response")}},
		"M5 null":        {[]string{response("1", "result", `null`), response("2", "result", accepted)}, []string{toolError("9", "Invalid input response")}},
		"too deep":       {[]string{response("1", "result", deep), response("2", "result", accepted)}, []string{toolError("9", noAnswer)}},
		"too large":      {[]string{response("1", "result", `"`+strings.Repeat("a", 257<<10)+`"`), response("2", "result", accepted)}, []string{toolError("9", noAnswer)}},
		"twice": { // the first counts
			[]string{response("1", "result", accepted), response("1", "result", `{"action":"decline"}`), response("1", "error", `{"code":1,"message":"x"}`), response("2", "result", accepted)},
			[]string{done("Ada Ada")},
		},
		"unknown ids": {
			[]string{response("3", "result", accepted), response(`"1"`, "result", `{"action":"decline"}`), response("0", "error", `{"code":1,"message":"x"}`), response("null", "error", `{"code":1,"message":"x"}`), response("1", "result", accepted), response("2", "result", accepted)},
			[]string{done("Ada Ada")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				tool := toolOf("two", func(_ context.Context, ev *core.Event) (string, error) {
					one, two := askName.Answer(ev), askOther.Answer(ev)
					if two.State == core.Missing {
						return "", ev.InputRequired(askName, askOther)
					}
					show := func(a core.Answer[person]) string {
						if a.State == core.Accepted {
							return a.Value.Name
						}
						return a.State.String()
					}
					return show(one) + " " + show(two), nil
				})
				c := joined(t, serve(t, &bridge{srv: newServer(t, withSessions(), tool), detached: detached}), v2025Nov, everything)
				a := c.ask("9", "tools/call", `"name":"two"`)
				a.question()
				a.question()
				for _, reply := range tc.replies {
					if got := c.post(reply); got.status != 202 || got.body != "" {
						t.Errorf("reply: %d %s", got.status, got.body)
					}
				}
				for _, want := range append(tc.want, "") {
					a.want(want)
				}
			})
		})
	}
}

// M19: only the session that was asked answers, and only its principal.
func TestM19RepliesOfOthers(t *testing.T) {
	tool := toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) })
	url := start(t, withSessions(func(c *server.Config) { c.Principal = byHeader }), tool)
	as := func(who string) *older {
		c := &older{t: t, url: url, version: v2025Nov, header: map[string]string{"Authorization": who}}
		c.initialize(everything)
		return c
	}
	ada, eve := as("ada"), as("eve")
	a := ada.ask("1", "tools/call", `"name":"greet"`)
	q := a.question()
	const mallory = `{"action":"accept","content":{"name":"Mallory"}}`
	eve.reply(string(q.ID), mallory)       // her own session, where nothing was asked
	as("ada").reply(string(q.ID), mallory) // another of Ada's
	stolen := eve.with("X", "y")
	stolen.session = ada.session
	refused{404, -32600, "Session not found"}.check(t, stolen.post(`{"jsonrpc":"2.0","id":`+string(q.ID)+`,"result":`+mallory+`}`), "null")
	none := ada.with("X", "y")
	none.session = ""
	none.reply(string(q.ID), mallory) // of no session: taken, and nobody's
	stolen.session = ada.session
	if got := stolen.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`); got.status != 404 {
		t.Errorf("cancelled by another: %d", got.status)
	}
	eve.cancel("1")
	ada.reply(string(q.ID), accepted)
	if got := a.end(); got.text() != "Hello, Ada!" {
		t.Errorf("got %s", got.body)
	}
}

// M4, M15, M19: a straight-line flow over the bridge: settled answers stay,
// nothing happens without a yes, and what happens happens once.
func TestM19Journal(t *testing.T) {
	var sent atomic.Int64
	tool := toolOf("send", func(_ context.Context, ev *core.Event) (string, error) {
		who, err := askName.Require(ev)
		if err != nil {
			return "", err
		}
		quote, err := core.Memo(ev, "quote", func() (string, error) { return fmt.Sprintf("7 to %s", who.Name), nil })
		if err != nil {
			return "", err
		}
		if err := core.Confirm(ev, "sure", "Send "+quote+"?"); err != nil {
			return "", err
		}
		return core.Commit(ev, "send", func(string) (string, error) {
			sent.Add(1)
			return "sent " + quote, nil
		})
	})
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, withSessions(func(c *server.Config) { c.Keys = []seal.Key{testKey('a')} }), tool)
		url := serve(t, &bridge{srv: srv, detached: detached})
		for _, version := range []string{v2025Nov, v2025June} {
			sent.Store(0)
			for name, tc := range map[string]struct {
				sure  string
				want  string
				count int64
			}{
				"yes":      {`{"action":"accept","content":{}}`, "sent 7 to Ada", 1},
				"declined": {`{"action":"decline","content":{"sure":true}}`, "", 0},
			} {
				before := sent.Load()
				c := joined(t, url, version, `{"elicitation":{}}`)
				a := c.ask("1", "tools/call", `"name":"send"`)
				c.reply(string(a.question().ID), accepted)
				q := a.question()
				if !strings.Contains(string(q.Params), `"message":"Send 7 to Ada?"`) {
					t.Errorf("%s: %s", name, q.Params)
				}
				c.reply(string(q.ID), tc.sure)
				got := a.end()
				if n := sent.Load() - before; n != tc.count || tc.want != "" && got.text() != tc.want || (tc.want == "") != (got.result()["isError"] == true) {
					t.Errorf("%s %s: %d times, %s", version, name, n, got.body)
				}
			}
		}
	})
}
