package jwtbind_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/jwtbind"
)

func TestTypAndCrit(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s))
	for header, good := range map[string]bool{
		`{"alg":"HS256"}`:                                           true,
		`{"alg":"HS256","typ":"JWT"}`:                               true,
		`{"alg":"HS256","typ":"jwt"}`:                               true,
		`{"alg":"HS256","typ":"at+jwt"}`:                            true,
		`{"alg":"HS256","typ":"AT+JWT"}`:                            true,
		`{"alg":"HS256","typ":"application/at+jwt"}`:                true,
		`{"alg":"HS256","typ":"JWT","kid":"1","x":{"typ":"id"}}`:    true,
		`{"alg":"HS256","typ":"id_token+jwt"}`:                      false,
		`{"alg":"HS256","typ":"ID"}`:                                false,
		`{"alg":"HS256","typ":"dpop+jwt"}`:                          false,
		`{"alg":"HS256","typ":"logout+jwt"}`:                        false,
		`{"alg":"HS256","typ":"JWE"}`:                               false,
		`{"alg":"HS256","typ":"at+jwt "}`:                           false,
		`{"alg":"HS256","typ":""}`:                                  false,
		`{"alg":"HS256","typ":null}`:                                false,
		`{"alg":"HS256","typ":["JWT"]}`:                             false,
		`{"alg":"HS256","crit":["b64"],"b64":false}`:                false,
		`{"alg":"HS256","crit":["exp"]}`:                            false,
		`{"alg":"HS256","crit":[]}`:                                 false,
		`{"alg":"HS256","crit":null}`:                               false,
		`{"alg":"hs256"}`:                                           false,
		`{"Alg":"HS256"}`:                                           false,
		`{"alg":"HS256","alg":"HS256"}`:                             false,
		`{"alg":"HS256","typ":"id_token+jwt","typ":"JWT"}`:          false,
		`{"alg":"HS256","\u0061lg":"HS256"}`:                        false,
		`{"alg":"HS256","x":{"a":1,"a":1}}`:                         false,
		`{"alg":"HS256"} `:                                          true,
		`{"alg":"HS256"} {}`:                                        false,
		`{"alg":"HS256",}`:                                          false,
		`["HS256"]`:                                                 false,
		`null`:                                                      false,
		``:                                                          false,
		"{\"alg\":\"HS256\",\"kid\":\"\xff\"}":                      false,
		`{"alg":"HS256","kid":"\ud800"}`:                            false,
		`{"alg":"HS256","x":` + strings.Repeat("[", 11_000) + `1}`:  false,
		`{"alg":"HS256","x":"` + strings.Repeat("y", 12_000) + `"}`: true,
	} {
		t.Run(fmt.Sprintf("%.60q", header), func(t *testing.T) {
			token := s.raw(header, encode(claims(nil)))
			if good {
				accepted(t, who, bearing(token), ada)
			} else {
				refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
			}
		})
	}
}

// T4 among claims: readers differ in which of two members they take, so a token
// with two names nobody.
func TestMembersAppearOnce(t *testing.T) {
	s := hs256(secret)
	who := verify(t, config(s))
	exp := time.Now().Add(time.Hour).Unix()
	good := fmt.Sprintf(`"iss":%q,"aud":%q,"exp":%d`, issuer, audience, exp)
	for name, tc := range map[string]struct {
		claims string
		good   bool
	}{
		"once":                      {`{` + good + `,"sub":"ada"}`, true},
		"other case beside":         {`{` + good + `,"sub":"ada","SUB":"admin","Sub":"root"}`, true},
		"sub twice":                 {`{` + good + `,"sub":"admin","sub":"ada"}`, false},
		"sub twice the same":        {`{` + good + `,"sub":"ada","sub":"ada"}`, false},
		"sub twice, once escaped":   {`{` + good + `,"sub":"admin","s\u0075b":"ada"}`, false},
		"iss twice":                 {`{"iss":"https://evil.example",` + good + `,"sub":"ada"}`, false},
		"aud twice":                 {`{"aud":"https://other.example",` + good + `,"sub":"ada"}`, false},
		"exp twice":                 {`{"exp":1,` + good + `,"sub":"ada"}`, false},
		"twice in what nobody asks": {`{` + good + `,"sub":"ada","x":{"y":1,"y":2}}`, false},
		"only another case":         {`{` + good + `,"SUB":"ada"}`, false},
		"only a capital":            {`{` + good + `,"Sub":"ada"}`, false},
		"Kelvin sign":               {`{` + good + `,"ſub":"ada"}`, false},
		"nested":                    {`{` + good + `,"x":{"sub":"ada"}}`, false},
		"array":                     {`[{` + good + `,"sub":"ada"}]`, false},
		"null":                      {`null`, false},
		"trailing":                  {`{` + good + `,"sub":"ada"}{}`, false},
		"invalid UTF-8":             {`{` + good + ",\"sub\":\"ada\xff\"}", false},
		"lone surrogate":            {`{` + good + `,"sub":"\ud800"}`, false},
		"number out of range":       {`{` + good + `,"sub":"ada","n":1e999}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			token := s.raw(`{"alg":"HS256"}`, tc.claims)
			if tc.good {
				accepted(t, who, bearing(token), ada)
			} else {
				refused(t, who, bearing(token), jwtbind.ErrInvalidToken)
			}
		})
	}
}
