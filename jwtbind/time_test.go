package jwtbind_test

import (
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/jwtbind"
)

// TestTimes moves the clock to the edge of each date and across it.
func TestTimes(t *testing.T) {
	const ns = time.Nanosecond
	for name, tc := range map[string]struct {
		leeway time.Duration // 0: 30 s
		claim  string
		at     time.Duration // of the claim, from now
		wait   time.Duration
		good   bool
	}{
		"last instant before exp":     {ns, "exp", time.Hour, time.Hour, true},
		"exp":                         {ns, "exp", time.Hour, time.Hour + ns, false},
		"long after exp":              {ns, "exp", time.Hour, 1000 * time.Hour, false},
		"last instant of the default": {0, "exp", time.Hour, time.Hour + 30*time.Second - ns, true},
		"exp and the default":         {0, "exp", time.Hour, time.Hour + 30*time.Second, false},
		"last instant of a minute":    {time.Minute, "exp", time.Hour, time.Hour + time.Minute - ns, true},
		"exp and a minute":            {time.Minute, "exp", time.Hour, time.Hour + time.Minute, false},
		"before nbf":                  {ns, "nbf", time.Minute, time.Minute - 2*ns, false},
		"nbf":                         {ns, "nbf", time.Minute, time.Minute - ns, true},
		"before nbf and the default":  {0, "nbf", time.Minute, 30*time.Second - ns, false},
		"nbf and the default":         {0, "nbf", time.Minute, 30 * time.Second, true},
		"before iat":                  {ns, "iat", time.Minute, time.Minute - 2*ns, false},
		"iat":                         {ns, "iat", time.Minute, time.Minute - ns, true},
		"iat of a clock ahead":        {0, "iat", 30 * time.Second, 0, true},
		"iat of a clock far ahead":    {0, "iat", 31 * time.Second, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := hs256(secret)
				who := verify(t, config(s, func(c *jwtbind.Config) { c.Leeway = tc.leeway }))
				changes := object{"exp": time.Now().Add(2000 * time.Hour).Unix()}
				changes[tc.claim] = time.Now().Add(tc.at).Unix()
				token := s.token(claims(changes))
				<-time.After(tc.wait)
				if tc.good {
					accepted(t, who, bearing(token), ada)
				} else {
					refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
				}
			})
		})
	}
}

func TestShapeOfDates(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s))
	now := time.Now()
	later, earlier := now.Add(time.Hour).Unix(), now.Add(-time.Hour).Unix()
	for _, claim := range []string{"exp", "nbf", "iat"} {
		soon, absent := earlier, true
		if claim == "exp" {
			soon, absent = later, false
		}
		for _, tc := range []struct {
			spelled string
			good    bool
		}{
			{strconv.FormatInt(soon, 10), true},
			{fmt.Sprintf("%d.5", soon), true},
			{fmt.Sprintf("%de0", soon), true},
			{"0", claim != "exp"},
			{fmt.Sprintf("%q", strconv.FormatInt(soon, 10)), false},
			{"null", false},
			{"true", false},
			{"[]", false},
			{"-1", false},
			{strconv.FormatInt(-soon, 10), false},
			{"1e16", false}, // no float64 and no processor agrees on such seconds
			{"1e300", false},
			{"9007199254740992", claim == "exp"},
		} {
			t.Run(claim+" "+tc.spelled, func(t *testing.T) {
				spelled := `"` + claim + `":` + tc.spelled
				if claim != "exp" {
					spelled += fmt.Sprintf(`,"exp":%d`, later)
				}
				token := s.raw(`{"alg":"HS256"}`, fmt.Sprintf(`{"iss":%q,"sub":"ada","aud":%q,%s}`, issuer, audience, spelled))
				if tc.good {
					accepted(t, who, bearing(token), ada)
				} else {
					refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
				}
			})
		}
		t.Run(claim+" absent", func(t *testing.T) {
			token := s.token(claims(object{claim: nil}))
			if absent {
				accepted(t, who, bearing(token), ada)
			} else {
				refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
			}
		})
	}
}

// The end of an identity is the moment from which its token is refused.
func TestExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := hs256(secret)
		who := verify(t, config(s, func(c *jwtbind.Config) { c.Leeway = 5 * time.Second }))
		h := bearing(s.token(claims(object{"exp": time.Now().Add(time.Minute).Unix()})))
		got, err := who.Authenticate(t.Context(), h)
		must(t, err)
		if want := time.Unix(time.Now().Unix(), 0).Add(time.Minute + 5*time.Second); !got.Expires.Equal(want) {
			t.Fatalf("got %v, want %v", got.Expires, want)
		}
		<-time.After(time.Until(got.Expires) - 1)
		accepted(t, who, h, ada)
		<-time.After(1)
		refused(t, who, h, jwtbind.ErrInvalidToken)
	})
}
