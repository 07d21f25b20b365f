package bench_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
)

// What a flow of 200 bytes is kept in, sealed by us and signed as a JWT. Least
// says how many times faster ours must be, as design.md has it.
func BenchmarkSealAgainstHS256(b *testing.B) {
	for _, tc := range []struct {
		name  string
		least float64
		ours  func(b *testing.B) func()
	}{
		{"signed", 5, sealed(seal.Signed)},
		{"encrypted", 5, sealed(seal.Encrypted)},
		{"typed", 1.8, typed},
	} {
		b.Run(tc.name, func(b *testing.B) {
			ours, theirs := tc.ours(b), hs256(b)
			var took, floor time.Duration
			for b.Loop() {
				took += timed(ours)
				floor += timed(theirs)
			}
			ratio := float64(floor) / float64(took)
			b.ReportMetric(ratio, "times-HS256")
			b.ReportMetric(tc.least, "least")
			if b.N > 1000 && ratio < tc.least {
				b.Errorf("%.2f times faster than HS256, at least %.1f is the bar", ratio, tc.least)
			}
		})
	}
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

var payload = strings.Repeat("x", 200)

func sealed(m seal.Mode) func(b *testing.B) func() {
	return func(b *testing.B) func() {
		b.Helper()
		ring, err := seal.NewRing(seal.EphemeralKey())
		if err != nil {
			b.Fatal(err)
		}
		codec := ring.Codec("bench", "https://bank.example")
		now := time.Now()
		binding := seal.Binding{Request: seal.Digest([]byte("request")), Principal: [][]byte{[]byte("https://id.example"), []byte("alice")}}
		claims := seal.Claims{Issued: now, Expires: now.Add(time.Minute), FlowUntil: now.Add(time.Hour), Flow: [16]byte{1}}
		raw := []byte(payload)
		return func() {
			token, err := codec.Seal(m, binding, claims, raw)
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := codec.Open(m, binding, token, now); err != nil {
				b.Fatal(err)
			}
		}
	}
}

type kept struct{ Text string }

var (
	state   = core.NewState[kept]("bench")
	askWord = core.Form[struct {
		Word string `json:"word"`
	}]("word", "Which word?")
)

// typed is two whole rounds of a tool: the first seals and asks, the second
// opens and reads. That is more than sealing, so the ratio is a lower bound.
func typed(b *testing.B) func() {
	b.Helper()
	ring, err := seal.NewRing(seal.EphemeralKey())
	if err != nil {
		b.Fatal(err)
	}
	tool := core.NewTool("bench", "", func(_ context.Context, ev *core.Event, _ struct{ To string }) (string, error) {
		if _, err := state.Open(ev); err != nil {
			return "", err
		}
		if word, ok := askWord.Accepted(ev); ok {
			return word.Word, nil
		}
		return "", state.InputRequired(ev, kept{payload}, askWord)
	})
	host := &core.Host{Keys: ring, Audience: "https://bank.example"}
	call := core.Call{
		Method: "tools/call", Target: "bench", Version: "2026-07-28", CanAsk: true,
		Arguments: json.RawMessage(`{"To":"bob"}`), Capabilities: json.RawMessage(`{"elicitation":{}}`),
		Principal: core.Principal{Issuer: "https://id.example", Subject: "alice"},
	}
	answer := map[string]json.RawMessage{"word": json.RawMessage(`{"action":"accept","content":{"word":"x"}}`)}
	return func() {
		first := call
		out := core.Run(b.Context(), host, tool, &first)
		if out.Interim == nil {
			b.Fatalf("got %+v", out.Error)
		}
		second := call
		second.Responses, second.State = answer, &out.Interim.State
		if out := core.Run(b.Context(), host, tool, &second); out.Result == nil {
			b.Fatalf("got %+v", out.Error)
		}
	}
}

type claims struct {
	jwt.RegisteredClaims

	Flow    string `json:"flow"`
	Round   int    `json:"round"`
	Request string `json:"request"`
	Payload string `json:"payload"`
}

func hs256(b *testing.B) func() {
	b.Helper()
	key := []byte(strings.Repeat("k", 32))
	now := time.Now()
	content := claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: "https://id.example", Subject: "alice", Audience: jwt.ClaimStrings{"https://bank.example"},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(time.Minute)), ID: "0123456789abcdef",
		},
		Flow: "0123456789abcdef", Round: 1, Request: strings.Repeat("d", 43), Payload: payload,
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience("https://bank.example"), jwt.WithExpirationRequired())
	return func() {
		token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, content).SignedString(key)
		if err != nil {
			b.Fatal(err)
		}
		var got claims
		if _, err := parser.ParseWithClaims(token, &got, func(*jwt.Token) (any, error) { return key, nil }); err != nil {
			b.Fatal(err)
		}
	}
}
