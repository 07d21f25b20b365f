package probes

import "strings"

// answerProbes are about answers.
var answerProbes = []Probe{
	{
		Row: "M4", Short: "declined is declined", Title: "a declined answer is declined, whatever it carries", run: probeDeclined,
		Why: "the schema, ElicitResult: content is present only when action is accept",
	},
	{
		Row: "M5", Short: "answer of another kind", Title: "what is no answer is refused, not asked for again", run: probeMalformed,
		Why: "safety: a client that sends the wrong kind would be asked for ever",
	},
	{
		Row: "M6", Short: "answers are checked", Title: "answers that break the form do not reach the handler", run: probeBreaking,
		Why: "the schema, ElicitResult: three actions, and values that match the requested schema; what comes over a network has to be checked by somebody",
	},
	{
		Row: "M7", Short: "unasked answers", Title: "an answer that nobody asked for does no harm", run: probeExtra,
		Why: "the official conformance runner, input-required-result-ignore-extra-params; what is malformed is invalid params, −32602",
	},
}

// answered answers the question of probe_ask.
func (t *trial) answered(entries string) *reply {
	asked := t.send(t.call("probe_ask", `{}`).withCaps(formCaps))
	r := t.call("probe_ask", `{}`).withCaps(formCaps).withParams(`"inputResponses":{` + entries + `}`)
	if state := asked.state(); state != "" {
		r.withParams(withState(state))
	}
	return t.send(r)
}

func probeDeclined(t *trial) {
	for _, entry := range []string{
		`{"action":"decline","content":{"name":"Mallory"}}`, `{"action":"cancel","content":{"name":"Mallory"}}`, `{"action":"decline","content":null}`,
	} {
		got := t.answered(`"who":` + entry)
		t.expect(got.has("declined") && !strings.Contains(got.body, "Mallory"), "`"+entry+"`", got)
	}
}

func probeMalformed(t *trial) {
	for _, entry := range []string{
		`{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`,
		`{"method":"elicitation/create","result":{"action":"accept","content":{"name":"Ada"}}}`,
		`"Ada"`, `{}`,
	} {
		got := t.answered(`"who":` + entry)
		t.expect(got.refused(), "`"+entry+"`", got)
	}
}

func probeBreaking(t *trial) {
	got := t.answered(`"who":{"action":"maybe","content":{"name":"Ada"}}`)
	t.expect(got.refused(), "`\"action\":\"maybe\"`", got)
	for _, content := range []string{`{"name":5}`, `{"name":{"first":"Ada"}}`, `{"name":""}`, `{"name":"Ada","age":"old"}`, `{}`} {
		got := t.answered(`"who":{"action":"accept","content":` + content + `}`)
		t.expect(got.refused() || got.kind() == "input_required", "accepted with `"+content+"`", got)
	}
}

func probeExtra(t *trial) {
	for _, extra := range []string{`{"action":"accept","content":{}}`, `{"what":"ever"}`, `5`} {
		got := t.answered(`"who":{"action":"accept","content":{"name":"Ada"}},"nobody":` + extra)
		t.expect(got.has("accepted Ada") || got.code() == -32602, "a good answer, and `\"nobody\":"+extra+"`", got)
	}
}
