package jwtrecipes_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// exercise calls an application whose middleware is content with a good
// signature and a date that has not passed.
func exercise(t *testing.T, i *issuer, url string) {
	t.Helper()
	const hello = "/hello"
	for name, tc := range map[string]struct {
		token  string
		app    int // status of the rest of the application
		status int // of the call
		want   string
	}{
		"ada":          {i.token(nil, nil), 200, 200, issuerURL + "|ada|[]"},
		"bob":          {i.token(nil, jwt.MapClaims{"sub": "bob", "scope": "read write"}), 200, 200, issuerURL + "|bob|[read write]"},
		"none":         {"", 401, 401, ""},
		"forged":       {newIssuer(t, issuerURL).token(nil, nil), 401, 401, ""},
		"expired":      {i.token(nil, jwt.MapClaims{"exp": time.Now().Add(-time.Hour).Unix()}), 401, 401, ""},
		"other API":    {i.token(nil, jwt.MapClaims{"aud": "https://photos.example"}), 200, 401, ""},
		"other issuer": {i.token(nil, jwt.MapClaims{"iss": "https://evil.example"}), 200, 401, ""},
		"id token":     {i.token(map[string]any{"typ": "id_token+jwt"}, nil), 200, 401, ""},
		"for ever":     {i.token(nil, jwt.MapClaims{"exp": nil}), 200, 401, ""},
		"nobody":       {i.token(nil, jwt.MapClaims{"sub": ""}), 200, 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if a := get(t, url+hello, tc.token); a.status != tc.app {
				t.Errorf("the application answers %d %s, want %d", a.status, a.raw, tc.app)
			}
			if a := post(t, url+"/mcp", tc.token, "whoami", nil); a.status != tc.status || a.text != tc.want {
				t.Errorf("got %d %s, want %d %q", a.status, a.raw, tc.status, tc.want)
			}
		})
	}
	t.Run("in the query", func(t *testing.T) {
		query := "?access_token=" + i.token(nil, nil) + "&token=" + i.token(nil, nil)
		if a := post(t, url+"/mcp"+query, "", "whoami", nil); a.status != http.StatusUnauthorized {
			t.Errorf("got %d %s", a.status, a.raw)
		}
	})
}
