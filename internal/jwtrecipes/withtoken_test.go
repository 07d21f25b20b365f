package jwtrecipes_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// parse is middleware that looks at the signature and at nothing else, as the
// usual ones do.
func (i *issuer) parse(raw string, options ...jwt.ParserOption) *jwt.Token {
	i.t.Helper()
	token, err := jwt.Parse(raw, i.keys, options...)
	must(i.t, err)
	if !token.Valid {
		i.t.Fatal("the token is not valid")
	}
	return token
}

// Each of these tokens has a good signature and passes jwt.Parse.
func TestWithTokenChecksAgain(t *testing.T) {
	i := newIssuer(t, issuerURL)
	who := fromContext(t, i.config())
	ada := core.Principal{Issuer: issuerURL, Subject: "ada"}
	for name, tc := range map[string]struct {
		header map[string]any
		claims jwt.MapClaims
		good   bool
	}{
		"good":             {good: true},
		"at+jwt":           {header: map[string]any{"typ": "at+jwt"}, good: true},
		"audiences":        {claims: jwt.MapClaims{"aud": []string{"https://a.example", audience + "/"}}, good: true},
		"id token":         {header: map[string]any{"typ": "id_token+jwt"}},
		"crit":             {header: map[string]any{"crit": []string{"x"}}},
		"other audience":   {claims: jwt.MapClaims{"aud": "https://photos.example"}},
		"no audience":      {claims: jwt.MapClaims{"aud": nil}},
		"other issuer":     {claims: jwt.MapClaims{"iss": "https://evil.example"}},
		"no issuer":        {claims: jwt.MapClaims{"iss": nil}},
		"no exp":           {claims: jwt.MapClaims{"exp": nil}},
		"no sub":           {claims: jwt.MapClaims{"sub": nil}},
		"blank sub":        {claims: jwt.MapClaims{"sub": " "}},
		"number sub":       {claims: jwt.MapClaims{"sub": 5}},
		"another case":     {claims: jwt.MapClaims{"sub": nil, "SUB": "ada"}},
		"not issued yet":   {claims: jwt.MapClaims{"iat": time.Now().Add(time.Hour).Unix()}},
		"longer than ours": {claims: jwt.MapClaims{"pad": strings.Repeat("x", 13<<10)}},
	} {
		t.Run(name, func(t *testing.T) {
			token := i.parse(i.token(tc.header, tc.claims))
			p, err := who.Authenticate(jwtbind.WithToken(t.Context(), token), http.Header{})
			if !tc.good {
				invalid(t, p, err)
				return
			}
			if err != nil || p.Principal != ada {
				t.Fatalf("got %+v, %v", p, err)
			}
		})
	}
}

// The case that the JWT library folds: a struct takes SUB for sub.
func TestWithTokenReadsWhatWasSigned(t *testing.T) {
	i := newIssuer(t, issuerURL)
	who := fromContext(t, i.config())
	folded, err := jwt.ParseWithClaims(i.token(nil, jwt.MapClaims{"sub": nil, "SUB": "admin"}), new(jwt.RegisteredClaims), i.keys)
	must(t, err)
	if sub, _ := folded.Claims.GetSubject(); sub != "admin" {
		t.Fatalf("the library reads %q: this test shows nothing", sub)
	}
	p, err := who.Authenticate(jwtbind.WithToken(t.Context(), folded), http.Header{})
	invalid(t, p, err)

	// Claims that the application has changed are not what the issuer signed.
	token := i.parse(i.token(nil, nil))
	token.Claims = jwt.MapClaims{"sub": "admin"}
	if p, err = who.Authenticate(jwtbind.WithToken(t.Context(), token), http.Header{}); err != nil || p.Subject != "ada" {
		t.Fatalf("got %+v, %v", p, err)
	}
}

func TestWithTokenThatIsNone(t *testing.T) {
	i := newIssuer(t, issuerURL)
	cfg := i.config()
	cfg.AllowAnonymous = true
	who := fromContext(t, cfg)
	raw := i.token(nil, nil)

	expired, err := jwt.Parse(i.token(nil, jwt.MapClaims{"exp": time.Now().Add(-time.Hour).Unix()}), i.keys)
	if err == nil || expired == nil {
		t.Fatalf("Parse returns %v, %v for an expired token: this test shows nothing", expired, err)
	}
	unverified, _, err := jwt.NewParser().ParseUnverified(raw, jwt.MapClaims{})
	must(t, err)
	forged, err := jwt.Parse(raw, newIssuer(t, issuerURL).keys)
	if err == nil || forged == nil {
		t.Fatalf("Parse returns %v, %v for a forged token: this test shows nothing", forged, err)
	}
	// Whoever sets Valid by hand is trusted with the signature and nothing else.
	const header = "eyJhbGciOiJFUzI1NiJ9" // {"alg":"ES256"}, and IA behind it is a space
	_, behind, _ := strings.Cut(raw, ".")
	spaced := &jwt.Token{Valid: true, Raw: header + "IA." + behind}
	if p, err := who.Authenticate(jwtbind.WithToken(t.Context(), spaced), http.Header{}); err != nil || p.Subject != "ada" {
		t.Fatalf("got %+v, %v", p, err)
	}
	for name, token := range map[string]*jwt.Token{
		"nil":            nil,
		"expired":        expired,
		"not verified":   unverified,
		"forged":         forged,
		"made by hand":   {Valid: true, Claims: i.claims(nil), Method: jwt.SigningMethodES256, Header: map[string]any{"alg": "ES256"}},
		"two segments":   {Valid: true, Raw: raw[:strings.LastIndex(raw, ".")], Claims: i.claims(nil)},
		"four segments":  {Valid: true, Raw: raw + ".", Claims: i.claims(nil)},
		"a line break":   {Valid: true, Raw: strings.Replace(raw, ".", "\n.", 1), Claims: i.claims(nil)},
		"bits to spare":  {Valid: true, Raw: header + "IB." + behind, Claims: i.claims(nil)},
		"claims allowed": jwt.NewWithClaims(jwt.SigningMethodES256, i.claims(nil)),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := who.Authenticate(jwtbind.WithToken(t.Context(), token), http.Header{})
			invalid(t, p, err)
		})
	}
	if p, err := who.Authenticate(t.Context(), http.Header{}); err != nil || !p.IsAnonymous() { // and without any
		t.Fatalf("got %+v, %v", p, err)
	}
}

// Middleware that takes whatever alg the header names, with a key that fits.
func TestWithTokenOfAnotherMethod(t *testing.T) {
	i := newIssuer(t, issuerURL)
	secret := []byte("0123456789abcdef0123456789abcdef")
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, i.claims(nil)).SignedString(secret)
	must(t, err)
	token, err := jwt.Parse(signed, func(*jwt.Token) (any, error) { return secret, nil })
	must(t, err)
	p, err := fromContext(t, i.config()).Authenticate(jwtbind.WithToken(t.Context(), token), http.Header{})
	invalid(t, p, err)

	cfg := i.config()
	cfg.Methods = []string{"HS256"}
	if p, err = fromContext(t, cfg).Authenticate(jwtbind.WithToken(t.Context(), token), http.Header{}); err != nil || p.Subject != "ada" {
		t.Fatalf("got %+v, %v", p, err)
	}
}

// A token that was good when the session began is not good for ever.
func TestWithTokenExpiresInTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIssuer(t, issuerURL)
		who := fromContext(t, i.config())
		ctx := jwtbind.WithToken(t.Context(), i.parse(i.token(nil, nil)))
		<-time.After(time.Hour + 30*time.Second - 1)
		if p, err := who.Authenticate(ctx, http.Header{}); err != nil {
			t.Fatalf("got %+v, %v", p, err)
		}
		<-time.After(1)
		p, err := who.Authenticate(ctx, http.Header{})
		invalid(t, p, err)
	})
}

// What the JWT library makes of dates and lists with other options.
func TestWithClaimsInEveryShape(t *testing.T) {
	i := newIssuer(t, issuerURL)
	who := fromContext(t, i.config())
	hour := time.Now().Add(time.Hour)
	numbers, ok := i.parse(i.token(nil, nil), jwt.WithJSONNumber()).Claims.(jwt.MapClaims)
	if !ok {
		t.Fatal("the library changed")
	}
	late := i.claims(jwt.MapClaims{"exp": jwt.NewNumericDate(time.Now().Add(-time.Hour))})
	for name, tc := range map[string]struct {
		claims jwt.MapClaims
		good   bool
	}{
		"json.Number":      {numbers, true},
		"typed claims":     {i.claims(jwt.MapClaims{"aud": jwt.ClaimStrings{audience}, "exp": jwt.NewNumericDate(hour)}), true},
		"other audience":   {i.claims(jwt.MapClaims{"aud": jwt.ClaimStrings{"https://a.example"}}), false},
		"expired":          {late, false},
		"no number":        {i.claims(jwt.MapClaims{"exp": json.Number("soon")}), false},
		"date that is nil": {i.claims(jwt.MapClaims{"exp": (*jwt.NumericDate)(nil)}), false},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := who.Authenticate(jwtbind.WithClaims(t.Context(), tc.claims), http.Header{})
			if !tc.good {
				invalid(t, p, err)
			} else if err != nil || p.Subject != "ada" {
				t.Fatalf("got %+v, %v", p, err)
			}
		})
	}
}
