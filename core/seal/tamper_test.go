package seal_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

// eachToken runs f for both modes and for payloads of each length modulo three,
// so that base64 ends in every way it can.
func eachToken(t *testing.T, f func(t *testing.T, c *seal.Codec, m seal.Mode, token string)) {
	for m := range bothModes() {
		t.Run(name(m), func(t *testing.T) {
			for size := range 3 {
				payload := []byte("tamper")[:4+size]
				c := newRing(t, keyA()).Codec("p", "a")
				token := mustSeal(t, c, m, payload)
				f(t, c, m, token)
				wantOpens(t, c, m, token, payload)
			}
		})
	}
}

// TestByteSweep replaces each byte of a token by each other byte there is. That
// covers the alphabet, padding, other alphabets, white space, line ends, NUL and
// percent signs, and proves that a token has one spelling (M12 of the field
// bugs).
func TestByteSweep(t *testing.T) {
	eachToken(t, func(t *testing.T, c *seal.Codec, m seal.Mode, token string) {
		forged := []byte(token)
		for i := range forged {
			for b := range 256 {
				if byte(b) == token[i] {
					continue
				}
				forged[i] = byte(b)
				wantRefused(t, c, m, string(forged))
			}
			forged[i] = token[i]
		}
	})
}

func TestDeleteInsertTruncate(t *testing.T) {
	const inserted = "A_-9=+/. \t\r\n\x00%"
	eachToken(t, func(t *testing.T, c *seal.Codec, m seal.Mode, token string) {
		for i := range len(token) + 1 {
			for _, b := range []byte(inserted) {
				wantRefused(t, c, m, token[:i]+string(b)+token[i:])
				wantRefused(t, c, m, token[:i]+string(b)+string(b)+token[i:])
			}
			wantRefused(t, c, m, token[:i]+"\r\n"+token[i:])
			if i == len(token) {
				break
			}
			wantRefused(t, c, m, token[:i])
			for n := 1; n <= 4 && i+n <= len(token); n++ {
				wantRefused(t, c, m, token[:i]+token[i+n:])
			}
			if i > 0 {
				wantRefused(t, c, m, token[i:])
			}
		}
	})
}

// TestByteSweepInside changes the bytes under the base64, where a whole byte is
// what an attacker would aim at.
func TestByteSweepInside(t *testing.T) {
	eachToken(t, func(t *testing.T, c *seal.Codec, m seal.Mode, token string) {
		b := raw(t, token)
		for i := range b {
			want := seal.ReasonIntegrity
			if i < 8 {
				want = seal.ReasonUnknownKey
			}
			for bit := range 8 {
				b[i] ^= 1 << bit
				_, _, err := c.Open(m, user(), spell(token[:3], b), start)
				wantReason(t, err, want)
				b[i] ^= 1 << bit
			}
		}
	})
}

// TestSwap puts parts of one token into another that is as good: of the same
// codec, of another key of the ring, of another codec.
func TestSwap(t *testing.T) {
	r := newRing(t, keyA(), keyB())
	c := r.Codec("p", "a")
	for m := range bothModes() {
		t.Run(name(m), func(t *testing.T) {
			payload := []byte("ours")
			token := mustSeal(t, c, m, payload)
			wantOpens(t, c, m, token, payload)
			others := map[string]string{
				"same codec":     mustSeal(t, c, m, []byte("them")),
				"other key":      mustSeal(t, newRing(t, keyB()).Codec("p", "a"), m, []byte("them")),
				"other purpose":  mustSeal(t, r.Codec("q", "a"), m, payload),
				"other audience": mustSeal(t, r.Codec("p", "b"), m, payload),
			}
			ours := raw(t, token)
			for name, other := range others {
				theirs := raw(t, other)
				if len(theirs) != len(ours) {
					t.Fatalf("%s: %d bytes against %d", name, len(theirs), len(ours))
				}
				for _, part := range [][2]int{
					{0, 8},                       // kid
					{8, 32},                      // nonce, or the first claims
					{8, len(ours)},               // all but the kid
					{0, 32},                      // kid and nonce
					{len(ours) - 16, len(ours)},  // tag
					{len(ours) - 32, len(ours)},  // mac
					{0, len(ours) / 2},           // halves
					{len(ours) / 2, len(ours)},   // halves
					{32, len(ours) - 32},         // what is in between
					{len(ours) - 36, len(ours)},  // payload and mac
					{8 + 42, 8 + 58},             // id
					{8 + 10, 8 + 26},             // the two ends
					{8 + 92, 8 + 108},            // principal
					{8 + 108, len(ours) - 32},    // payload
					{8 + 24 + 108, len(ours)},    // encrypted payload and tag
					{0, 8 + 108},                 // all before the payload
					{len(ours) - 1, len(ours)},   // last byte
					{len(ours) - 48, len(ours)},  // last blocks
					{8 + 24, 8 + 24 + 16},        // a block
					{8 + 24 + 16, 8 + 24 + 32},   // the next
					{8, 9}, {9, 10}, {8, 8 + 26}, // version, flags, times
				} {
					mixed := slices.Concat(ours[:part[0]], theirs[part[0]:part[1]], ours[part[1]:])
					if bytes.Equal(mixed, ours) || bytes.Equal(mixed, theirs) {
						continue // The parts were the same.
					}
					wantRefused(t, c, m, spell(token[:3], mixed))
				}
			}
			blocks := slices.Concat(ours[:32], ours[48:64], ours[32:48], ours[64:])
			wantRefused(t, c, m, spell(token[:3], blocks))
		})
	}
}

// TestPrefixes opens each kind as the other, under its own prefix and the
// other's.
func TestPrefixes(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	other := map[seal.Mode]seal.Mode{seal.Signed: seal.Encrypted, seal.Encrypted: seal.Signed}
	for m := range bothModes() {
		token := mustSeal(t, c, m, []byte("a payload"))
		wantOpens(t, c, m, token, []byte("a payload"))
		_, _, err := c.Open(other[m], user(), token, start)
		wantReason(t, err, seal.ReasonEncoding)
		_, _, err = c.Open(other[m], user(), string(other[m])+token[1:], start)
		wantReason(t, err, seal.ReasonIntegrity)
		_, _, err = c.Open(m, user(), string(other[m])+token[1:], start)
		wantReason(t, err, seal.ReasonEncoding)
	}
}

func TestJoin(t *testing.T) {
	eachToken(t, func(t *testing.T, c *seal.Codec, m seal.Mode, token string) {
		other := mustSeal(t, c, m, []byte("other"))
		for _, joined := range []string{
			token + other, token + "." + other, token + "," + other, token + other[3:], token + "." + other[3:],
			token + token, token[:len(token)/2] + other[len(other)/2:],
			spell(token[:3], append(raw(t, token), raw(t, other)...)),
			spell(token[:3], append(raw(t, token), 0)),
			spell(token[:3], append([]byte{0}, raw(t, token)...)),
		} {
			wantRefused(t, c, m, joined)
		}
	})
}
