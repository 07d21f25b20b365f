package jwtbind_test

import (
	"maps"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// M10: a client refreshes its token between two rounds, and is still the same.
func TestRefreshedTokenIsTheSameCaller(t *testing.T) {
	s := es256(t) // its signatures differ even over the same bytes
	who := verify(t, config(s, func(c *jwtbind.Config) { c.TenantClaim, c.ClientClaim = "tid", "azp" }))
	now := time.Now()
	stable := object{"tid": "t1", "azp": "c1", "scope": "read"}
	want := core.Principal{Issuer: issuer, Subject: "ada", Tenant: "t1", Client: "c1"}
	for name, changes := range map[string]object{
		"first":        {"jti": "1", "sid": "1", "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()},
		"refreshed":    {"jti": "2", "sid": "1", "iat": now.Unix() + 1, "exp": now.Add(2 * time.Minute).Unix()},
		"new session":  {"jti": "3", "sid": "2", "nonce": "n", "auth_time": now.Unix()},
		"more for him": {"email": "ada@bank.example", "aud": []string{"https://a.example", audience + "/"}},
	} {
		t.Run(name, func(t *testing.T) {
			all := claims(stable)
			maps.Copy(all, changes)
			accepted(t, who, bearing(s.raw(encode(object{"alg": s.alg, "typ": "at+jwt", "kid": name}), encode(all))), want)
		})
	}
}

// M10, M11: what names a caller apart, and what does not.
func TestCallersDiffer(t *testing.T) {
	s := hs256(secret)
	const second = "https://login.example"
	cfg := config(s, func(c *jwtbind.Config) {
		c.Issuers, c.TenantClaim = []string{issuer, second}, "tid"
		c.AllowAnonymous = true
	})
	who := verify(t, cfg)
	callers := []object{
		{"tid": "t1"},
		{"tid": "t1", "sub": "bob"},
		{"tid": "t1", "iss": second}, // one subject, another issuer
		{"tid": "t2"},                // one subject, another tenant
		{"tid": "t1", "sub": "ada\x00"},
		{"tid": "1", "sub": "adat"}, // the same when run together
	}
	seen := []core.Principal{core.Anonymous}
	for _, c := range callers {
		p, err := who.Authenticate(t.Context(), bearing(s.token(claims(c))))
		must(t, err)
		if !p.Valid() || p.IsAnonymous() {
			t.Fatalf("%v is %+v", c, p)
		}
		for _, other := range seen {
			if p.Principal == other {
				t.Fatalf("two callers are %+v", p)
			}
		}
		seen = append(seen, p.Principal)
	}
}

// M11: one with a token that is not good enough is nobody, and not one of the
// anonymous callers.
func TestBadTokenIsNeverAnonymous(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s, func(c *jwtbind.Config) { c.AllowAnonymous = true }))
	accepted(t, who, header{}, core.Anonymous)
	for name, token := range map[string]string{
		"expired":    s.token(claims(object{"exp": time.Now().Add(-time.Hour).Unix()})),
		"no subject": s.token(claims(object{"sub": nil})),
		"blank":      s.token(claims(object{"sub": " "})),
		"forged":     hs256([]byte("another secret, of enough bytes.")).token(claims(nil)),
		"elsewhere":  s.token(claims(object{"aud": "https://other.example"})),
		"garbage":    "garbage",
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
		})
	}
	strict := verify(t, config(s))
	refused(t, strict, header{}, jwtbind.ErrNoToken)
}
