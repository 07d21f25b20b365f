package seal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

var start = time.UnixMilli(1_760_000_000_123).UTC()

// Keys that are the same in every run, and distinct from each other.
func keyA() seal.Key { return seal.RawKey(fixedKey("A")) }
func keyB() seal.Key { return seal.RawKey(fixedKey("B")) }

func fixedKey(name string) []byte {
	sum := seal.Digest([]byte("test key"), []byte(name))
	return sum[:]
}

func newRing(tb testing.TB, keys ...seal.Key) *seal.Ring {
	tb.Helper()
	r, err := seal.NewRing(keys...)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func bothModes() iter.Seq[seal.Mode] {
	return slices.Values([]seal.Mode{seal.Signed, seal.Encrypted})
}

func name(m seal.Mode) string {
	if m == seal.Signed {
		return "signed"
	}
	return "encrypted"
}

func claims() seal.Claims {
	return seal.Claims{
		Issued:    start,
		Expires:   start.Add(10 * time.Minute),
		FlowUntil: start.Add(time.Hour),
		Flow:      [16]byte{0: 0xf1, 15: 0x0f},
		Round:     3,
	}
}

// Made once, since the sweeps open hundreds of thousands of tokens.
var ada = principal("https://id.example", "ada", "", "")

func user() seal.Binding { return ada }

func principal(parts ...string) seal.Binding {
	b := seal.Binding{Request: seal.Digest([]byte("request"), []byte("tools/call")), Principal: [][]byte{}}
	for _, p := range parts {
		b.Principal = append(b.Principal, []byte(p))
	}
	return b
}

func anonymous() seal.Binding {
	b := user()
	b.Principal = nil
	return b
}

func mustSeal(tb testing.TB, c *seal.Codec, m seal.Mode, payload []byte) string {
	tb.Helper()
	token, err := c.Seal(m, user(), claims(), payload)
	if err != nil {
		tb.Fatal(err)
	}
	return token
}

// wantOpens is the positive control beside every group of refusals.
func wantOpens(tb testing.TB, c *seal.Codec, m seal.Mode, token string, payload []byte) {
	tb.Helper()
	_, got, err := c.Open(m, user(), token, start)
	if err != nil || !bytes.Equal(got, payload) {
		tb.Fatalf("the token as it was sealed: payload %q, error %v, want %q", got, err, payload)
	}
}

func wantReason(tb testing.TB, err error, want seal.Reason) {
	tb.Helper()
	refused, ok := errors.AsType[*seal.OpenError](err)
	if !ok || !errors.Is(err, seal.ErrToken) || refused.Reason != want {
		tb.Fatalf("error %v, want reason %s", err, want)
	}
}

// wantRefused is for changes that may be found by one of several checks.
func wantRefused(tb testing.TB, c *seal.Codec, m seal.Mode, token string) {
	tb.Helper()
	cl, payload, err := c.Open(m, user(), token, start)
	if !errors.Is(err, seal.ErrToken) {
		tb.Fatalf("error %v, want a refusal of %q", err, token)
	}
	if cl != (seal.Claims{}) || payload != nil {
		tb.Fatalf("a refused token gave claims %+v and payload %q", cl, payload)
	}
}

// raw and spell take a token to its bytes and back.
func raw(tb testing.TB, token string) []byte {
	tb.Helper()
	b, err := base64.RawURLEncoding.Strict().DecodeString(token[3:])
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func spell(prefix string, b []byte) string {
	return prefix + base64.RawURLEncoding.EncodeToString(b)
}

// forge changes the last byte of a payload so that all of a token has to be
// read before it is found out.
func forge(token string) string {
	at := len(token) - 60
	return token[:at] + strings.Map(func(r rune) rune {
		if r == 'A' {
			return 'B'
		}
		return 'A'
	}, token[at:at+1]) + token[at+1:]
}
