package core

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// journal is what a straight-line flow remembers between rounds. It travels
// sealed and encrypted in requestState.
type journal struct {
	Pending map[string]pending         `json:"pending,omitempty"`
	Settled map[string]settled         `json:"settled,omitempty"`
	Memos   map[string]json.RawMessage `json:"memos,omitempty"`
}

// pending is a question that the last round asked.
type pending struct {
	Digest   string `json:"d"`
	Invalid  int    `json:"i,omitzero"` // times its answer was not valid
	Reworded int    `json:"r,omitzero"` // times in a row that it had another digest
}

// settled is an answer; it never changes while its question stays the same.
type settled struct {
	Digest   string          `json:"d"`
	State    AnswerState     `json:"s"`
	Content  json.RawMessage `json:"c,omitempty"`
	Reworded int             `json:"r,omitzero"`
}

const (
	// maxJournal is the budget of a journal in bytes: encrypted and in base64 it
	// must fit a requestState, and clients keep it in memory.
	maxJournal = 24 << 10

	// maxRepeats is how often a question is asked again because its answer was
	// not valid, and how often in a row because its wording changed.
	maxRepeats = 2
)

// flow is the straight-line side of an event.
type flow struct {
	journal journal            // as the last round sealed it, and what this run settled
	asking  map[string]pending // this run's questions that are not settled
	seen    map[string]string  // digest by key, of this run's questions
	used    map[string]bool    // kind and key of what may occur once in a run
	answers []string           // read so far in this run, in order: what a commit is for
	refusal error              // of a Confirm that did not end in yes
}

// flowing begins a straight-line flow, or goes on with it.
func (ev *Event) flowing(doing string) (*flow, error) {
	if err := ev.enter(styleFlow, doing); err != nil {
		return nil, err
	}
	if ev.failure != nil {
		return nil, ev.failure.err
	}
	if ev.flow != nil {
		return ev.flow, nil
	}
	f, claims, err := ev.openFlow()
	if err != nil {
		return nil, err
	}
	ev.flow = f
	ev.opened = &opened{by: f, claims: claims}
	for key := range ev.call.Responses {
		if _, ok := f.journal.Pending[key]; !ok {
			ev.count(reasonAnswerUnsolicited)
		}
	}
	return f, nil
}

func (ev *Event) openFlow() (*flow, seal.Claims, error) {
	f := &flow{asking: map[string]pending{}, seen: map[string]string{}, used: map[string]bool{}}
	claims, payload, err := ev.openRound(flowPurpose, seal.Encrypted, nil)
	if err != nil {
		return nil, claims, err
	}
	if payload != nil && jsonx.UnmarshalStrict(payload, &f.journal) != nil {
		return nil, claims, ev.refuseState(&seal.OpenError{Reason: seal.ReasonEncoding})
	}
	if f.journal.Settled == nil {
		f.journal.Settled = map[string]settled{}
	}
	if f.journal.Memos == nil {
		f.journal.Memos = map[string]json.RawMessage{}
	}
	return f, claims, nil
}

const flowPurpose = "flow"

// sealFlow is the state of an interim result that a flow ends a round with.
func (ev *Event) sealFlow() (string, error) {
	out := ev.flow.journal
	out.Pending = map[string]pending{}
	for _, r := range ev.open {
		out.Pending[r.Key] = ev.flow.asking[r.Key]
	}
	payload, err := jsonx.Marshal(out)
	if err != nil {
		return "", ev.misuse("the flow's journal cannot be encoded: %v", err)
	}
	if len(payload) > maxJournal {
		return "", ev.misuse("the flow's journal has %d bytes, at most %d are allowed; the largest entries are %s",
			len(payload), maxJournal, out.largest())
	}
	return ev.sealRound(flowPurpose, seal.Encrypted, nil, 0, payload)
}

// largest names the three largest entries with their sizes.
func (j *journal) largest() string {
	type entry struct {
		name string
		size int
	}
	var list []entry
	for key, s := range j.Settled {
		list = append(list, entry{fmt.Sprintf("answer %q", key), len(s.Content)})
	}
	for key, m := range j.Memos {
		list = append(list, entry{fmt.Sprintf("memo %q", key), len(m)})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(b.size, a.size) })
	var names []string
	for _, e := range list[:min(3, len(list))] {
		names = append(names, fmt.Sprintf("%s with %d", e.name, e.size))
	}
	return strings.Join(names, ", ")
}

// digest names a question as it goes over the wire, without the note of an
// invalid answer.
func (q *question) digest() string {
	wire := q.wire("")
	if q.lasting != nil {
		wire = append([]byte(q.message+"\x00"), q.lasting...)
	}
	sum := seal.Digest([]byte("question"), []byte(q.key), []byte(q.method), wire)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// useKey records the use of a key that may occur once in a run.
func (ev *Event) useKey(kind, key string) error {
	if key == "" || len(key) > maxKey {
		return ev.misuse("the key %q of a %s must have 1 to %d bytes", key, kind, maxKey)
	}
	name := kind + "\x00" + key
	if ev.flow.used[name] {
		return ev.misuse("two %ss have the key %q", kind, key)
	}
	ev.flow.used[name] = true
	return nil
}
