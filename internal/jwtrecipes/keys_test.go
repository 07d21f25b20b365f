package jwtrecipes_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// keysByIssuer is the Keyfunc for several issuers: a key speaks for its own
// issuer only, whatever kid says.
func keysByIssuer(issuers ...*issuer) jwt.Keyfunc {
	return func(token *jwt.Token) (any, error) {
		iss, err := token.Claims.GetIssuer()
		if err != nil {
			return nil, err
		}
		for _, i := range issuers {
			if i.url == iss {
				return i.keys(token)
			}
		}
		return nil, errors.New("no such issuer")
	}
}

func TestSeveralIssuers(t *testing.T) {
	first, second := newIssuer(t, issuerURL), newIssuer(t, "https://login.example")
	stranger := newIssuer(t, "https://evil.example")
	cfg := first.config()
	cfg.Issuers = append(cfg.Issuers, second.url)
	cfg.Keyfunc = keysByIssuer(first, second, stranger)
	who, err := jwtbind.Verify(cfg)
	must(t, err)
	ask := func(token string) (core.Identity, error) {
		return who.Authenticate(t.Context(), http.Header{"Authorization": {"Bearer " + token}})
	}
	for _, i := range []*issuer{first, second} {
		if p, err := ask(i.token(nil, nil)); err != nil || p.Issuer != i.url || p.Subject != "ada" {
			t.Errorf("%s: got %+v, %v", i.url, p, err)
		}
	}
	// M10: the second issuer says that it is the first.
	p, err := ask(second.token(map[string]any{"kid": "1"}, jwt.MapClaims{"iss": first.url}))
	invalid(t, p, err)
	p, err = ask(stranger.token(nil, nil)) // known to the Keyfunc, not to Issuers
	invalid(t, p, err)
}

// While keys rotate, a token may be signed with either.
func TestRotation(t *testing.T) {
	before, after := newIssuer(t, issuerURL), newIssuer(t, issuerURL)
	cfg := before.config()
	cfg.Keyfunc = func(*jwt.Token) (any, error) {
		return jwt.VerificationKeySet{Keys: []jwt.VerificationKey{&before.key.PublicKey, &after.key.PublicKey}}, nil
	}
	who, err := jwtbind.Verify(cfg)
	must(t, err)
	for _, i := range []*issuer{before, after} {
		p, err := who.Authenticate(t.Context(), http.Header{"Authorization": {"Bearer " + i.token(nil, nil)}})
		if err != nil || p.Subject != "ada" {
			t.Errorf("got %+v, %v", p, err)
		}
	}
	p, err := who.Authenticate(t.Context(), http.Header{"Authorization": {"Bearer " + newIssuer(t, issuerURL).token(nil, nil)}})
	invalid(t, p, err)
}

// M13: one secret of a set that can be guessed is as good as none.
func TestWeakSecretInASet(t *testing.T) {
	i := newIssuer(t, issuerURL)
	for size, good := range map[int]bool{0: false, 63: false, 64: true} {
		weak := make([]byte, size)
		strong := []byte(fmt.Sprintf("%064d", 7))
		cfg := i.config()
		cfg.Methods = []string{"HS512"}
		cfg.Keyfunc = func(*jwt.Token) (any, error) {
			return jwt.VerificationKeySet{Keys: []jwt.VerificationKey{strong, weak}}, nil
		}
		who, err := jwtbind.Verify(cfg)
		must(t, err)
		for _, secret := range [][]byte{strong, weak} {
			signed, err := jwt.NewWithClaims(jwt.SigningMethodHS512, i.claims(nil)).SignedString(secret)
			must(t, err)
			p, err := who.Authenticate(t.Context(), http.Header{"Authorization": {"Bearer " + signed}})
			if !good {
				invalid(t, p, err)
			} else if err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
	}
}

// Errors keep those of the JWT library in their chain, and not in their text.
func TestErrorsOfTheLibrary(t *testing.T) {
	i := newIssuer(t, issuerURL)
	cfg := i.config()
	cfg.Keyfunc = i.keys
	who, err := jwtbind.Verify(cfg)
	must(t, err)
	for _, tc := range []struct {
		token string
		want  error
	}{
		{newIssuer(t, issuerURL).token(nil, nil), jwt.ErrTokenSignatureInvalid},
		{i.token(nil, jwt.MapClaims{"exp": 5}), jwt.ErrTokenExpired},
		{i.token(nil, jwt.MapClaims{"nbf": 1 << 40}), jwt.ErrTokenNotValidYet},
		{i.token(nil, jwt.MapClaims{"iat": 1 << 40}), jwt.ErrTokenUsedBeforeIssued},
	} {
		p, err := who.Authenticate(t.Context(), http.Header{"Authorization": {"Bearer " + tc.token}})
		invalid(t, p, err)
		if !errors.Is(err, tc.want) {
			t.Errorf("got %v, want %v in its chain", err, tc.want)
		}
	}
}
