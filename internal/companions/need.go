package companions

import (
	"slices"
	"strings"
)

// Need is something that MCP asks of what stands between a server and its
// clients.
type Need string

// The needs, in the order in which verdicts name them.
const (
	// Answers arrive as they were written: results, errors, notifications in
	// front of them.
	Answers Need = "answers"

	// FirstEvent arrives while the tool that sent it still works.
	FirstEvent Need = "first event"

	// LongStreams outlive the timeouts of the HTTP server, whether they say
	// something or not, and arrive whole.
	LongStreams Need = "long streams"

	// SlowAnswers in JSON outlive them as well.
	SlowAnswers Need = "slow answers"

	// Subscriptions are acknowledged at once, go on for longer than the timeouts,
	// and end with their result when the server closes. Without streams they are
	// refused with an error.
	Subscriptions Need = "subscriptions"

	// Disconnects end the handlers of those who have gone.
	Disconnects Need = "disconnects"
)

var needs = []Need{Answers, FirstEvent, LongStreams, SlowAnswers, Subscriptions, Disconnects}

// The verdicts on a middleware that can stay on the path; all others begin with
// KeepOff and name the needs that it does not meet.
const (
	Works    = "works"
	Degrades = "degrades to JSON"
	KeepOff  = "keep off: "
)

// Report is what was measured.
type Report struct {
	Faults map[Need]error // what went wrong, by need; a need that is met has none
	JSON   bool           // calls whose client accepts streams are answered in JSON

	Answer Head // of an answer in JSON of two kilobytes
	Event  Head // of a call with notifications, be it a stream or not
}

// Head is what is seen of an answer besides its body.
type Head struct {
	Header     map[string][]string // names in canonical form
	Compressed bool
}

// Verdict is one word for the report: [Works], [Degrades], or [KeepOff] and what
// is not met.
func (r Report) Verdict() string {
	var unmet []string
	for _, need := range needs {
		if r.Faults[need] != nil {
			unmet = append(unmet, string(need))
		}
	}
	switch {
	case len(unmet) > 0:
		return KeepOff + strings.Join(unmet, ", ")
	case r.JSON:
		return Degrades
	}
	return Works
}

// String is the verdict with the faults, a line each.
func (r Report) String() string {
	lines := []string{r.Verdict()}
	for need, fault := range r.Faults {
		lines = append(lines, "\t"+string(need)+": "+fault.Error())
	}
	slices.Sort(lines[1:])
	return strings.Join(lines, "\n")
}
