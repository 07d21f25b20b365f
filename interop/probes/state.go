package probes

import (
	"fmt"
	"strings"
)

// stateProbes are about what travels through the client.
var stateProbes = []Probe{
	{
		Row: "M9", Short: "forged state", Title: "state that the client wrote skips no question", run: probeForged,
		Why: "safety: state comes back from a client, which may have written it",
	},
	{
		Row: "M12", Short: "one spelling", Title: "state has one spelling", run: probeSpelling,
		Why: "safety: whoever lists the states that were used must not be evaded by another spelling",
	},
	{
		Row: "M14", Short: "round cap", Title: "rounds have an end", run: probeRounds,
		Why: "safety: a flow without a cap lives for ever",
	},
	{
		Row: "M18", Short: "opaque state error", Title: "what is wrong with a state is not told", run: probeOpaque,
		Why: "safety: it would help somebody who probes the format",
	},
	{
		Row: "M23", Short: "state and arguments", Title: "state opens only for the arguments it was made for", run: probeArguments,
		Why: "safety: a yes to one question must not be one to another",
	},
	{
		Row: "M24", Short: "size of state", Title: "200 KB of state are refused", run: probeHuge,
		Why: "safety: every byte of it is somebody else's",
	},
}

const yes = `"inputResponses":{"sure":{"action":"accept","content":{"ok":true}}}`

// transfer calls probe_transfer.
func (t *trial) transfer(to, cents string, more ...string) *reply {
	r := t.call("probe_transfer", fmt.Sprintf(`{"to":%q,"cents":%s}`, to, cents)).withCaps(formCaps)
	for _, members := range more {
		r.withParams(members)
	}
	return t.send(r)
}

func probeForged(t *trial) {
	asked := t.transfer("ada", "1")
	t.expect(asked.kind() == "input_required", "the first call asks", asked)
	good := t.transfer("ada", "1", yes, withState(asked.state()))
	t.expect(good.has("sent 1 to ada"), "the answer with its state", good)

	got := t.transfer("eve", "1", yes)
	t.expect(!got.has("sent"), "a first call that brings the answer", got)
	for _, c := range []struct{ sent, state string }{
		{"the state of the last call", asked.state()},
		{"that state with eve for ada", strings.ReplaceAll(asked.state(), "ada", "eve")},
		{"the state `to=eve`", "to=eve"},
		{"the state `step=1`", "step=1"},
	} {
		got := t.transfer("eve", "1", yes, withState(c.state))
		t.expect(!got.has("sent 1 to eve"), "a call that nobody was asked about, with the answer and "+c.sent, got)
	}
}

func probeSpelling(t *trial) {
	state := t.transfer("ada", "1").state()
	for _, c := range []struct{ name, more string }{{"=", "="}, {"a newline", "\n"}, {"a space", " "}, {"a NUL", "\x00"}} {
		got := t.transfer("ada", "1", yes, withState(state+c.more))
		t.expect(!got.has("sent"), "a state with "+c.name+" behind it", got)
	}
}

func probeRounds(t *trial) {
	const most = 40
	r := t.transfer("ada", "1")
	rounds := 1
	for ; rounds < most && r.kind() == "input_required"; rounds++ {
		r = t.transfer("ada", "1", withState(r.state()))
	}
	t.expect(r.kind() != "input_required", "the state sent back without an answer, time and again", words(fmt.Sprintf("after %d rounds: %s", rounds, r)))
}

func probeOpaque(t *trial) {
	state := t.transfer("ada", "1").state()
	other := t.transfer("eve", "1").state()
	if state == "" || other == "" {
		t.skip("the tool gives no state")
		return
	}
	bodies := map[string]bool{}
	for _, c := range []struct{ sent, state string }{
		{"no state at all", "x"},
		{"half of it", state[:len(state)/2]},
		{"its last byte changed", state[:len(state)-1] + string(state[len(state)-1]^1)},
		{"its first byte changed", string(state[0]^1) + state[1:]},
		{"that of other arguments", other},
	} {
		got := t.transfer("ada", "1", yes, withState(c.state))
		bodies[got.body] = true
		t.expect(got.refused() && len(bodies) == 1, c.sent, got)
	}
}

func probeArguments(t *trial) {
	state := t.transfer("ada", "9007199254740992").state()
	for _, c := range []struct{ to, cents string }{{"eve", "9007199254740992"}, {"ada", "5"}, {"ada", "9007199254740993"}} {
		got := t.transfer(c.to, c.cents, yes, withState(state))
		t.expect(!got.has("sent"), fmt.Sprintf("asked: send 9007199254740992 to ada. Then, with that state and a yes: send %s to %s", c.cents, c.to), got)
	}
	got := t.send(t.call("probe_chain", `{}`).withCaps(formCaps).withParams(withState(state)))
	t.expect(got.refused(), "another tool with that state", got)
}

func probeHuge(t *trial) {
	got := t.transfer("ada", "1", withState(strings.Repeat("a", 200_000)))
	t.expect(got.refused(), "200 000 letters of state", got)
}
