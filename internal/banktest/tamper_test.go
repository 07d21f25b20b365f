package banktest_test

import (
	"strings"
	"sync"
	"testing"
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// TestM12EveryByte changes every character of a token of each kind, to one that
// is another value, one of the other base64 alphabet, and some that a lenient
// decoder skips: a token has one spelling. core/seal does the same with every
// character there is.
func TestM12EveryByte(t *testing.T) {
	t.Parallel()
	b := sharedBank(t, "stdlib")
	others := []string{"", "=", "+", "/", "\r\n", " ", "%41", "AA"}
	if raceDetector() {
		others = []string{"=", "\n"} // the whole takes its time
	}
	for _, s := range []story{transfer, closeAccount} {
		t.Run(s.name, func(t *testing.T) {
			alice, _ := b.newcomer(t)
			last := alice.last(t, s)
			token := strings.Trim(last.state, `"`)
			var variants []string
			for i := range len(token) {
				variants = append(variants, flip(token, i))
				for _, other := range others {
					variants = append(variants, token[:i]+other+token[i+1:])
				}
			}
			end := len(token) - 1 // bits of the last character that mean nothing are another spelling
			for _, other := range alphabet {
				if string(other) != token[end:] {
					variants = append(variants, token[:end]+string(other))
				}
			}
			for _, other := range []string{"=", "==", "\n", " ", "A", "."} {
				variants = append(variants, token+other, other+token)
			}
			next := make(chan string)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for variant := range next {
						what := last
						what.state = quote(variant)
						r, err := alice.post(t.Context(), what.method, what.name, what.body())
						if err != nil || r.status != 400 || r.body != refused {
							t.Errorf("%q instead of %q: got %v, %v", variant, token, r, err)
						}
					}
				})
			}
			for _, variant := range variants {
				next <- variant
			}
			close(next)
			wg.Wait()
			if n := alice.booked(t); n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			alice.complete(t, last)
			if n := alice.booked(t); n != 1 {
				t.Errorf("the control: %d entries, want 1", n)
			}
		})
	}
}
