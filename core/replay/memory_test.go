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

func number(n uint64) (id [32]byte) {
	binary.BigEndian.PutUint64(id[:], n+1)
	return id
}

func TestMemoryCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replay.NewMemory(3)
		hour := time.Now().Add(time.Hour)
		until := hour
		for n := range uint64(3) {
			if c, err := s.Begin(t.Context(), number(n), answers, until); err != nil || c.Status != replay.Fresh {
				t.Fatalf("claim %d: status %d, %v", n, c.Status, err)
			}
			until = until.Add(time.Minute)
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

		pass(time.Hour - 1)
		hour = hour.Add(time.Hour)
		full()
		pass(time.Nanosecond)
		begin(t, s, number(9), answers, replay.Fresh)
		begin(t, s, number(1), answers, replay.Done)
	})
}

func TestMemoryNeedsRoom(t *testing.T) {
	for _, capacity := range []int{0, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("NewMemory(%d) made a store", capacity)
				}
			}()
			replay.NewMemory(capacity)
		}()
	}
}

// TestMemoryAgainstModel does what comes to mind, many times, and compares with
// a list that is searched from end to end.
func TestMemoryAgainstModel(t *testing.T) {
	const ids, limit = 40, 25
	type entry struct {
		digest [32]byte
		until  time.Time
		done   bool
	}
	synctest.Test(t, func(t *testing.T) {
		s := replay.NewMemory(limit)
		rng := rand.New(rand.NewPCG(1, 2))
		model := make(map[uint64]*entry)
		for step := range 200_000 {
			n := rng.Uint64N(ids)
			for k, e := range model {
				if !time.Now().Before(e.until) {
					delete(model, k)
				}
			}
			e := model[n]
			switch rng.IntN(6) {
			case 0, 1, 2:
				digest := [][32]byte{answers, others}[rng.IntN(2)]
				until := time.Now().Add(time.Duration(1 + rng.IntN(100)))
				c, err := s.Begin(t.Context(), number(n), digest, until)
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
				pass(time.Duration(rng.IntN(10)))
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
		var next uint64
		fill := func() {
			for range claims {
				begin(t, s, number(next), answers, replay.Fresh)
				next++
			}
		}
		empty := heapInUse()
		fill()
		full := heapInUse()
		if per := (full - empty) / claims; full < empty || per > 300 {
			t.Errorf("%d bytes a claim", per)
		}
		for range 3 {
			pass(time.Hour)
			fill()
		}
		if again := heapInUse(); again > full+(full-empty)/2 {
			t.Errorf("%d bytes after three fillings more, %d after the first", again-empty, full-empty)
		}
		runtime.KeepAlive(s)
	})
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMemoryConcurrent is for the race detector: all methods at once on few
// ids, in a store that is full most of the time.
func TestMemoryConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replay.NewMemory(4)
		var all sync.WaitGroup
		for worker := range uint64(8) {
			all.Go(func() {
				for n := range uint64(2000) {
					if n%50 == worker {
						pass(time.Millisecond)
					}
					id := number((n + worker) % 6)
					c, err := s.Begin(t.Context(), id, answers, time.Now().Add(2*time.Millisecond))
					if err != nil && !errors.Is(err, replay.ErrFull) {
						t.Error(err)
					}
					if err != nil || c.Status != replay.Fresh {
						continue
					}
					switch n % 3 {
					case 0:
						err = s.Finish(t.Context(), id, []byte{1})
					case 1:
						err = s.Release(t.Context(), id)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	})
}

// BenchmarkMemory begins and releases claims beside half a million others.
func BenchmarkMemory(b *testing.B) {
	s := replay.NewMemory(1 << 20)
	until := time.Now().Add(time.Hour)
	var n uint64
	for range 1 << 19 {
		if _, err := s.Begin(b.Context(), number(n), answers, until); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportAllocs()
	for b.Loop() {
		n++
		if _, err := s.Begin(b.Context(), number(n), answers, until); err != nil {
			b.Fatal(err)
		}
		if err := s.Release(b.Context(), number(n)); err != nil {
			b.Fatal(err)
		}
	}
}
