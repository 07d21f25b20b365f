package jwtbind_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// The tests of WithToken need the JWT library and are in internal/jwtrecipes.

func fromContext(t *testing.T, changes ...func(*jwtbind.Config)) core.Authenticator {
	t.Helper()
	cfg := config(hs256(secret), changes...)
	cfg.Keyfunc = nil
	who, err := jwtbind.FromContext(cfg)
	must(t, err)
	return who
}

func TestNothingInContext(t *testing.T) {
	strict := fromContext(t)
	lenient := fromContext(t, func(c *jwtbind.Config) { c.AllowAnonymous = true })
	refused(t, strict, header{}, jwtbind.ErrNoToken)
	accepted(t, lenient, header{}, core.Anonymous)
	// M11: middleware that lets a bad token pass does not make it anonymous.
	for _, value := range []string{"Bearer " + hs256(secret).token(claims(nil)), "Basic YWRhOng=", ""} {
		refused(t, strict, header{"Authorization": {value}}, jwtbind.ErrInvalidToken)
		refused(t, lenient, header{"Authorization": {value}}, jwtbind.ErrInvalidToken)
	}
}

func TestWithClaims(t *testing.T) {
	who := fromContext(t, func(c *jwtbind.Config) { c.AllowAnonymous, c.TenantClaim = true, "tid" })
	want := core.Principal{Issuer: issuer, Subject: "ada", Tenant: "t1"}
	hour := time.Now().Add(time.Hour)
	base := func(changes object) map[string]any {
		all := claims(object{"tid": "t1"})
		maps.Copy(all, changes)
		return all
	}
	for name, tc := range map[string]struct {
		claims map[string]any
		good   bool
	}{
		"as json decodes":      {base(object{"exp": float64(hour.Unix()), "aud": []any{"https://a.example", audience}}), true},
		"as middleware does":   {base(object{"exp": hour, "iat": time.Now(), "aud": []string{audience}}), true},
		"expired float":        {base(object{"exp": 1.7e9}), false},
		"expired time":         {base(object{"exp": time.Now().Add(-time.Minute)}), false},
		"zero time":            {base(object{"exp": time.Time{}}), false},
		"int64 of the past":    {base(object{"exp": int64(5)}), false},
		"nbf in the future":    {base(object{"nbf": hour}), false},
		"iat in the future":    {base(object{"iat": hour}), false},
		"no exp":               {base(object{"exp": nil}), false},
		"no sub":               {base(object{"sub": nil}), false},
		"blank sub":            {base(object{"sub": " "}), false},
		"sub of another type":  {base(object{"sub": fmt.Stringer(hour)}), false},
		"no tenant":            {base(object{"tid": nil}), false},
		"other issuer":         {base(object{"iss": "https://evil.example"}), false},
		"no issuer":            {base(object{"iss": nil}), false},
		"other audience":       {base(object{"aud": "https://other.example"}), false},
		"no audience":          {base(object{"aud": nil}), false},
		"case of another name": {base(object{"sub": nil, "Sub": "ada"}), false},
		"empty":                {map[string]any{}, false}, // what some middleware returns without a token
		"nil":                  {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := jwtbind.WithClaims(t.Context(), tc.claims)
			if tc.good {
				accepted(t, in(ctx, who), header{}, want)
			} else {
				refused(t, in(ctx, who), header{}, jwtbind.ErrInvalidToken)
			}
		})
	}
}

func TestLastClaimsCount(t *testing.T) {
	who := fromContext(t, func(c *jwtbind.Config) { c.AllowAnonymous = true })
	ctx := jwtbind.WithClaims(t.Context(), map[string]any(claims(nil)))
	accepted(t, in(ctx, who), header{}, ada)
	accepted(t, in(jwtbind.WithClaims(ctx, map[string]any(claims(object{"sub": "bob"}))), who), header{}, core.Principal{Issuer: issuer, Subject: "bob"})
	err := refusal(t, in(jwtbind.WithClaims(ctx, nil), who), header{}, jwtbind.ErrInvalidToken)
	if !strings.Contains(err.Error(), "no claims") { // an operator looks at the hook, not at the issuer
		t.Errorf("got %v", err)
	}
}
