package seal_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

func TestKeyStates(t *testing.T) {
	for m := range bothModes() {
		t.Run(name(m), func(t *testing.T) {
			payload := []byte("payload")
			codec := func(keys ...seal.Key) *seal.Codec { return newRing(t, keys...).Codec("p", "a") }
			a := mustSeal(t, codec(keyA()), m, payload)

			wantOpens(t, codec(keyA()), m, a, payload)
			wantOpens(t, codec(keyB(), keyA()), m, a, payload)
			wantOpens(t, codec(keyB(), keyA().OpenOnly()), m, a, payload)
			wantOpens(t, codec(keyA().OpenOnly(), keyB()), m, a, payload)

			for _, c := range []struct {
				name    string
				codec   *seal.Codec
				retired bool
			}{
				{"unknown", codec(keyB()), false},
				{"ephemeral", codec(seal.EphemeralKey()), false},
				{"retired", codec(keyB(), keyA().Retired()), true},
				{"retired after open only", codec(keyB(), keyA().OpenOnly().Retired()), true},
			} {
				_, _, err := c.codec.Open(m, user(), a, start)
				wantReason(t, err, seal.ReasonUnknownKey)
				if refused, _ := errors.AsType[*seal.OpenError](err); refused.Retired != c.retired {
					t.Errorf("%s: retired = %v in %v", c.name, refused.Retired, err)
				}
			}

			// The first active key seals, wherever it stands.
			sealed := mustSeal(t, codec(keyB().OpenOnly(), seal.EphemeralKey().Retired(), keyA(), seal.EphemeralKey()), m, payload)
			wantOpens(t, codec(keyA()), m, sealed, payload)
		})
	}
}

func TestReplace(t *testing.T) {
	r := newRing(t, keyA())
	c := r.Codec("p", "a")
	old := mustSeal(t, c, seal.Signed, nil)

	if err := r.Replace(keyB(), seal.HexKey("not a key")); err == nil {
		t.Fatal("a bad key was taken")
	}
	wantOpens(t, c, seal.Signed, old, nil)
	if err := r.Replace(); err == nil {
		t.Fatal("no keys were taken")
	}
	wantOpens(t, c, seal.Signed, old, nil)

	if err := r.Replace(keyB(), keyA().OpenOnly()); err != nil {
		t.Fatal(err)
	}
	wantOpens(t, c, seal.Signed, old, nil)
	fresh := mustSeal(t, c, seal.Signed, nil)
	wantOpens(t, newRing(t, keyB()).Codec("p", "a"), seal.Signed, fresh, nil)

	if err := r.Replace(keyB()); err != nil {
		t.Fatal(err)
	}
	wantOpens(t, c, seal.Signed, fresh, nil)
	_, _, err := c.Open(seal.Signed, user(), old, start)
	wantReason(t, err, seal.ReasonUnknownKey)
}

func TestOnOldKey(t *testing.T) {
	old := mustSeal(t, newRing(t, keyA()).Codec("p", "a"), seal.Encrypted, nil)
	r := newRing(t, keyB(), keyA().OpenOnly())
	c := r.Codec("p", "a")
	wantOpens(t, c, seal.Encrypted, old, nil) // without a hook

	var ids []string
	r.OnOldKey = func(id string) { ids = append(ids, id) }
	wantOpens(t, c, seal.Encrypted, mustSeal(t, c, seal.Encrypted, nil), nil)
	wantRefused(t, c, seal.Encrypted, forge(old))
	if len(ids) != 0 {
		t.Fatalf("called with %q for a new token and a forged one", ids)
	}
	wantOpens(t, c, seal.Encrypted, old, nil)
	wantOpens(t, c, seal.Encrypted, old, nil)
	if len(ids) != 2 || !strings.Contains(keyA().String(), ids[0]) || ids[0] != ids[1] {
		t.Fatalf("called with %q, want twice the id of %v", ids, keyA())
	}
}

func TestEphemeral(t *testing.T) {
	for _, c := range []struct {
		ring *seal.Ring
		want bool
	}{
		{newRing(t, seal.EphemeralKey()), true},
		{newRing(t, keyA().OpenOnly(), seal.EphemeralKey()), true},
		{newRing(t, keyA(), seal.EphemeralKey()), false},
		{newRing(t, keyA(), seal.EphemeralKey().OpenOnly()), false},
		{new(seal.Ring), false},
	} {
		if got := c.ring.Ephemeral(); got != c.want {
			t.Errorf("ephemeral = %v, want %v", got, c.want)
		}
	}
}

// TestPurposeAndAudience also tries names that read the same when they are put
// one after the other.
func TestPurposeAndAudience(t *testing.T) {
	r := newRing(t, keyA())
	for m := range bothModes() {
		token := mustSeal(t, r.Codec("order", "shop"), m, nil)
		wantOpens(t, r.Codec("order", "shop"), m, token, nil)
		for _, other := range [][2]string{
			{"orders", "shop"},
			{"order", "shops"},
			{"shop", "order"},
			{"orders", "hop"},
			{"ordershop", ""},
			{"", "ordershop"},
			{"", ""},
			{"order\x00", "shop"},
			{"order", ""},
			{"Order", "shop"},
		} {
			_, _, err := r.Codec(other[0], other[1]).Open(m, user(), token, start)
			wantReason(t, err, seal.ReasonUnknownKey)
		}
	}
}

func TestCodecIsKept(t *testing.T) {
	r := newRing(t, keyA())
	c := r.Codec("p", "a")
	if r.Codec("p", "a") != c || r.Codec("p", "b") == c || r.Codec("q", "a") == c || r.Codec("p", "a") != c {
		t.Error("one codec for each purpose and audience, always the same")
	}
	if n := testing.AllocsPerRun(100, func() { r.Codec("p", "a") }); n != 0 {
		t.Errorf("%v allocations for a codec that is there", n)
	}
}

func TestZeroRing(t *testing.T) {
	c := new(seal.Ring).Codec("p", "a")
	_, sealing := c.Seal(seal.Signed, user(), claims(), nil)
	_, _, opening := c.Open(seal.Signed, user(), "s1.AAAA", start)
	for _, err := range []error{sealing, opening} {
		if err == nil || errors.Is(err, seal.ErrToken) || !strings.Contains(err.Error(), "NewRing") {
			t.Errorf("a ring without keys: %v", err)
		}
	}
}

// TestReplaceIsAtomic seals and opens while the keys change places. Both are in
// the ring all the time, so no token may ever be refused.
func TestReplaceIsAtomic(t *testing.T) {
	r := newRing(t, keyA(), keyB())
	var old atomic.Int64
	r.OnOldKey = func(string) { old.Add(1) }
	done := make(chan struct{})
	var rotating, working sync.WaitGroup
	rotating.Go(func() {
		for i := 0; ; i++ {
			keys := []seal.Key{keyA(), keyB().OpenOnly()}
			if i%2 == 0 {
				keys = []seal.Key{keyB(), keyA().OpenOnly()}
			}
			if err := r.Replace(keys...); err != nil {
				t.Error(err)
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	for range 8 {
		working.Go(func() {
			for i := range 300 {
				m := seal.Signed
				if i%2 == 0 {
					m = seal.Encrypted
				}
				payload := []byte{byte(i)}
				token, err := r.Codec("p", "a").Seal(m, user(), claims(), payload)
				if err != nil {
					t.Error(err)
					return
				}
				_, got, err := r.Codec("p", "a").Open(m, user(), token, start)
				if err != nil || string(got) != string(payload) {
					t.Errorf("payload %q, %v", got, err)
					return
				}
			}
		})
	}
	working.Wait()
	close(done)
	rotating.Wait()
}
