package seal_test

import (
	"errors"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

// FuzzOpen holds that nothing opens but the tokens it was seeded with, letter
// by letter, and that everything else is a refusal and never a panic.
func FuzzOpen(f *testing.F) {
	c := newRing(f, keyA(), keyB().Retired()).Codec("p", "a")
	sealed := make(map[string]bool)
	for m := range bothModes() {
		for size := range 3 {
			token := fixedToken(f, c, m, []byte("payload")[:4+size])
			sealed[token] = true
			f.Add(token)
		}
		f.Add(fixedToken(f, newRing(f, keyB()).Codec("p", "a"), m, nil))
		f.Add(string(m) + "1.")
	}
	for _, bad := range readGolden[[]badToken](f, "negative.json") {
		f.Add(bad.Token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		for m := range bothModes() {
			_, payload, err := c.Open(m, user(), token, start)
			switch {
			case err == nil && (!sealed[token] || seal.Mode(token[0]) != m):
				t.Errorf("%s: %q opened with payload %q", name(m), token, payload)
			case err != nil && !errors.Is(err, seal.ErrToken):
				t.Errorf("%s: %q: %v", name(m), token, err)
			}
		}
	})
}

// fixedToken is the same in every process, which a corpus needs.
func fixedToken(tb testing.TB, c *seal.Codec, m seal.Mode, payload []byte) string {
	tb.Helper()
	cl := claims()
	cl.ID = [16]byte{1}
	token, err := c.SealFixed(m, user(), cl, payload, [24]byte{2})
	if err != nil {
		tb.Fatal(err)
	}
	return token
}
