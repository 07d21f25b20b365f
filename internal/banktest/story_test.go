package banktest_test

import (
	"encoding/json"
	"testing"
)

// story is a call that asks, with how often it does until it is complete.
type story struct {
	name   string
	first  call
	rounds int
}

// transfer is a straight-line flow (encrypted), closeAccount has typed state
// (signed).
var (
	transfer     = story{"transfer", call{method: "tools/call", name: "transfer", arguments: `{"to":"bob","amount":500}`}, 2}
	closeAccount = story{"close_account", call{method: "tools/call", name: "close_account", arguments: `{}`}, 2}
	prompt       = story{"prompt", call{method: "prompts/get", name: "statement", arguments: `{"month":"2026-07"}`}, 1}
	resource     = story{"resource", call{method: "resources/read", name: "bank://statements/2026-07"}, 1}

	stories = []story{transfer, closeAccount, prompt, resource}
)

// remark is the answer to each question for a text.
const remark = "remark-of-the-user"

type object = map[string]any

// yes answers everything that is asked, with the first choice of each.
func (c customer) yes(r reply) string {
	answers := object{}
	for key, q := range r.Result.InputRequests {
		content := object{}
		for name, property := range q.Params.RequestedSchema.Properties {
			content[name] = remark
			if len(property.OneOf) > 0 {
				content[name] = property.OneOf[0].Const
				c.bank.conceal("answer", property.OneOf[0].Const)
			}
		}
		answers[key] = object{"action": "accept", "content": content}
	}
	c.bank.conceal("answer", remark)
	return encode(answers)
}

func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// next is the call that answers what was asked.
func (c customer) next(t *testing.T, what call, r reply) call {
	t.Helper()
	if !r.asks() {
		t.Fatalf("%s: got %v, want questions", what.name, r)
	}
	what.state, what.answers = quote(r.Result.RequestState), c.yes(r)
	return what
}

// play goes on with a call for some rounds of questions and returns the next
// one, which is not sent.
func (c customer) play(t *testing.T, what call, rounds int) call {
	t.Helper()
	for range rounds {
		what = c.next(t, what, c.send(t, what))
	}
	return what
}

// last is the call that completes a story.
func (c customer) last(t *testing.T, s story) call {
	t.Helper()
	return c.play(t, s.first, s.rounds)
}

// complete sends a call that must be the last one of a story.
func (c customer) complete(t *testing.T, what call) reply {
	t.Helper()
	r := c.send(t, what)
	if !r.completes() {
		t.Errorf("the control: got %v, want the end of %s", r, what.name)
	}
	return r
}

// refused is the one answer to every state that does not open.
const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid request state","data":{"reason":"invalid_request_state"}}}`

// refuse sends a call whose state must not open. M18: the answer is the same,
// byte by byte, whatever is wrong with the state.
func (c customer) refuse(t *testing.T, what call) {
	t.Helper()
	r := c.send(t, what)
	if r.status != 400 || r.contentType != "application/json" || r.body != refused {
		t.Errorf("got %s %v, want the one refusal", r.contentType, r)
	}
}
