package core

import (
	"context"
	"encoding/hex"
	"fmt"
	"log/slog"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Errors of Commit that the model may read: trying again is right.
var (
	errInFlight = toolText("This is still being carried out; try again shortly.")
	errStore    = toolText("This cannot be carried out just now, and nothing was done; try again later.")
)

// Commit is the place for what must happen once, however often a round is
// retried, forked or replayed: it claims the flow and key at the server's
// replay store, runs effect, and stores its result, which every later arrival
// with the same answers gets instead. Other answers are refused. effect
// receives the claim as an idempotency key for the systems it calls.
//
// An effect that returns an error releases its claim and may be tried again
// under the same key; one that panics, or whose process ends, keeps it until
// the flow does. If the store cannot be asked nothing is done. While a question
// is open, or after a [Confirm] that did not end in yes, Commit does nothing and
// returns the reason. It is for tools only: prompts and resources are for
// reading.
func Commit[T any](ev *Event, key string, effect func(idempotencyKey string) (T, error)) (T, error) {
	var zero T
	claim, err := ev.claim(key)
	if err != nil {
		return zero, err
	}
	if claim.done {
		var value T
		if err := jsonx.UnmarshalUser(claim.result, &value); err != nil {
			return zero, ev.commitMisuse("the result of the commit %q does not come back from JSON: %v", key, err)
		}
		return value, nil
	}
	value, err := effect(hex.EncodeToString(claim.id[:]))
	// What was begun is recorded also when the client has gone meanwhile.
	ctx := context.WithoutCancel(ev.ctx)
	if err != nil {
		if releaseErr := ev.host.Replay.Release(ctx, claim.id); releaseErr != nil {
			ev.storeFailed("release", key, releaseErr)
		}
		return zero, err
	}
	raw, err := jsonx.MarshalUser(value)
	if err != nil {
		return zero, ev.commitMisuse("the result of the commit %q cannot be encoded: %v", key, err)
	}
	if err := ev.host.Replay.Finish(ctx, claim.id, raw); err != nil {
		// The effect has happened: this caller gets its result, and a replay is
		// told that it is in flight until the flow ends.
		ev.storeFailed("finish", key, err)
	}
	return value, nil
}

type claimed struct {
	id     [32]byte
	done   bool
	result []byte
}

// claim asks the store whether the effect may run.
func (ev *Event) claim(key string) (claimed, error) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	f, err := ev.flowing("Commit")
	if err != nil {
		return claimed{}, err
	}
	if ev.call.Method != protocol.MethodToolsCall {
		return claimed{}, ev.misuse("Commit %q in a %s: only tools have effects", key, ev.kind)
	}
	if err := ev.useKey("commit", key); err != nil {
		return claimed{}, err
	}
	switch {
	case f.refusal != nil:
		return claimed{}, f.refusal
	case ev.paused():
		return claimed{}, &pauseError{ev: ev}
	case ev.host.Replay == nil:
		return claimed{}, ev.misuse("Commit %q needs a replay store, and the host has none", key)
	}
	flowID := ev.opened.claims.Flow
	id := seal.Digest([]byte("commit"), flowID[:], []byte(key))
	c, err := ev.host.Replay.Begin(ev.ctx, id, f.answersDigest(), ev.opened.claims.FlowUntil)
	if err != nil {
		ev.log(slog.LevelError, "the replay store refused a claim; nothing was done",
			slog.String("feature", ev.name), slog.String("key", key), slog.Any("error", err))
		return claimed{}, errStore
	}
	switch c.Status {
	case replay.Fresh:
		return claimed{id: id}, nil
	case replay.Done:
		return claimed{id: id, done: true, result: c.Result}, nil
	case replay.InFlight:
		ev.count(string(seal.ReasonReplay))
		return claimed{}, errInFlight
	}
	return claimed{}, ev.refuseState(&seal.OpenError{Reason: seal.ReasonReplay})
}

// answersDigest covers the answers that this run has read so far, in order:
// what the effect was decided by.
func (f *flow) answersDigest() [32]byte {
	parts := [][]byte{[]byte("answers")}
	for _, key := range f.answers {
		s := f.journal.Settled[key]
		parts = append(parts, []byte(key), []byte(s.Digest), []byte(s.State.String()), s.Content)
	}
	return seal.Digest(parts...)
}

func (ev *Event) commitMisuse(format string, args ...any) error {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	return ev.misuse("%s", fmt.Sprintf(format, args...))
}

func (ev *Event) storeFailed(doing, key string, err error) {
	ev.log(slog.LevelError, "the replay store failed to "+doing+" a claim",
		slog.String("feature", ev.name), slog.String("key", key), slog.Any("error", err))
}
