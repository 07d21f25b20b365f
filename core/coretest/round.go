package coretest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// round is one request of a call, and how it ended.
type round struct {
	t       testing.TB
	feature core.Feature
	method  string
	target  string
	setup   setup

	sent    map[string]json.RawMessage // answers of this round
	used    map[string]bool            // keys asked for so far
	outcome core.Outcome
}

// first runs the first round of a call.
func first(t testing.TB, f core.Feature, method, target string, args json.RawMessage, opts []Option) *round {
	t.Helper()
	r := &round{t: t, feature: f, method: method, target: target, used: map[string]bool{}}
	r.setup = setup{
		answers: map[string]json.RawMessage{}, principal: core.Anonymous, caps: everything, arguments: args,
	}
	r.apply(opts)
	if r.setup.keys == nil {
		ring, err := seal.NewRing(seal.EphemeralKey())
		if err != nil {
			t.Fatal(err)
		}
		r.setup.keys = ring
	}
	if r.setup.store == nil {
		r.setup.store = replay.NewMemory(storeSize)
	}
	r.sent = r.setup.preseeded
	r.run()
	return r
}

// storeSize is the cap of a test's own single-use store.
const storeSize = 10_000

func (r *round) apply(opts []Option) {
	r.t.Helper()
	for _, opt := range opts {
		opt(&r.setup)
	}
	for _, err := range r.setup.problems {
		r.t.Fatalf("coretest: %v", err)
	}
}

// next runs the round after r, answering what r asked.
func (r *round) next(opts []Option) *round {
	r.t.Helper()
	interim := r.outcome.Interim
	if interim == nil {
		r.t.Fatalf("coretest: the call is complete, there is no next round")
	}
	n := *r
	n.setup, n.used = r.setup.clone(), maps.Clone(r.used)
	n.apply(opts)
	n.sent = map[string]json.RawMessage{}
	for _, q := range interim.Requests {
		n.used[q.Key] = true
		if answer, ok := n.setup.answers[q.Key]; ok {
			n.sent[q.Key] = answer
		}
	}
	maps.Copy(n.sent, n.setup.preseeded)
	if n.setup.state == nil && interim.State != "" {
		n.setup.state = &interim.State
	}
	n.run()
	return &n
}

// unanswered are the questions of r that no option answers.
func (r *round) unanswered() []core.Request {
	var out []core.Request
	for _, q := range r.outcome.Interim.Requests {
		if _, ok := r.setup.answers[q.Key]; !ok {
			out = append(out, q)
		}
	}
	return out
}

func (r *round) run() {
	r.t.Helper()
	if args := r.setup.arguments; args != nil && !jsonx.Members(args, func(string, []byte) {}) {
		// Decoding relies on what a server has seen to.
		r.t.Fatalf("coretest: %s: no server hands such arguments to a handler: %s", r.feature.Name(), args)
	}
	var (
		mu      sync.Mutex
		misuses []error
	)
	host := &core.Host{
		Keys: r.setup.keys, Audience: "coretest", Replay: r.setup.store, EveryRound: r.setup.everyRound, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(r.setup.offset) },
		Misused: func(err error) {
			mu.Lock()
			defer mu.Unlock()
			misuses = append(misuses, err)
		},
	}
	call := &core.Call{
		Method: r.method, Target: r.target, Version: protocol.Version20260728, CanAsk: true,
		Arguments: r.setup.arguments, Capabilities: r.setup.caps, Responses: r.sent, State: r.setup.state,
		Principal: r.setup.principal, Scopes: r.setup.scopes,
	}
	if r.setup.legacy {
		call.Version, call.CanAsk = protocol.Version20251125, false
	}
	r.outcome = core.Run(r.t.Context(), host, r.feature, call)
	mu.Lock()
	defer mu.Unlock()
	if len(misuses) > 0 && !r.setup.allowMisuse {
		r.t.Fatalf("coretest: %s: %v", r.feature.Name(), misuses[0])
	}
}

// maxRounds is where the usual clients stop as well.
const maxRounds = 10

func keys(requests []core.Request) string {
	names := make([]string, len(requests))
	for i, q := range requests {
		names[i] = strconv.Quote(q.Key)
	}
	return strings.Join(names, ", ")
}

// notAsked are the keys of answers that nothing has asked for, sorted.
func (r *round) notAsked() []string {
	asked := maps.Clone(r.used)
	if r.outcome.Interim != nil {
		for _, q := range r.outcome.Interim.Requests {
			asked[q.Key] = true
		}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(r.setup.answers)) {
		if !asked[key] {
			out = append(out, key)
		}
	}
	return out
}

// complete runs rounds until the call ends, and returns its result.
func (r *round) complete() (any, error) {
	r.t.Helper()
	for n := 1; r.outcome.Interim != nil; n++ {
		if open := r.unanswered(); len(open) > 0 {
			return nil, &UnansweredError{Requests: open, NotAsked: r.notAsked()}
		}
		if n == maxRounds {
			r.t.Fatalf("coretest: %s still asks %s after %d rounds, although it was answered each time. "+
				"Declined and Cancelled are answers; was the error of InputRequired dropped, or an answer not kept?",
				r.feature.Name(), keys(r.outcome.Interim.Requests), n)
		}
		r = r.next(nil)
	}
	return r.result()
}

// result is how a call ended that has ended.
func (r *round) result() (any, error) {
	r.t.Helper()
	switch {
	case r.outcome.Interim != nil:
		return nil, &UnansweredError{Requests: r.outcome.Interim.Requests, NotAsked: r.notAsked()}
	case r.outcome.Error != nil:
		return nil, r.outcome.Error
	}
	if tool, ok := r.outcome.Result.(*core.ToolResult); ok && tool.IsError {
		return nil, &ToolError{Text: text(tool), Cause: r.outcome.Cause}
	}
	for _, key := range r.notAsked() {
		r.t.Errorf("coretest: %s: the answer to %q was never asked for", r.feature.Name(), key)
	}
	return r.outcome.Result, nil
}

// encodeArguments is the JSON of a typed input; no input sends none, as
// clients do.
func encodeArguments(t testing.TB, in any) json.RawMessage {
	t.Helper()
	switch in := in.(type) {
	case core.NoInput:
		return nil
	case json.RawMessage:
		return in
	}
	raw, err := jsonx.MarshalUser(in)
	if err != nil {
		t.Fatalf("coretest: the arguments: %v", err)
	}
	return withoutNull(raw)
}

// withoutNull leaves out arguments that are null, as a client leaves out what
// it has no value for: a nil pointer would become one.
func withoutNull(raw []byte) json.RawMessage {
	out := []byte{'{'}
	if !jsonx.Members(raw, func(name string, value []byte) {
		if string(value) == "null" {
			return
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(jsonx.AppendString(out, name), ':'), value...)
	}) {
		return raw
	}
	return append(out, '}')
}

func text(r *core.ToolResult) string {
	for _, c := range r.Content {
		if c.Type == protocol.TypeText {
			return c.Text
		}
	}
	return ""
}

// UnansweredError says which questions no option answers. It is
// [core.ErrInputRequired]. NotAsked are the keys of answers that nothing asked
// for: one of them may be a misspelt one.
type UnansweredError struct {
	Requests []core.Request
	NotAsked []string
}

// Error prints the questions as they go over the wire.
func (e *UnansweredError) Error() string {
	var out strings.Builder
	out.WriteString("coretest: the call asks, and the test gives no answer:")
	for _, q := range e.Requests {
		fmt.Fprintf(&out, "\n  %s: %s %s", q.Key, q.Method, q.Params)
	}
	if len(e.NotAsked) > 0 {
		fmt.Fprintf(&out, "\nanswers that nothing asked for: %q", e.NotAsked)
	}
	return out.String()
}

// Is matches [core.ErrInputRequired].
func (*UnansweredError) Is(target error) bool { return target == core.ErrInputRequired }

// ToolError is a result with isError: Text is what the model reads, Cause the
// handler's error.
type ToolError struct {
	Text  string
	Cause error
}

// Error is the text.
func (e *ToolError) Error() string { return "coretest: the tool failed: " + e.Text }

// Unwrap is the handler's error.
func (e *ToolError) Unwrap() error { return e.Cause }
