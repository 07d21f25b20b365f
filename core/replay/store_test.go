package replay_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/replay"
)

func id(n byte) [32]byte { return [32]byte{0: n, 31: 1} }

var (
	answers = [32]byte{1}
	others  = [32]byte{2}
)

// eachStore runs f against every kind of store, on a clock of its own.
func eachStore(t *testing.T, f func(t *testing.T, s replay.Store)) {
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, replay.NewMemory(100)) })
	})
	t.Run("redis", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, redisStore{newRedis()}) })
	})
}

// pass lets time pass on the clock of a synctest bubble.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // No time goes by outside the bubble.
}

func begin(t *testing.T, s replay.Store, id, digest [32]byte, want replay.Status) replay.Claim {
	t.Helper()
	c, err := s.Begin(t.Context(), id, digest, time.Now().Add(time.Hour))
	if err != nil || c.Status != want {
		t.Fatalf("status %d, %v, want %d", c.Status, err, want)
	}
	if want != replay.Done && c.Result != nil {
		t.Fatalf("status %d with the result %q", c.Status, c.Result)
	}
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantNoClaim(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, replay.ErrNoClaim) {
		t.Fatalf("error %v, want %v", err, replay.ErrNoClaim)
	}
}

func TestClaimLife(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		begin(t, s, id(1), answers, replay.Fresh)
		begin(t, s, id(1), answers, replay.InFlight)
		begin(t, s, id(1), others, replay.Conflict)
		begin(t, s, id(2), others, replay.Fresh) // ids are apart

		must(t, s.Finish(t.Context(), id(1), []byte("receipt")))
		for range 2 {
			if c := begin(t, s, id(1), answers, replay.Done); string(c.Result) != "receipt" {
				t.Fatalf("result %q", c.Result)
			}
			begin(t, s, id(1), others, replay.Conflict)
		}
		begin(t, s, id(2), others, replay.InFlight)
	})
}

func TestEmptyResultIsDone(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		begin(t, s, id(1), answers, replay.Fresh)
		must(t, s.Finish(t.Context(), id(1), nil))
		if c := begin(t, s, id(1), answers, replay.Done); len(c.Result) != 0 {
			t.Fatalf("result %q", c.Result)
		}
	})
}

func TestReleaseAndBeginAgain(t *testing.T) {
	for name, digest := range map[string][32]byte{"same answers": answers, "other answers": others} {
		t.Run(name, func(t *testing.T) {
			eachStore(t, func(t *testing.T, s replay.Store) {
				begin(t, s, id(1), answers, replay.Fresh)
				must(t, s.Release(t.Context(), id(1)))
				begin(t, s, id(1), digest, replay.Fresh)
				begin(t, s, id(1), digest, replay.InFlight)
				must(t, s.Finish(t.Context(), id(1), []byte("second try")))
				begin(t, s, id(1), digest, replay.Done)
			})
		})
	}
}

func TestNothingInFlight(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		wantNoClaim(t, s.Finish(t.Context(), id(1), []byte("never begun")))
		wantNoClaim(t, s.Release(t.Context(), id(1)))
		begin(t, s, id(1), answers, replay.Fresh) // and neither left a trace

		must(t, s.Release(t.Context(), id(1)))
		wantNoClaim(t, s.Release(t.Context(), id(1)))
		wantNoClaim(t, s.Finish(t.Context(), id(1), []byte("released")))

		begin(t, s, id(1), answers, replay.Fresh)
		must(t, s.Finish(t.Context(), id(1), []byte("first")))
		wantNoClaim(t, s.Finish(t.Context(), id(1), []byte("second")))
		wantNoClaim(t, s.Release(t.Context(), id(1)))
		if c := begin(t, s, id(1), answers, replay.Done); string(c.Result) != "first" {
			t.Fatalf("result %q, want the first", c.Result)
		}
	})
}

func TestExpiry(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		begin(t, s, id(1), answers, replay.Fresh)
		begin(t, s, id(2), answers, replay.Fresh)
		must(t, s.Finish(t.Context(), id(2), []byte("receipt")))

		// Asking again does not make a claim last longer.
		pass(time.Hour - 1)
		begin(t, s, id(1), answers, replay.InFlight)
		begin(t, s, id(2), answers, replay.Done)

		pass(time.Nanosecond)
		wantNoClaim(t, s.Finish(t.Context(), id(1), []byte("too late")))
		wantNoClaim(t, s.Release(t.Context(), id(1)))
		begin(t, s, id(1), others, replay.Fresh)
		begin(t, s, id(2), others, replay.Fresh)
	})
}

func TestUntilMustBeInTheFuture(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		for _, until := range []time.Time{time.Now(), time.Now().Add(-time.Hour), {}} {
			if c, err := s.Begin(t.Context(), id(1), answers, until); err == nil {
				t.Errorf("until %v: status %d", until, c.Status)
			}
		}
		begin(t, s, id(1), answers, replay.Fresh)
	})
}

func TestResultIsACopy(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		begin(t, s, id(1), answers, replay.Fresh)
		result := []byte("receipt")
		must(t, s.Finish(t.Context(), id(1), result))
		clear(result)
		clear(begin(t, s, id(1), answers, replay.Done).Result)
		if c := begin(t, s, id(1), answers, replay.Done); string(c.Result) != "receipt" {
			t.Fatalf("result %q", c.Result)
		}
	})
}

// TestCancelled: nothing is claimed for a request that has gone, and what has
// happened is stored although it has.
func TestCancelled(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.Begin(gone, id(1), answers, time.Now().Add(time.Hour)); !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		begin(t, s, id(1), answers, replay.Fresh)
		must(t, s.Finish(gone, id(1), nil))
		begin(t, s, id(2), answers, replay.Fresh)
		must(t, s.Release(gone, id(2)))
		begin(t, s, id(1), answers, replay.Done)
		begin(t, s, id(2), answers, replay.Fresh)
	})
}

// TestHundredAtOnce is the replay of one request a hundred times at the same
// moment: one effect, and everybody ends up with its result.
func TestHundredAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		var effects, results, conflicts atomic.Int64
		var all sync.WaitGroup
		for n := range 100 {
			digest := answers
			if n%10 == 0 {
				digest = others // The loser among the answers, whichever comes second.
			}
			all.Go(func() {
				for {
					c, err := s.Begin(t.Context(), id(1), digest, time.Now().Add(time.Hour))
					switch {
					case err != nil:
						t.Error(err)
						return
					case c.Status == replay.Fresh:
						effects.Add(1)
						pass(time.Second)
						if err := s.Finish(t.Context(), id(1), []byte("receipt")); err != nil {
							t.Error(err)
						}
					case c.Status == replay.InFlight:
						pass(100 * time.Millisecond)
						continue
					case c.Status == replay.Done && string(c.Result) == "receipt":
						results.Add(1)
					case c.Status == replay.Conflict:
						conflicts.Add(1)
					default:
						t.Errorf("status %d, result %q", c.Status, c.Result)
					}
					return
				}
			})
		}
		all.Wait()
		if e, r, c := effects.Load(), results.Load(), conflicts.Load(); e != 1 || r+c != 99 || (c != 10 && c != 90) {
			t.Errorf("%d effects, %d results, %d conflicts", e, r, c)
		}
	})
}

// TestReleasedAtOnce has a hundred callers whose effects fail until the last:
// never two of them at a time.
func TestReleasedAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, s replay.Store) {
		var running, tries atomic.Int64
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				for {
					c, err := s.Begin(t.Context(), id(1), answers, time.Now().Add(time.Hour))
					if err != nil {
						t.Error(err)
						return
					}
					if c.Status != replay.Fresh {
						pass(time.Millisecond)
						continue
					}
					if running.Add(1) != 1 {
						t.Error("two effects at a time")
					}
					tries.Add(1)
					pass(time.Millisecond)
					running.Add(-1)
					if err := s.Release(t.Context(), id(1)); err != nil {
						t.Error(err)
					}
					return
				}
			})
		}
		all.Wait()
		if tries.Load() != 100 {
			t.Errorf("%d tries, want 100", tries.Load())
		}
	})
}
