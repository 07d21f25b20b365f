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
// says how many times faster ours must be.
func BenchmarkSealAgainstHS256(b *testing.B) {
	for _, tc := range []struct {
		name  string
		least float64
		ours  func(b *testing.B) func()
		rest  func(b *testing.B) func() // what of ours is not sealing
	}{
		{"signed", 5, sealed(seal.Signed), nothing},
		{"encrypted", 5, sealed(seal.Encrypted), nothing},
		{"typed", 1.8, rounds(typed), rounds(plain)},
	} {
		b.Run(tc.name, func(b *testing.B) {
			ours, theirs, rest := tc.ours(b), hs256(b), tc.rest(b)
			var took, floor, less time.Duration
			for b.Loop() {
				took += turns(ours)
				floor += turns(theirs)
				less += turns(rest)
			}
			ratio := float64(floor) / float64(took-less)
			b.ReportMetric(ratio, "times-HS256")
			b.ReportMetric(tc.least, "least")
			if b.N > 100 && ratio < tc.least {
				b.Errorf("%.2f times faster than HS256, at least %.1f is the bar", ratio, tc.least)
			}
		})
	}
}

func nothing(*testing.B) func() { return func() {} }

// turns takes turns of some length, or reading the clock would count.
func turns(f func()) time.Duration {
	const turn = 32
	start := time.Now()
	for range turn {
		f()
	}
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

// typed asks with state, plain without: the difference is what it costs to
// encode, bind, seal, open and decode the state.
func typed(ev *core.Event) (string, error) {
	if _, err := state.Open(ev); err != nil {
		return "", err
	}
	if word, ok := askWord.Accepted(ev); ok {
		return word.Word, nil
	}
	return "", state.InputRequired(ev, kept{payload}, askWord)
}

func plain(ev *core.Event) (string, error) {
	if word, ok := askWord.Accepted(ev); ok {
		return word.Word, nil
	}
	return "", ev.InputRequired(askWord)
}

// rounds are the two rounds of a tool that asks once.
func rounds(handler func(ev *core.Event) (string, error)) func(b *testing.B) func() {
	return func(b *testing.B) func() {
		b.Helper()
		return twoRounds(b, handler)
	}
}

func twoRounds(b *testing.B, handler func(ev *core.Event) (string, error)) func() {
	b.Helper()
	ring, err := seal.NewRing(seal.EphemeralKey())
	if err != nil {
		b.Fatal(err)
	}
	tool := core.NewTool("bench", "", func(_ context.Context, ev *core.Event, _ struct{ To string }) (string, error) {
		return handler(ev)
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
		second.Responses = answer
		if out.Interim.State != "" {
			second.State = &out.Interim.State
		}
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
