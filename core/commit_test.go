package core_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
	"github.com/parleymcp/parley/core/replay"
)

// ready is a flow whose next round commits.
func ready(t *testing.T, b *bank, opts ...coretest.Option) *coretest.Flow[string] {
	t.Helper()
	return coretest.Start(t, b.tool(), order, opts...).Next(from2, noted)
}

// A hundred clients send the last round at once; one effect, one result.
func TestCommitOnce(t *testing.T) {
	b := &bank{fee: 1}
	flow := ready(t, b)
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		got      = map[string]int{}
		inFlight int
	)
	for range 100 {
		fork := flow.Fork()
		wg.Go(func() {
			out, err := fork.Next(sure).Result()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				if !strings.Contains(err.Error(), "try again shortly") {
					t.Errorf("got %v", err)
				}
				inFlight++
				return
			}
			got[out]++
		})
	}
	wg.Wait()
	if len(b.booked) != 1 || len(got) != 1 {
		t.Fatalf("booked %q, results %v, %d in flight", b.booked, got, inFlight)
	}
	if out, err := flow.Fork().Next(sure).Result(); err != nil || got[out] == 0 || len(b.booked) != 1 {
		t.Fatalf("a late replay: %q, %v, booked %q", out, err, b.booked)
	}
}

// The stored result is for the same answers only.
func TestCommitWithOtherAnswers(t *testing.T) {
	b := &bank{fee: 1}
	first := coretest.Start(t, b.tool(), order)
	one, other := first.Fork().Next(from2, noted), first.Fork().Next(coretest.Accept(askAccount, account{ID: "a1"}), noted)
	if _, err := one.Next(sure).Result(); err != nil {
		t.Fatal(err)
	}
	_, err := other.Next(sure).Result()
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Message != "Invalid request state" || len(b.booked) != 1 {
		t.Fatalf("got %v, booked %q", err, b.booked)
	}
}

// Members that the form does not have make no other answer.
func TestCommitIgnoresWhatTheFormDoesNotHave(t *testing.T) {
	b := &bank{fee: 1}
	flow := ready(t, b)
	first, err := flow.Fork().Next(sure).Result()
	if err != nil {
		t.Fatal(err)
	}
	again, err := flow.Next(coretest.Raw("sure", `{"action":"accept","content":{"sure":true}}`)).Result()
	if err != nil || again != first || len(b.booked) != 1 {
		t.Fatalf("got %q, %v, booked %q", again, err, b.booked)
	}
}

// M15: an effect that failed may be tried again; a bad answer burns nothing.
func TestM15ClaimsAreReleased(t *testing.T) {
	b := &bank{fail: errors.New("the ledger is closed")}
	flow := ready(t, b)
	_, err := flow.Fork().Next(sure).Result()
	if !errors.Is(err, b.fail) {
		t.Fatalf("got %v", err)
	}
	if _, err := flow.Fork().Next(coretest.Raw("sure", `12`)).Result(); err == nil {
		t.Fatal("a malformed yes was taken")
	}
	b.fail = nil
	if _, err := flow.Next(sure).Result(); err != nil || len(b.booked) != 1 {
		t.Fatalf("got %v, booked %q", err, b.booked)
	}
}

func TestPanickingEffectKeepsItsClaim(t *testing.T) {
	panics := true
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if err := core.Confirm(ev, "sure", "Sure?"); err != nil {
			return "", err
		}
		return core.Commit(ev, "do", func(string) (string, error) {
			if panics {
				panic("half done")
			}
			return "done", nil
		})
	})
	flow := coretest.Start(t, tool, core.NoInput{}, sure)
	if _, err := flow.Fork().Next().Result(); err == nil {
		t.Fatal("no error")
	}
	panics = false
	if out, err := flow.Next().Result(); err == nil || !strings.Contains(err.Error(), "try again shortly") {
		t.Fatalf("what may be half done was done again: %q, %v", out, err)
	}
}

type brokenStore struct {
	replay.Store

	begin error
}

func (s brokenStore) Begin(context.Context, [32]byte, [32]byte, time.Time) (replay.Claim, error) {
	return replay.Claim{}, s.begin
}

// M15: fails closed when the store does.
func TestM15StoreFails(t *testing.T) {
	full := replay.NewMemory(1)
	if _, err := full.Begin(t.Context(), [32]byte{1}, [32]byte{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for label, store := range map[string]replay.Store{
		"down": brokenStore{begin: errors.New("connection refused")}, "full": full,
	} {
		b := &bank{}
		_, err := ready(t, b, coretest.Replay(store)).Next(sure).Result()
		if err == nil || !strings.Contains(err.Error(), "nothing was done") || strings.Contains(err.Error(), "refused") || len(b.booked) != 0 {
			t.Fatalf("%s: got %v, booked %q", label, err, b.booked)
		}
	}
}

// A flow may ask after a commit and commit again.
func TestAskAfterCommit(t *testing.T) {
	var did []string
	step := func(key string) func(string) (string, error) {
		return func(id string) (string, error) {
			did = append(did, key)
			return id, nil
		}
	}
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) ([]string, error) {
		first, err := core.Commit(ev, "first", step("first"))
		if err != nil {
			return nil, err
		}
		if err := core.Confirm(ev, "more", "More?"); err != nil {
			return nil, err
		}
		second, err := core.Commit(ev, "second", step("second"))
		return []string{first, second}, err
	})
	out, err := coretest.Call(t, tool, core.NoInput{}, coretest.Confirm("more"))
	if err != nil || strings.Join(did, " ") != "first second" || len(out) != 2 || out[0] == out[1] || len(out[0]) != 64 {
		t.Fatalf("got %v, %v, did %v", out, err, did)
	}
}
