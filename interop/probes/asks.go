package probes

import (
	"encoding/json"
	"fmt"
	"strings"
)

// askProbes are about questions.
var askProbes = []Probe{
	{
		Row: "M1", Short: "capability gate", Title: "nothing is asked that the client did not declare", run: probeUndeclared,
		Why: "the schema, MissingRequiredClientCapabilityError: returned when a request requires a capability that the client did not declare",
	},
	{
		Row: "M2", Short: "all that is missing", Title: "everything missing is named, as an object", run: probeMissing,
		Why: "the schema, MissingRequiredClientCapabilityError: data.requiredCapabilities is ClientCapabilities",
	},
	{
		Row: "M3", Short: "state-only round", Title: "a round with state alone is input_required", run: probeStateOnly,
		Why: "the schema, InputRequiredResult: at least one of inputRequests and requestState, so state alone is one; a client takes another label for the end",
	},
	{
		Row: "M16", Short: "chain of questions", Title: "a chain of questions ends", run: probeChain,
		Why: "basic/patterns/mrtr: the answers of a retry are those to the round before it",
	},
	{
		Row: "M20", Short: "asking everywhere", Title: "prompts and resources can ask", run: probeEverywhere,
		Why: "basic/patterns/mrtr: tools/call, prompts/get and resources/read may ask",
	},
}

func probeUndeclared(t *trial) {
	for _, caps := range []string{`{}`, `{"elicitation":{"url":{}}}`, `{"sampling":{}}`} {
		got := t.send(t.call("probe_ask", `{}`).withCaps(caps))
		t.expect(got.code() == -32021, "a form is asked for, capabilities `"+caps+"`", got)
	}
	for _, caps := range []string{`{"elicitation":true}`, `{"elicitation":[]}`, `{"elicitation":null}`} {
		got := t.send(t.call("probe_ask", `{}`).withCaps(caps))
		t.expect(got.refused(), "a form is asked for, capabilities `"+caps+"`", got)
	}
	for _, caps := range []string{`{"elicitation":{}}`, formCaps} {
		got := t.send(t.call("probe_ask", `{}`).withCaps(caps))
		t.expect(got.kind() == "input_required", "a form is asked for, capabilities `"+caps+"`", got)
	}
}

func probeMissing(t *trial) {
	for _, c := range []struct {
		caps string
		want []string
	}{
		{`{}`, []string{"elicitation", "sampling", "roots"}},
		{`{"elicitation":{}}`, []string{"sampling", "roots"}},
	} {
		got := t.send(t.call("probe_three", `{}`).withCaps(c.caps))
		if got.kind() == "input_required" {
			t.skip("it asks all the same, see M1")
			return
		}
		var data struct {
			Required map[string]json.RawMessage `json:"requiredCapabilities"`
		}
		if e := got.answer().Error; e != nil {
			_ = json.Unmarshal(e.Data, &data) // then it is empty
		}
		ok := got.code() == -32021 && len(data.Required) == len(c.want)
		for _, name := range c.want {
			ok = ok && strings.HasPrefix(string(data.Required[name]), "{")
		}
		t.expect(ok, "a form, a sample and the roots are asked for, capabilities `"+c.caps+"`", got)
	}
}

func probeStateOnly(t *trial) {
	got := t.send(t.call("probe_state_only", `{}`))
	t.expect(got.kind() == "input_required" && got.state() != "", "a tool that returns state and no question", got)
	again := t.send(t.call("probe_state_only", `{}`).withParams(withState(got.state())))
	t.expect(again.has("came back"), "the call again, with that state", again)
}

func withState(state string) string {
	raw, _ := json.Marshal(state) // a string
	return `"requestState":` + string(raw)
}

func probeChain(t *trial) {
	r := t.send(t.call("probe_chain", `{}`).withCaps(formCaps))
	t.expect(r.kind() == "input_required", "round 1", r)
	for i, answer := range []string{`"first":{"action":"accept","content":{"ok":true}}`, `"second":{"action":"accept","content":{"ok":true}}`, `"third":{"action":"accept","content":{"ok":true}}`} {
		r = t.send(t.call("probe_chain", `{}`).withCaps(formCaps).withParams(`"inputResponses":{` + answer + `}`).withParams(withState(r.state())))
		t.expect((i < 2) == (r.kind() == "input_required"), fmt.Sprintf("round %d, with the last answer and the last state", i+2), r)
	}
	t.expect(r.has("all three"), "the end", r)
}

func probeEverywhere(t *trial) {
	const answer = `"inputResponses":{"who":{"action":"accept","content":{"name":"Ada"}}}`
	for _, c := range []struct{ method, name, params string }{
		{"tools/call", "probe_ask", `"name":"probe_ask","arguments":{}`},
		{"prompts/get", "probe_ask", `"name":"probe_ask"`},
		{"resources/read", "probe://ask", `"uri":"probe://ask"`},
	} {
		got := t.send(t.ask(c.method, c.name, c.params).withCaps(formCaps))
		t.expect(got.kind() == "input_required" && strings.Contains(got.body, "Who are you?"), "`"+c.method+"` asks", got)
		got = t.send(t.ask(c.method, c.name, c.params, answer, withState(got.state())).withCaps(formCaps))
		t.expect(got.has("accepted Ada"), "`"+c.method+"` reads the answer", got)
	}
}
