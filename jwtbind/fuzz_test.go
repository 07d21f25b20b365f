package jwtbind_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/jwtbind"
)

// FuzzToken signs whatever is in it: a principal may come out only where another
// reader of JSON finds the same names and values in the same bytes.
func FuzzToken(f *testing.F) {
	s := hs256(secret)
	cfg := config(s, func(c *jwtbind.Config) { c.TenantClaim, c.AllowAnonymous = "tid", true })
	who, err := jwtbind.Verify(cfg)
	if err != nil {
		f.Fatal(err)
	}
	// Not from time.Now: a corpus outlives it.
	exp := time.Date(2200, time.January, 1, 0, 0, 0, 0, time.UTC).Unix()
	good := fmt.Sprintf(`{"iss":%q,"aud":[%q],"exp":%d,"sub":"ada","tid":"t1","scope":"a b"}`, issuer, audience, exp)
	for _, header := range []string{`{"alg":"HS256","typ":"JWT"}`, `{"alg":"HS256"}`, `{"alg":"none"}`, `{"alg":"HS256","crit":[]}`, `{}`, `null`} {
		f.Add(header, good)
	}
	for _, claims := range []string{
		`{}`, `null`, `[]`, strings.Replace(good, `"sub"`, `"SUB"`, 1), strings.Replace(good, `"sub"`, `"sub":"x","sub"`, 1),
		strings.Replace(good, `"ada"`, `"\u0061da"`, 1), strings.Replace(good, `"ada"`, `5`, 1), good + " ", good + "1",
	} {
		f.Add(`{"alg":"HS256"}`, claims)
	}
	f.Fuzz(func(t *testing.T, header, claims string) {
		p, err := who.Authenticate(t.Context(), bearing(s.raw(header, claims)))
		if err != nil {
			if p.Valid() {
				t.Fatalf("got %+v beside %v", p, err)
			}
			return
		}
		var h, c map[string]any
		if json.Unmarshal([]byte(header), &h) != nil || json.Unmarshal([]byte(claims), &c) != nil {
			t.Fatalf("accepted %q %q, which is no JSON", header, claims)
		}
		if _, crit := h["crit"]; crit || h["alg"] != "HS256" {
			t.Fatalf("accepted the header %q", header)
		}
		if p.Issuer != c["iss"] || p.Subject != c["sub"] || p.Tenant != c["tid"] || p.Issuer != issuer || !p.Valid() || p.IsAnonymous() {
			t.Fatalf("got %+v from %q", p, claims)
		}
		if exp, ok := c["exp"].(float64); !ok || exp < float64(time.Now().Unix())-31 {
			t.Fatalf("accepted exp %v", c["exp"])
		}
		auds, list := c["aud"].([]any)
		if !list {
			auds = []any{c["aud"]}
		}
		if !slices.Contains(auds, any(audience)) && !slices.Contains(auds, any(audience+"/")) {
			t.Fatalf("accepted aud %v", c["aud"])
		}
	})
}
