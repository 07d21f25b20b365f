package seal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

func TestRoundTrip(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	for m := range bothModes() {
		for _, size := range []int{0, 1, 2, 3, 16, 200, 4096, 48_000} {
			payload := bytes.Repeat([]byte{0xfe}, size)
			token := mustSeal(t, c, m, payload)
			if prefix := string(m) + "1."; !strings.HasPrefix(token, prefix) {
				t.Errorf("token %.9q, want the prefix %q", token, prefix)
			}
			cl, got, err := c.Open(m, user(), token, start.Add(time.Second))
			if err != nil || !bytes.Equal(got, payload) {
				t.Fatalf("%s, %d bytes: %v", name(m), size, err)
			}
			want := claims()
			want.ID = cl.ID
			if cl != want || cl.ID == [16]byte{} {
				t.Errorf("%s: claims %+v, want %+v", name(m), cl, want)
			}
			clear(got) // the caller's own: the token still opens
			wantOpens(t, c, m, token, payload)
		}
	}
}

func TestClaimsSurvive(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	cl := claims()
	cl.Issued = cl.Issued.Add(999_999).In(time.FixedZone("", 3600)) // less than a millisecond
	cl.ID = [16]byte{1, 2, 3}
	cl.Round = 65535
	token, err := c.Seal(seal.Signed, user(), cl, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := c.Open(seal.Signed, user(), token, start)
	want := cl
	want.Issued = start
	if err != nil || got != want {
		t.Errorf("claims %+v, %v, want %+v", got, err, want)
	}
}

// TestTokensDiffer looks at each byte of nonce and id: over so many tokens none
// keeps its value.
func TestTokensDiffer(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	for m := range bothModes() {
		seen := make(map[string]bool)
		var random [][]byte
		for range 100 {
			token := mustSeal(t, c, m, []byte("same"))
			cl, _, err := c.Open(m, user(), token, start)
			if err != nil {
				t.Fatal(err)
			}
			drawn := cl.ID[:]
			if m == seal.Encrypted {
				drawn = append(drawn, raw(t, token)[8:32]...)
			}
			seen[token] = true
			random = append(random, drawn)
		}
		if len(seen) != 100 {
			t.Errorf("%s: %d different tokens of 100", name(m), len(seen))
		}
		for i := range random[0] {
			if !slices.ContainsFunc(random, func(b []byte) bool { return b[i] != random[0][i] }) {
				t.Errorf("%s: byte %d of id and nonce is the same in all tokens", name(m), i)
			}
		}
	}
}

// TestWhatAClientSees keeps the promise of each mode, and that neither shows
// who it was made for.
func TestWhatAClientSees(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	signed, encrypted := raw(t, mustSeal(t, c, seal.Signed, []byte("legible"))), raw(t, mustSeal(t, c, seal.Encrypted, []byte("legible")))
	if !bytes.Contains(signed, []byte("legible")) || bytes.Contains(encrypted, []byte("legible")) {
		t.Error("signed tokens can be read, encrypted ones cannot")
	}
	for _, b := range [][]byte{signed, encrypted} {
		if bytes.Contains(b, []byte("ada")) || bytes.Contains(b, []byte("id.example")) {
			t.Error("the principal shows")
		}
	}
	flow := claims().Flow
	if !bytes.Contains(signed, flow[:]) || bytes.Contains(encrypted, flow[:]) {
		t.Error("the claims of a signed token can be read, those of an encrypted one cannot")
	}
}

// TestServerMistakes are errors that no token can cause and that do not match
// ErrToken.
func TestServerMistakes(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	token := mustSeal(t, c, seal.Signed, nil)
	for _, c2 := range []struct {
		name   string
		mode   seal.Mode
		change func(*seal.Binding, *seal.Claims)
		opens  bool // only sealing objects
		want   string
	}{
		{"no mode", 0, func(*seal.Binding, *seal.Claims) {}, false, "mode"},
		{"unknown mode", 'x', func(*seal.Binding, *seal.Claims) {}, false, "mode"},
		{"list without parts", seal.Signed, func(b *seal.Binding, _ *seal.Claims) { b.Principal = [][]byte{} }, false, "names nobody"},
		{"nil part", seal.Signed, func(b *seal.Binding, _ *seal.Claims) { b.Principal = [][]byte{nil} }, false, "names nobody"},
		{"empty parts", seal.Signed, func(b *seal.Binding, _ *seal.Claims) { b.Principal = [][]byte{{}, {}} }, false, "names nobody"},
		{"no flow", seal.Signed, func(_ *seal.Binding, cl *seal.Claims) { cl.Flow = [16]byte{} }, true, "Flow"},
		{"expires when issued", seal.Signed, func(_ *seal.Binding, cl *seal.Claims) { cl.Expires = cl.Issued }, true, "Expires"},
		{"expires within the millisecond", seal.Signed, func(_ *seal.Binding, cl *seal.Claims) { cl.Expires = cl.Issued.Add(time.Microsecond) }, true, "Expires"},
		{"flow over before", seal.Signed, func(_ *seal.Binding, cl *seal.Claims) { cl.FlowUntil = cl.Issued.Add(-1) }, true, "FlowUntil"},
		{"no times", seal.Signed, func(_ *seal.Binding, cl *seal.Claims) { cl.Expires, cl.FlowUntil = time.Time{}, time.Time{} }, true, "Expires"},
	} {
		b, cl := user(), claims()
		c2.change(&b, &cl)
		if got, err := c.Seal(c2.mode, b, cl, nil); err == nil || got != "" || !strings.Contains(err.Error(), c2.want) {
			t.Errorf("%s: sealed %q, %v, want an error with %q", c2.name, got, err, c2.want)
		}
		_, _, err := c.Open(c2.mode, b, token, start)
		if c2.opens != (err == nil) || errors.Is(err, seal.ErrToken) {
			t.Errorf("%s: opening: %v", c2.name, err)
		}
	}
}

func TestOpenErrorText(t *testing.T) {
	for want, err := range map[string]error{
		"parley: token refused: state_integrity":             &seal.OpenError{Reason: seal.ReasonIntegrity},
		"parley: token refused: state_unknown_key (retired)": &seal.OpenError{Reason: seal.ReasonUnknownKey, Retired: true},
	} {
		if err.Error() != want || !errors.Is(err, seal.ErrToken) {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

func TestBase64AlphabetOnly(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	for range 50 {
		token := mustSeal(t, c, seal.Encrypted, []byte{1})
		if strings.ContainsAny(token, "+/=") {
			t.Fatalf("token %q is not base64url without padding", token)
		}
		b, err := base64.URLEncoding.DecodeString(token[3:] + strings.Repeat("=", -len(token[3:])&3))
		if err != nil || spell("e1.", b) != token {
			t.Fatalf("token %q: %v", token, err)
		}
	}
}
