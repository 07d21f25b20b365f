package jwtbind_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/jwtbind"
)

// Every refusal is logged, so none may repeat what was in the token.
func TestErrorsHoldNothingOfTheToken(t *testing.T) {
	const mark = "q7zmark"
	s := hs256(secret)
	other := hs256([]byte("another secret, of enough bytes."))
	who := verify(t, config(s, func(c *jwtbind.Config) { c.TenantClaim, c.ClientClaim = "tid", "azp" }))
	good := object{"sub": mark, "tid": mark, "azp": mark, "jti": mark, "scope": mark}
	with := func(name string, v any) object {
		all := claims(good)
		all[name] = v
		return all
	}
	head := `{"alg":"HS256"}`
	tokens := []string{
		other.token(claims(good)),
		s.raw(`{"alg":"`+mark+`"}`, encode(claims(good))),
		s.raw(`{"alg":"HS256","typ":"`+mark+`"}`, encode(claims(good))),
		s.raw(`{"alg":"HS256","crit":["`+mark+`"]}`, encode(claims(good))),
		s.raw(`{"alg":"HS256","kid":"`+mark+`","kid":""}`, encode(claims(good))),
		s.raw(head, `{"sub":"`+mark+`","sub":"`+mark+`"}`),
		s.raw(head, mark),
		s.raw(head, `{"sub":`+mark+`}`),
		s.raw(head, `{"`+mark+`":1e999}`),
		mark, mark + "." + mark + "." + mark,
		strings.Repeat(mark, 4000),
	}
	for _, name := range []string{"iss", "sub", "aud", "exp", "nbf", "iat", "tid", "azp", "scope"} {
		tokens = append(tokens, s.raw(head, encode(with(name, []any{mark, 5}))), s.raw(head, encode(with(name, object{mark: mark}))))
	}
	for _, name := range []string{"iss", "aud", "exp", "nbf", "iat"} {
		tokens = append(tokens, s.raw(head, encode(with(name, mark))))
	}
	tokens = append(tokens,
		s.raw(head, encode(with("exp", 1234567890))),
		s.raw(head, encode(with("nbf", time.Now().Add(time.Hour).Unix()))))
	for _, token := range tokens {
		err := refusal(t, who, bearing(token), jwtbind.ErrInvalidToken)
		text := err.Error()
		if !strings.HasPrefix(text, "parley: invalid token: ") {
			t.Errorf("got %q", text)
		}
		for _, secret := range append(strings.Split(token, "."), mark, "1234567890") {
			if secret != "" && strings.Contains(text, secret) {
				t.Errorf("%q holds %q", text, secret)
			}
		}
	}
	for _, value := range []string{mark, mark + " " + mark, "Bearer " + mark + " " + mark, "Bearer \x00" + mark, `"` + mark + `"`} {
		if _, err := who.Authenticate(t.Context(), header{"Authorization": {value}}); err == nil || strings.Contains(err.Error(), mark) {
			t.Errorf("%q: got %v", value, err)
		}
	}
}
