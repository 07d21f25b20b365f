package jwtbind_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// nothing is a JSON null; in an object of changes, nil takes a claim away.
var nothing = []any(nil)

func TestClaims(t *testing.T) {
	s := hs256(secret)
	for name, tc := range map[string]struct {
		claim string
		good  []any
		bad   []any
	}{
		"issuer": {
			"iss",
			[]any{issuer},
			[]any{nil, "", issuer + "/", "https://ID.example", "http://id.example", "https://id.example.evil.example", []string{issuer}, 5, true, nothing, object{}},
		},
		"audience": {
			"aud",
			[]any{audience, audience + "/", []string{audience}, []string{"https://a.example", audience + "/"}, []string{"", audience}},
			[]any{
				nil, "", "/", audience + "//", "https://bank.example/mcp2", "https://bank.example", "https://BANK.example/mcp", audience + "#x",
				[]string{},
				[]string{"https://a.example"},
				[][]string{{audience}},
				[]any{audience, 5},
				5, nothing,
				object{"0": audience},
			},
		},
		"subject": {
			"sub",
			[]any{"ada"},
			[]any{nil, "", " ", "\t\n", "\u00a0", 5, 0, 1e20, true, nothing, []string{"ada"}, object{"sub": "ada"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			who := verify(t, config(s))
			for _, v := range tc.good {
				accepted(t, who, bearing(s.token(claims(object{tc.claim: v}))), ada)
			}
			for _, v := range tc.bad {
				t.Run(fmt.Sprintf("%T %v", v, v), func(t *testing.T) {
					refused(t, who, bearing(s.token(claims(object{tc.claim: v}))), jwtbind.ErrInvalidToken)
				})
			}
		})
	}
}

func TestAudienceWithSlash(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s, func(c *jwtbind.Config) { c.Audience = audience + "/" }))
	for _, aud := range []string{audience, audience + "/"} {
		accepted(t, who, bearing(s.token(claims(object{"aud": aud}))), ada)
	}
	refused(t, who, bearing(s.token(claims(object{"aud": audience + "//"}))), jwtbind.ErrInvalidToken)
}

// A subject is taken as it is: nothing that looks alike becomes the same.
func TestSubjectIsExact(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s))
	for _, sub := range []string{"Ada", " ada", "ada ", "ada\x00", "a\u0301da", "\u00e1da", "ada|google", "5", "null"} {
		accepted(t, who, bearing(s.token(claims(object{"sub": sub}))), core.Principal{Issuer: issuer, Subject: sub})
	}
}

func TestTenantAndClient(t *testing.T) {
	s := hs256(secret)
	plain := verify(t, config(s))
	both := verify(t, config(s, func(c *jwtbind.Config) { c.TenantClaim, c.ClientClaim = "tid", "azp" }))

	full := bearing(s.token(claims(object{"tid": "t1", "azp": "c1", "TID": "t2"})))
	accepted(t, both, full, core.Principal{Issuer: issuer, Subject: "ada", Tenant: "t1", Client: "c1"})
	accepted(t, plain, full, ada) // what is not named binds nothing

	for _, missing := range []string{"tid", "azp"} {
		for _, v := range []any{nil, "", " ", 5, true, nothing, []string{"t1"}, object{"id": "t1"}} {
			token := s.token(claims(object{"tid": "t1", "azp": "c1", missing: v, "Tid": "t1"}))
			refused(t, both, bearing(token), jwtbind.ErrInvalidToken)
			accepted(t, plain, bearing(token), ada)
		}
	}
}

func TestScopes(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s))
	with := func(scopes ...string) []string { return scopes }
	for name, tc := range map[string]struct {
		changes object
		want    []string
	}{
		"none":            {object{}, with()},
		"one":             {object{"scope": "read"}, with("read")},
		"several":         {object{"scope": "read write files:read"}, with("read", "write", "files:read")},
		"spaces":          {object{"scope": " read  write "}, with("read", "write")},
		"scp list":        {object{"scp": []string{"read", "write"}}, with("read", "write")},
		"scp string":      {object{"scp": "read write"}, with("read", "write")},
		"scope list":      {object{"scope": []string{"read"}}, with("read")},
		"scope wins":      {object{"scope": "read", "scp": []string{"write"}}, with("read")},
		"another case":    {object{"Scope": "admin", "SCP": "admin"}, with()},
		"exact in a list": {object{"scp": []string{"a b"}}, with("a b")},
	} {
		t.Run(name, func(t *testing.T) {
			h := bearing(s.token(claims(tc.changes)))
			accepted(t, who, h, ada)
			if got, _ := who.Authenticate(t.Context(), h); !slices.Equal(got.Scopes, tc.want) {
				t.Errorf("got %q, want %q", got.Scopes, tc.want)
			}
		})
	}
	for _, v := range []any{5, true, nothing, object{"read": true}, []any{"read", 5}} {
		for _, name := range []string{"scope", "scp"} {
			refused(t, who, bearing(s.token(claims(object{name: v}))), jwtbind.ErrInvalidToken)
		}
	}
}
