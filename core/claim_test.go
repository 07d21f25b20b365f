package core_test

import (
	"errors"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

// With EveryRound a token opens once; what failed may be tried again.
func TestEveryRound(t *testing.T) {
	replayed := func(err error) bool {
		wire, ok := errors.AsType[*core.Error](err)
		return ok && wire.Message == "Invalid request state"
	}
	t.Run("typed state", func(t *testing.T) {
		flow := coretest.Start(t, wizardTool, topic, coretest.EveryRound())
		if _, err := flow.Fork().Next(coretest.Raw("first", `true`)).Result(); err == nil || replayed(err) {
			t.Fatalf("got %v", err)
		}
		if asked := flow.Fork().Next(three...).Asked(); len(asked) != 1 {
			t.Fatal("a bad answer burned the claim")
		}
		if _, err := flow.Next(three...).Result(); !replayed(err) {
			t.Fatalf("a state opened twice: %v", err)
		}
	})
	t.Run("straight line", func(t *testing.T) {
		b := &bank{fail: errors.New("closed")}
		flow := ready(t, b, coretest.EveryRound())
		if _, err := flow.Fork().Next(sure).Result(); !errors.Is(err, b.fail) {
			t.Fatalf("got %v", err)
		}
		b.fail = nil
		if _, err := flow.Fork().Next(sure).Result(); err != nil {
			t.Fatalf("a failed effect burned the claim: %v", err)
		}
		if _, err := flow.Next(sure).Result(); !replayed(err) {
			t.Fatalf("a state opened twice: %v", err)
		}
	})
	t.Run("control: a retry without it", func(t *testing.T) {
		flow := coretest.Start(t, wizardTool, topic)
		flow.Fork().Next(three...)
		if asked := flow.Next(three...).Asked(); len(asked) != 1 {
			t.Fatal("refused")
		}
	})
	t.Run("store down", func(t *testing.T) {
		flow := coretest.Start(t, wizardTool, topic, coretest.EveryRound(), coretest.Replay(brokenStore{begin: errBoom}))
		_, err := flow.Next(three...).Result()
		if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 {
			t.Fatalf("got %v", err)
		}
	})
}
