package jwtbind_test

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/parleymcp/parley/jwtbind"
)

func TestMethods(t *testing.T) {
	signers := []signer{hs256(secret), rs256(t), es256(t), eddsa(t)}
	others := []signer{hs256([]byte(strings.Repeat("another ", 4))), rs256(t), es256(t), eddsa(t)}
	for i, s := range signers {
		t.Run(s.alg, func(t *testing.T) {
			who := verify(t, config(s))
			token := s.token(claims(nil))
			accepted(t, who, bearing(token), ada)

			refused(t, who, bearing(others[i].token(claims(nil))), jwtbind.ErrInvalidToken) // another key
			for j, other := range signers {
				if i == j {
					continue
				}
				refused(t, who, bearing(other.token(claims(nil))), jwtbind.ErrInvalidToken)
				// The alg that is accepted over a signature of another.
				refused(t, who, bearing(other.raw(encode(object{"alg": s.alg}), encode(claims(nil)))), jwtbind.ErrInvalidToken)
				// The key of one for the alg of the other.
				refused(t, verify(t, config(other, func(c *jwtbind.Config) { c.Methods = []string{s.alg} })),
					bearing(token), jwtbind.ErrInvalidToken)
			}

			parts := strings.Split(token, ".")
			for name, forged := range map[string]string{
				"no signature":    parts[0] + "." + parts[1] + ".",
				"cut signature":   token[:len(token)-4],
				"longer":          token + "AAAA",
				"other claims":    parts[0] + "." + segment([]byte(encode(claims(object{"sub": "bob"})))) + "." + parts[2],
				"other header":    segment([]byte(encode(object{"alg": s.alg, "kid": "1"}))) + "." + parts[1] + "." + parts[2],
				"two segments":    parts[0] + "." + parts[1],
				"four segments":   token + ".",
				"swapped":         parts[1] + "." + parts[0] + "." + parts[2],
				"nothing but two": "..",
			} {
				t.Run(name, func(t *testing.T) {
					refused(t, who, bearing(forged), jwtbind.ErrInvalidToken)
				})
			}
		})
	}
}

// Every other spelling of every byte of a token is another token: Go's base64
// skips line breaks, and the last character of a segment has bits to spare.
func TestTokenHasOneSpelling(t *testing.T) {
	s := es256(t)
	who := verify(t, config(s))
	token := s.token(claims(nil))
	accepted(t, who, bearing(token), ada)
	for i := range token {
		for b := range strings.SplitSeq("AQgw-_=.+/ \r\n\x00", "") {
			if b != token[i:i+1] {
				if p, err := who.Authenticate(t.Context(), bearing(token[:i]+b+token[i+1:])); err == nil {
					t.Fatalf("%q for %q at %d: got %+v", b, token[i], i, p)
				}
			}
			if b == " " && i == 0 {
				continue // a second space behind the scheme
			}
			if p, err := who.Authenticate(t.Context(), bearing(token[:i]+b+token[i:])); err == nil {
				t.Fatalf("%q inserted at %d: got %+v", b, i, p)
			}
		}
	}
}

// The public key is no secret: what it "signs" with HS256 must not pass.
func TestPublicKeyAsSecret(t *testing.T) {
	for _, s := range []signer{rs256(t), es256(t), eddsa(t)} {
		t.Run(s.alg, func(t *testing.T) {
			der, err := x509.MarshalPKIXPublicKey(s.key)
			must(t, err)
			for _, public := range [][]byte{der, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})} {
				token := hs256(public).token(claims(nil))
				refused(t, verify(t, config(s)), bearing(token), jwtbind.ErrInvalidToken)
				// The token itself is a good one to whoever takes those bytes for a secret.
				accepted(t, verify(t, config(hs256(public))), bearing(token), ada)
			}
			// Methods says HS256, Keyfunc returns the public key.
			wrong := config(s, func(c *jwtbind.Config) { c.Methods = []string{"HS256"} })
			refused(t, verify(t, wrong), bearing(hs256(der).token(claims(nil))), jwtbind.ErrInvalidToken)
		})
	}
}

func TestNoneIsNeverAccepted(t *testing.T) {
	unsigned := signer{sign: func([]byte) []byte { return nil }}
	for _, s := range []signer{hs256(secret), rs256(t)} {
		for _, alg := range []any{"none", "None", "NONE", "nOnE", "", nil, 5, []string{s.alg}} {
			token := unsigned.raw(encode(object{"alg": alg, "typ": "JWT"}), encode(claims(nil)))
			refused(t, verify(t, config(s)), bearing(token), jwtbind.ErrInvalidToken)
		}
		refused(t, verify(t, config(s)), bearing(unsigned.raw(`{"typ":"JWT"}`, encode(claims(nil)))), jwtbind.ErrInvalidToken)
	}
}

// M13: the JWT library takes an empty secret, which an unset variable is.
func TestShortSecretIsRefused(t *testing.T) {
	for size, good := range map[int]bool{0: false, 1: false, 31: false, 32: true, 33: true} {
		s := hs256([]byte(strings.Repeat("k", size)))
		who := verify(t, config(s))
		if good {
			accepted(t, who, bearing(s.token(claims(nil))), ada)
			continue
		}
		err := refusal(t, who, bearing(s.token(claims(nil))), jwtbind.ErrInvalidToken)
		if !strings.Contains(err.Error(), "shorter than its hash") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestKeyfuncRefuses(t *testing.T) {
	s := hs256(secret)
	down := errors.New("no key for kid of-the-token")
	cfg := config(s)
	answer(&cfg.Keyfunc, nil, down)
	err := refusal(t, verify(t, cfg), bearing(s.token(claims(nil))), jwtbind.ErrInvalidToken)
	if !errors.Is(err, down) || strings.Contains(err.Error(), "of-the-token") {
		t.Errorf("got %v: the cause belongs into the chain and not into the text", err)
	}
	for name, key := range map[string]any{"nil": nil, "a string": string(secret), "nil of a type": (*ecdsa.PublicKey)(nil)} {
		answer(&cfg.Keyfunc, key, nil)
		t.Run(name, func(t *testing.T) {
			refused(t, verify(t, cfg), bearing(s.token(claims(nil))), jwtbind.ErrInvalidToken)
		})
	}
}

// Keyfunc may ask the network, so it hears of no token that fails anyway.
func TestKeyfuncIsAskedLast(t *testing.T) {
	s := hs256(secret)
	asked := 0
	cfg := config(s)
	count(&cfg.Keyfunc, &asked, s.key)
	who := verify(t, cfg)
	for _, token := range []string{
		s.token(claims(object{"iss": "https://evil.example"})), s.token(claims(object{"aud": "https://other.example"})),
		s.token(claims(object{"exp": 1})), s.token(claims(object{"sub": ""})), s.raw(`{"alg":"HS512"}`, encode(claims(nil))),
	} {
		refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
	}
	if asked != 0 {
		t.Fatalf("asked %d times", asked)
	}
	accepted(t, who, bearing(s.token(claims(nil))), ada)
	if asked != 1 {
		t.Fatalf("asked %d times for a good token", asked)
	}
}

func count[K ~func(T) (any, error), T any](keyfunc *K, asked *int, key any) {
	*keyfunc = func(T) (any, error) { *asked++; return key, nil }
}
