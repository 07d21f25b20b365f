package probes

import (
	"context"
	"fmt"
	"slices"
)

// Mark is how a probe ended.
type Mark int

// The three ends of a probe.
const (
	Passed  Mark = iota
	Failed       // the fault is there
	Unknown      // it cannot be told: the server lacks what the probe needs
)

// Setup is the process that a probe wants.
type Setup int

// The setups of a server.
const (
	Shared   Setup = iota // the one that the other probes use
	Alone                 // one of its own: it may die of it
	Hurried               // one whose HTTP server has a write timeout of a second
	Sessions              // one that keeps sessions for clients of older revisions
	Raced                 // one that was built with the race detector
)

// Probe looks for one fault.
type Probe struct {
	Row   string // of the list of faults: T1 to T35, M1 to M24
	Short string // what it is about, in two or three words
	Title string // what is right, in a few words
	Why   string // what asks for it
	Setup Setup
	run   func(*trial)
}

// Case is one thing that a probe did.
type Case struct {
	Sent string // what was done
	Got  string // what came back, cut short
	OK   bool
	Note bool // it does not count: nothing demands otherwise
}

// Result is what a probe found.
type Result struct {
	Probe Probe
	Mark  Mark
	Why   string // of Unknown
	Cases []Case
}

// trial is one run of a probe against one server.
type trial struct {
	*Target
	ctx     context.Context
	cases   []Case
	skipped string
}

// expect records a case that counts.
func (t *trial) expect(ok bool, sent string, got fmt.Stringer) {
	t.cases = append(t.cases, Case{Sent: sent, Got: got.String(), OK: ok})
}

// note records a case that is worth knowing but does not count.
func (t *trial) note(ok bool, sent string, got fmt.Stringer) {
	t.cases = append(t.cases, Case{Sent: sent, Got: got.String(), OK: ok, Note: true})
}

// skip says why the probe cannot tell.
func (t *trial) skip(why string) { t.skipped = why }

// words are evidence in words.
type words string

func (w words) String() string { return shorten(string(w)) }

// Run looks for the fault in target, which is set up as the probe wants.
func (p Probe) Run(ctx context.Context, target *Target) Result {
	t := &trial{Target: target, ctx: ctx}
	if alive := t.send(t.echo("alive")); !alive.has("alive") && p.Setup != Sessions {
		return Result{Probe: p, Mark: Unknown, Why: "probe_echo does not answer: " + alive.String()}
	}
	p.run(t)
	r := Result{Probe: p, Cases: t.cases, Why: t.skipped}
	switch {
	case slices.ContainsFunc(t.cases, func(c Case) bool { return !c.OK && !c.Note }):
		r.Mark = Failed
	case t.skipped != "" || len(t.cases) == 0:
		r.Mark = Unknown
	}
	return r
}

// All are the probes, in the order of the rows.
func All() []Probe {
	return slices.Concat(doorProbes, messageProbes, headerProbes, streamProbes, resultProbes, sessionProbes, askProbes, answerProbes, stateProbes)
}

// Alive looks whether a server has what the suite calls at all.
func Alive() Probe {
	return Probe{Title: "server/discover answers", run: func(t *trial) {
		got := t.send(t.ask("server/discover", ""))
		t.expect(got.status == 200 && got.kind() == "complete", "`server/discover`", got)
	}}
}
