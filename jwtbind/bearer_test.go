package jwtbind_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

func TestAuthorizationHeader(t *testing.T) {
	s := hs256(secret)
	token := s.token(claims(nil))
	for name, tc := range map[string]struct {
		header http.Header
		want   error // nil: accepted
	}{
		"as usual":          {header: http.Header{"Authorization": {"Bearer " + token}}},
		"lower case":        {header: http.Header{"Authorization": {"bearer " + token}}},
		"upper case":        {header: http.Header{"Authorization": {"BEARER " + token}}},
		"two spaces":        {header: http.Header{"Authorization": {"Bearer  " + token}}}, // RFC 9110: 1*SP
		"none":              {http.Header{}, jwtbind.ErrNoToken},
		"of another name":   {http.Header{"X-Authorization": {"Bearer " + token}, "Proxy-Authorization": {"Bearer " + token}, "Cookie": {"jwt=" + token}}, jwtbind.ErrNoToken},
		"Basic":             {http.Header{"Authorization": {"Basic YWRhOng="}}, jwtbind.ErrNoToken},
		"DPoP":              {http.Header{"Authorization": {"DPoP " + token}}, jwtbind.ErrNoToken},
		"scheme glued on":   {http.Header{"Authorization": {"Bearer" + token}}, jwtbind.ErrNoToken},
		"no scheme":         {http.Header{"Authorization": {token}}, jwtbind.ErrNoToken},
		"sent twice":        {http.Header{"Authorization": {"Bearer " + token, "Bearer " + token}}, jwtbind.ErrMalformed},
		"one empty":         {http.Header{"Authorization": {"", "Bearer " + token}}, jwtbind.ErrMalformed},
		"Basic beside it":   {http.Header{"Authorization": {"Bearer " + token, "Basic YWRhOng="}}, jwtbind.ErrMalformed},
		"empty":             {http.Header{"Authorization": {""}}, jwtbind.ErrMalformed},
		"scheme only":       {http.Header{"Authorization": {"Bearer"}}, jwtbind.ErrMalformed},
		"scheme and space":  {http.Header{"Authorization": {"Bearer "}}, jwtbind.ErrMalformed},
		"space in front":    {http.Header{"Authorization": {" Bearer " + token}}, jwtbind.ErrMalformed},
		"space behind":      {http.Header{"Authorization": {"Bearer " + token + " "}}, jwtbind.ErrMalformed},
		"tab":               {http.Header{"Authorization": {"Bearer\t" + token}}, jwtbind.ErrMalformed},
		"tab in front":      {http.Header{"Authorization": {"Bearer \t" + token}}, jwtbind.ErrMalformed},
		"colon":             {http.Header{"Authorization": {"Bearer: " + token}}, jwtbind.ErrMalformed},
		"quoted":            {http.Header{"Authorization": {`Bearer "` + token + `"`}}, jwtbind.ErrMalformed},
		"two tokens":        {http.Header{"Authorization": {"Bearer " + token + " " + token}}, jwtbind.ErrMalformed},
		"joined by a proxy": {http.Header{"Authorization": {"Bearer " + token + ", Bearer " + token}}, jwtbind.ErrMalformed},
		"line break":        {http.Header{"Authorization": {"Bearer " + token + "\r\n"}}, jwtbind.ErrMalformed},
		"NUL":               {http.Header{"Authorization": {"Bearer " + token + "\x00"}}, jwtbind.ErrMalformed},
		"padding only":      {http.Header{"Authorization": {"Bearer =="}}, jwtbind.ErrMalformed},
		"opaque":            {http.Header{"Authorization": {"Bearer 2YotnFZFEjr1zCsicMWpAA"}}, jwtbind.ErrInvalidToken},
		"padded":            {http.Header{"Authorization": {"Bearer " + token + "="}}, jwtbind.ErrInvalidToken},
	} {
		t.Run(name, func(t *testing.T) {
			who := verify(t, config(s))
			lenient := verify(t, config(s, func(c *jwtbind.Config) { c.AllowAnonymous = true }))
			if tc.want == nil {
				accepted(t, who, tc.header, ada)
				accepted(t, lenient, tc.header, ada)
				return
			}
			refused(t, who, tc.header, tc.want)
			if _, sent := tc.header["Authorization"]; sent {
				refused(t, lenient, tc.header, tc.want) // M11: never anonymous
			} else {
				accepted(t, lenient, tc.header, core.Anonymous)
			}
		})
	}
}

func TestSizeOfToken(t *testing.T) {
	const limit = 16 << 10
	s := hs256(secret)
	who := verify(t, config(s))
	fitting := func(size int) string {
		for pad := size * 3 / 4; pad > 0; pad-- {
			if token := s.token(claims(object{"pad": strings.Repeat("x", pad)})); len(token) <= size {
				return token
			}
		}
		return ""
	}
	longest := fitting(limit)
	if len(longest) < limit-1 {
		t.Fatalf("the longest token that was made has %d bytes", len(longest))
	}
	accepted(t, who, bearing(longest), ada)
	refused(t, who, bearing(fitting(limit+4)), jwtbind.ErrInvalidToken)

	for name, huge := range map[string]string{
		"token": "Bearer " + strings.Repeat("a", 10<<20), "dots": "Bearer " + strings.Repeat(".", 10<<20),
		"spaces": strings.Repeat(" ", 10<<20), "scheme": strings.Repeat("b", 10<<20),
	} {
		err := refusal(t, who, http.Header{"Authorization": {huge}}, jwtbind.ErrInvalidToken)
		if !strings.Contains(err.Error(), "16 KiB") { // or it was read all the same
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzAuthorizationHeader puts a good token wherever the input has T: only one
// shape of header may be accepted, and none may be anonymous.
func FuzzAuthorizationHeader(f *testing.F) {
	s := hs256(secret)
	token := s.token(claims(object{"exp": time.Now().Add(1000 * time.Hour).Unix()}))
	cfg := config(s, func(c *jwtbind.Config) { c.AllowAnonymous = true })
	who, err := jwtbind.Verify(cfg)
	if err != nil {
		f.Fatal(err)
	}
	shape := regexp.MustCompile(`^[Bb][Ee][Aa][Rr][Ee][Rr] +T$`)
	for _, seed := range []string{
		"Bearer T", "bEARER   T", "", " ", "T", "Bearer", "Bearer T ", "Bearer\tT", "Bearer T T", "Bearer T,Bearer T",
		"Bearer T\n", "Bearer =", "Basic T", "Bearer T.T", "Bearer T=", "Bearer \x00T", "Bearer\u00a0T", "\u212aBearer T",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		p, err := who.Authenticate(t.Context(), http.Header{"Authorization": {strings.ReplaceAll(value, "T", token)}})
		if want := shape.MatchString(value); (err == nil) != want {
			t.Fatalf("%q: got %+v, %v", value, p, err)
		}
		if err == nil && p.Subject != "ada" || err != nil && p.Valid() {
			t.Fatalf("%q: got %+v, %v", value, p, err)
		}
		if err != nil && strings.Contains(err.Error(), token) {
			t.Fatalf("the error holds the token: %v", err)
		}
	})
}
