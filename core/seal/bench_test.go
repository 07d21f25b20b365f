package seal_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

// A token around 200 bytes of payload covers these many.
const (
	benchPayload = 200
	benchSigned  = 8 + 108 + benchPayload
	benchSecret  = 108 + benchPayload
)

// BenchmarkSealSigned compares sealing and opening with what cannot be saved:
// two signatures over the same bytes.
func BenchmarkSealSigned(b *testing.B) {
	key, msg := make([]byte, 32), make([]byte, benchSigned)
	floor := func() {
		for range 2 {
			h := hmac.New(sha256.New, key)
			h.Write(msg)
			h.Sum(nil)
		}
	}
	compare(b, seal.Signed, 2, floor)
}

// BenchmarkSealEncrypted compares sealing and opening with the cipher alone,
// its outer key schedule kept and its nonce drawn, as XAES means it to be.
func BenchmarkSealEncrypted(b *testing.B) {
	x, err := seal.NewXAES(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	nonce, msg, data := make([]byte, 24), make([]byte, benchSecret), make([]byte, 49)
	floor := func() {
		_, _ = rand.Read(nonce)
		ciphertext, err := x.Seal(nil, nonce, msg, data)
		if err != nil {
			b.Fatal(err)
		}
		if _, ok, err := x.Open(nonce, ciphertext, data); !ok || err != nil {
			b.Fatal("does not open")
		}
	}
	compare(b, seal.Encrypted, 2.5, floor)
}

// compare reports the median over rounds of how many times the floor one
// sealing and opening costs. The two take turns, so that a machine that is busy
// for a while is so for both. Over the bar it fails, given rounds enough to say.
func compare(b *testing.B, m seal.Mode, bar float64, floor func()) {
	const turn, enough = 200, 50
	c := newRing(b, keyA()).Codec("purpose", "audience")
	payload, who, cl := make([]byte, benchPayload), user(), claims()
	ours := func() {
		token, err := c.Seal(m, who, cl, payload)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := c.Open(m, who, token, start); err != nil {
			b.Fatal(err)
		}
	}
	timed := func(f func()) time.Duration {
		began := time.Now()
		for range turn {
			f()
		}
		return time.Since(began)
	}
	var ratios, costs []float64
	for b.Loop() {
		base, cost := timed(floor), timed(ours)
		ratios = append(ratios, float64(cost)/float64(base))
		costs = append(costs, float64(cost)/turn)
	}
	slices.Sort(ratios)
	slices.Sort(costs)
	ratio := ratios[len(ratios)/2]
	b.ReportMetric(ratio, "x-floor")
	b.ReportMetric(costs[len(costs)/2], "ns/token")
	b.ReportMetric(testing.AllocsPerRun(100, ours), "allocs/token")
	b.ReportMetric(0, "ns/op")
	if len(ratios) >= enough && ratio > bar {
		b.Errorf("%.2f times the floor, at most %.1f allowed", ratio, bar)
	}
}

// BenchmarkOpenForged is what an attacker's largest token costs.
func BenchmarkOpenForged(b *testing.B) {
	for m := range bothModes() {
		b.Run(name(m), func(b *testing.B) {
			c := newRing(b, keyA()).Codec("purpose", "audience")
			token, who := forge(mustSeal(b, c, m, make([]byte, 48900))), user()
			var err error
			b.ReportAllocs()
			for b.Loop() {
				_, _, err = c.Open(m, who, token, start)
			}
			wantReason(b, err, seal.ReasonIntegrity)
		})
	}
}

// BenchmarkOpenOversize is what a body full of state costs.
func BenchmarkOpenOversize(b *testing.B) {
	c := newRing(b, keyA()).Codec("purpose", "audience")
	token, who := "s1."+strings.Repeat("A", 10<<20), user()
	var err error
	b.ReportAllocs()
	for b.Loop() {
		_, _, err = c.Open(seal.Signed, who, token, start)
	}
	wantReason(b, err, seal.ReasonOversize)
}

func BenchmarkDigest(b *testing.B) {
	parts := [][]byte{[]byte("request"), []byte("tools/call"), []byte("transfer"), make([]byte, 200)}
	b.ReportAllocs()
	for b.Loop() {
		seal.Digest(parts...)
	}
}
