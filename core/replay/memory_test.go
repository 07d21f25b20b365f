package replay_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/replay"
)

func number(n int) (id [32]byte) {
	binary.BigEndian.PutUint64(id[:], uint64(n)+1)
	return id
}

func TestMemoryCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replay.NewMemory(3)
		hour := time.Now().Add(time.Hour)
		for n := range 3 {
			if c, err := s.Begin(t.Context(), number(n), answers, hour.Add(time.Duration(n)*time.Minute)); err != nil || c.Status != replay.Fresh {
				t.Fatalf("claim %d: status %d, %v", n, c.Status, err)
			}
		}
		must(t, s.Finish(t.Context(), number(1), nil))
		full := func() {
			t.Helper()
			if c, err := s.Begin(t.Context(), number(9), answers, hour); !errors.Is(err, replay.ErrFull) || c.Status != 0 || c.Result != nil {
				t.Fatalf("claim %+v, %v, want %v", c, err, replay.ErrFull)
			}
		}
		full() // neither the oldest nor what is done makes room
		begin(t, s, number(0), answers, replay.InFlight)
		begin(t, s, number(1), answers, replay.Done)
		begin(t, s, number(2), others, replay.Conflict)

		must(t, s.Release(t.Context(), number(2)))
		begin(t, s, number(3), answers, replay.Fresh)
		full()

		time.Sleep(time.Hour - 1) //nolint:forbidigo // The clock of synctest.
		hour = hour.Add(time.Hour)
		full()
		time.Sleep(1) //nolint:forbidigo // The clock of synctest.
		begin(t, s, number(9), answers, replay.Fresh)
		begin(t, s, number(1), answers, replay.Done)
	})
}

func TestMemoryNeedsRoom(t *testing.T) {
	for _, max := range []int{0, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewMemory(%d) made a store", max)
				}
			}()
			replay.NewMemory(max)
		}()
	}
}

// TestMemoryAgainstModel does what comes to mind, many times, and compares with
// a list that is searched from end to end.
func TestMemoryAgainstModel(t *testing.T) {
	const ids, limit = 40, 25
	type entry struct {
		digest byte
		until  time.Time
		done   bool
	}
	synctest.Test(t, func(t *testing.T) {
		s := replay.NewMemory(limit)
		rng := rand.New(rand.NewPCG(1, 2))
		model := make(map[int]*entry)
		for step := range 200_000 {
			n := rng.IntN(ids)
			for k, e := range model {
				if !time.Now().Before(e.until) {
					delete(model, k)
				}
			}
			e := model[n]
			switch rng.IntN(6) {
			case 0, 1, 2:
				digest := byte(rng.IntN(2))
				until := time.Now().Add(time.Duration(1 + rng.IntN(100)))
				c, err := s.Begin(t.Context(), number(n), [32]byte{digest}, until)
				switch {
				case e == nil && len(model) == limit:
					if !errors.Is(err, replay.ErrFull) {
						t.Fatalf("step %d: status %d, %v, want a full store", step, c.Status, err)
					}
					continue
				case err != nil:
					t.Fatalf("step %d: %v", step, err)
				}
				want := replay.Fresh
				switch {
				case e == nil:
					model[n] = &entry{digest: digest, until: until}
				case e.digest != digest:
					want = replay.Conflict
				case e.done:
					want = replay.Done
				default:
					want = replay.InFlight
				}
				if c.Status != want {
					t.Fatalf("step %d: status %d, want %d", step, c.Status, want)
				}
			case 3:
				err := s.Finish(t.Context(), number(n), nil)
				if inFlight := e != nil && !e.done; inFlight != (err == nil) {
					t.Fatalf("step %d: finish: %v, in flight %v", step, err, inFlight)
				} else if inFlight {
					e.done = true
				}
			case 4:
				err := s.Release(t.Context(), number(n))
				if inFlight := e != nil && !e.done; inFlight != (err == nil) {
					t.Fatalf("step %d: release: %v, in flight %v", step, err, inFlight)
				} else if inFlight {
					delete(model, n)
				}
			case 5:
				time.Sleep(time.Duration(rng.IntN(10))) //nolint:forbidigo // The clock of synctest.
			}
		}
	})
}

// TestMemoryPerClaim holds NewMemory to what its comment says a claim takes,
// and sees that claims which have expired give it back.
func TestMemoryPerClaim(t *testing.T) {
	const claims = 1 << 16
	synctest.Test(t, func(t *testing.T) {
		s := replay.NewMemory(claims)
		fill := func(from int) {
			for n := range claims {
				begin(t, s, number(from+n), answers, replay.Fresh)
			}
		}
		before := heapInUse()
		fill(0)
		filled := heapInUse() - before
		if per := filled / claims; per > 300 {
			t.Errorf("%d bytes a claim", per)
		}
		for round := 1; round <= 3; round++ {
			time.Sleep(time.Hour) //nolint:forbidigo // The clock of synctest.
			fill(round * claims)
		}
		if again := heapInUse() - before; again > filled*3/2 {
			t.Errorf("%d bytes after three fillings, %d after the first", again, filled)
		}
		runtime.KeepAlive(s)
	})
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemoryConcurrent is for the race detector: all methods at once on few
// ids, in a store that is full most of the time.
func TestMemoryConcurrent(t *testing.T) {
	s := replay.NewMemory(4)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for n := range 2000 {
				id := number((n + worker) % 6)
				c, err := s.Begin(t.Context(), id, answers, time.Now().Add(time.Duration(1+n%3)*time.Millisecond))
				if err != nil && !errors.Is(err, replay.ErrFull) {
					t.Error(err)
				}
				if err != nil || c.Status != replay.Fresh {
					continue
				}
				if n%2 == 0 {
					err = s.Finish(t.Context(), id, []byte{1})
				} else {
					err = s.Release(t.Context(), id)
				}
				if err != nil && !errors.Is(err, replay.ErrNoClaim) { // It may have expired meanwhile.
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// BenchmarkMemory begins and finishes claims in a store of a million.
func BenchmarkMemory(b *testing.B) {
	s := replay.NewMemory(1 << 20)
	until := time.Now().Add(time.Hour)
	for n := range 1 << 19 {
		if _, err := s.Begin(b.Context(), number(n), answers, until); err != nil {
			b.Fatal(err)
		}
	}
	n := 1 << 19
	b.ReportAllocs()
	for b.Loop() {
		n++
		until := time.Now().Add(time.Millisecond)
		if _, err := s.Begin(b.Context(), number(n), answers, until); err != nil {
			b.Fatal(err)
		}
		if err := s.Finish(b.Context(), number(n), nil); err != nil && !errors.Is(err, replay.ErrNoClaim) {
			b.Fatal(err)
		}
	}
}
