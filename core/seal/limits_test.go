package seal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

// TestLargestToken finds MaxToken from both sides. A token of base64 has no
// length of 65 536 itself, so what fits best is one short.
func TestLargestToken(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	for m, largest := range map[seal.Mode]int{seal.Signed: 49149 - 8 - 108 - 32, seal.Encrypted: 49149 - 8 - 24 - 108 - 16} {
		payload := bytes.Repeat([]byte("x"), largest)
		token := mustSeal(t, c, m, payload)
		if len(token) != seal.MaxToken-1 {
			t.Errorf("%s: %d characters", name(m), len(token))
		}
		wantOpens(t, c, m, token, payload)

		over, err := c.Seal(m, user(), claims(), append(payload, 'x'))
		if err == nil || over != "" || !strings.HasPrefix(err.Error(), "parley: seal: a payload of ") {
			t.Errorf("%s: one byte over: %d characters, %v", name(m), len(over), err)
		}
		_, _, err = c.Open(m, user(), token+"A", start)
		wantReason(t, err, seal.ReasonEncoding) // read, and refused for what it is
		_, _, err = c.Open(m, user(), token+"AA", start)
		wantReason(t, err, seal.ReasonOversize)
	}
}

// TestOversizeCostsNothing is the bar of a 10 MB state: under a microsecond
// and no allocation. The quickest of many tries counts, so that a busy machine
// does not fail it.
func TestOversizeCostsNothing(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	token := "s1." + strings.Repeat("A", 10<<20)
	b := user()
	open := func() {
		if _, _, err := c.Open(seal.Signed, b, token, start); err == nil {
			t.Fatal("opened")
		}
	}
	if n := testing.AllocsPerRun(100, open); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if d := quickest(1000, open); d > timeSlack*time.Microsecond {
		t.Errorf("took %v", d)
	}
}

// TestForgedCostsLittle is the bar of a forged 64 KB token: under 200
// microseconds. It also costs no memory.
func TestForgedCostsLittle(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	b := user()
	for m := range bothModes() {
		token := forge(mustSeal(t, c, m, make([]byte, 48_900)))
		open := func() {
			_, _, err := c.Open(m, b, token, start)
			wantReason(t, err, seal.ReasonIntegrity)
		}
		if d := quickest(100, open); d > timeSlack*200*time.Microsecond {
			t.Errorf("%s: took %v", name(m), d)
		}
		if n := testing.AllocsPerRun(100, open); n > 8+allocSlack {
			t.Errorf("%s: %v allocations", name(m), n)
		}
	}
}

// TestAllocations is the bar of 12 for sealing and opening 200 bytes, and what
// is reached, so that a step backwards shows.
func TestAllocations(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	payload, b, cl := make([]byte, 200), user(), claims()
	for m, reached := range map[seal.Mode]float64{seal.Signed: 3, seal.Encrypted: 10} {
		n := testing.AllocsPerRun(200, func() {
			token, err := c.Seal(m, b, cl, payload)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := c.Open(m, b, token, start); err != nil {
				t.Fatal(err)
			}
		})
		if n > reached+allocSlack {
			t.Errorf("%s: %v allocations, want at most %v", name(m), n, reached)
		}
	}
	parts := [][]byte{[]byte("request"), payload}
	if n := testing.AllocsPerRun(200, func() { seal.Digest(parts...) }); n > 1 {
		t.Errorf("Digest: %v allocations", n)
	}
}

func quickest(tries int, f func()) time.Duration {
	best := time.Hour
	for range tries {
		began := time.Now()
		f()
		best = min(best, time.Since(began))
	}
	return best
}
