package core

import (
	"context"
	"log/slog"

	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
)

// claimRound claims the token that this round was opened with, if the host
// wants every token to be used once. A claim is given up when the round fails,
// so that a bad answer burns nothing.
func (ev *Event) claimRound(c seal.Claims) error {
	if !ev.host.EveryRound {
		return nil
	}
	if ev.host.Replay == nil {
		return ev.misuse("claiming every round needs a replay store, and the host has none")
	}
	id := seal.Digest([]byte("round"), c.Flow[:], c.ID[:])
	claim, err := ev.host.Replay.Begin(ev.ctx, id, [32]byte{}, c.Expires)
	if err != nil {
		ev.log(slog.LevelError, "the replay store refused a claim; nothing was done",
			slog.String("feature", ev.name), slog.Any("error", err))
		ev.failure = &failure{err: internalError()}
		return ev.failure.err
	}
	if claim.Status != replay.Fresh {
		return ev.refuseState(&seal.OpenError{Reason: seal.ReasonReplay})
	}
	ev.claimed = &id
	return nil
}

// settleRound ends the claim of this round.
func (ev *Event) settleRound(out Outcome) {
	if ev.claimed == nil {
		return
	}
	ctx := context.WithoutCancel(ev.ctx) // also when the client has gone meanwhile
	done := out.Interim != nil || out.Error == nil && out.Cause == nil
	var err error
	if done {
		err = ev.host.Replay.Finish(ctx, *ev.claimed, nil)
	} else {
		err = ev.host.Replay.Release(ctx, *ev.claimed)
	}
	if err != nil {
		ev.log(slog.LevelError, "the replay store failed to settle the claim of a round",
			slog.String("feature", ev.name), slog.Any("error", err))
	}
}
