package jwtbind_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

func TestConfigIsRefused(t *testing.T) {
	good := config(hs256(secret))
	for name, tc := range map[string]struct {
		change func(*jwtbind.Config)
		want   string
	}{
		"no issuers":          {func(c *jwtbind.Config) { c.Issuers = nil }, "Config.Issuers is []string(nil): "},
		"empty issuers":       {func(c *jwtbind.Config) { c.Issuers = []string{} }, "Config.Issuers is []string{}: "},
		"unset issuer":        {func(c *jwtbind.Config) { c.Issuers = []string{issuer, ""} }, `Config.Issuers[1] is "": `},
		"blank issuer":        {func(c *jwtbind.Config) { c.Issuers = []string{" \t"} }, `Config.Issuers[0] is " \t": `},
		"no audience":         {func(c *jwtbind.Config) { c.Audience = "" }, `Config.Audience is "": `},
		"blank audience":      {func(c *jwtbind.Config) { c.Audience = " " }, `Config.Audience is " ": `},
		"audience of a slash": {func(c *jwtbind.Config) { c.Audience = "/" }, `Config.Audience is "/": `},
		"no methods":          {func(c *jwtbind.Config) { c.Methods = nil }, "Config.Methods is []string(nil): "},
		"empty methods":       {func(c *jwtbind.Config) { c.Methods = []string{} }, "Config.Methods is []string{}: "},
		"unset method":        {func(c *jwtbind.Config) { c.Methods = []string{""} }, `Config.Methods[0] is "": `},
		"method none":         {func(c *jwtbind.Config) { c.Methods = []string{"HS256", "none"} }, `Config.Methods[1] is "none": a token without a signature`},
		"method None":         {func(c *jwtbind.Config) { c.Methods = []string{"None"} }, `Config.Methods[0] is "None": a token without a signature`},
		"unknown method":      {func(c *jwtbind.Config) { c.Methods = []string{"es256"} }, `Config.Methods[0] is "es256": an algorithm`},
		"secret and RSA":      {func(c *jwtbind.Config) { c.Methods = []string{"HS256", "RS256"} }, `Config.Methods is []string{"HS256", "RS256"}: either`},
		"secret and EdDSA":    {func(c *jwtbind.Config) { c.Methods = []string{"EdDSA", "HS512"} }, `Config.Methods is []string{"EdDSA", "HS512"}: either`},
		"negative leeway":     {func(c *jwtbind.Config) { c.Leeway = -time.Second }, `Config.Leeway is "-1s": `},
		"blank tenant claim":  {func(c *jwtbind.Config) { c.TenantClaim = " " }, `Config.TenantClaim is " ": `},
		"blank client claim":  {func(c *jwtbind.Config) { c.ClientClaim = "\n" }, `Config.ClientClaim is "\n": `},
		"tenant of the token": {func(c *jwtbind.Config) { c.TenantClaim = "jti" }, `Config.TenantClaim is "jti": `},
		"client of a session": {func(c *jwtbind.Config) { c.ClientClaim = "sid" }, `Config.ClientClaim is "sid": `},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			tc.change(&cfg)
			who, err := jwtbind.Verify(cfg)
			checkRefusal(t, who, err, tc.want)

			cfg.Keyfunc = nil
			who, err = jwtbind.FromContext(cfg)
			checkRefusal(t, who, err, tc.want)
		})
	}
	// The configuration they differ from is a good one.
	if _, err := jwtbind.Verify(good); err != nil {
		t.Fatal(err)
	}
	good.Keyfunc = nil
	if _, err := jwtbind.FromContext(good); err != nil {
		t.Fatal(err)
	}
}

func TestConfigOfTheOtherWay(t *testing.T) {
	cfg := config(hs256(secret))
	who, err := jwtbind.FromContext(cfg)
	checkRefusal(t, who, err, `Config.Keyfunc is "set": only nil`)
	cfg.Keyfunc = nil
	who, err = jwtbind.Verify(cfg)
	checkRefusal(t, who, err, "Config.Keyfunc is <nil>: ")
}

// checkRefusal wants one problem; the function that comes with it must not be
// nil, which the server takes for "everybody is anonymous" (M11).
func checkRefusal(t *testing.T, who core.Authenticator, err error, want string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), "parley: jwtbind."+want) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v, want only %q", err, want)
	}
	if who == nil {
		t.Fatal("the function beside the error is nil")
	}
	for _, h := range []map[string][]string{nil, bearing(hs256(secret).token(claims(nil)))} {
		if p, err := who.Authenticate(t.Context(), header(h)); err == nil || p.Valid() {
			t.Fatalf("the function beside the error says %+v", p)
		}
	}
}

func TestConfigNamesAllProblemsAtOnce(t *testing.T) {
	_, err := jwtbind.Verify(jwtbind.Config{Leeway: -1, TenantClaim: "exp"})
	if err == nil {
		t.Fatal("accepted")
	}
	for _, field := range []string{"Issuers", "Audience", "Methods", "Keyfunc", "Leeway", "TenantClaim"} {
		if !strings.Contains(err.Error(), "jwtbind.Config."+field+" is ") {
			t.Errorf("nothing about %s in:\n%v", field, err)
		}
	}
}

// A Config that is changed afterwards must not change what is accepted.
func TestConfigIsCopied(t *testing.T) {
	s := hs256(secret)
	cfg := config(s)
	who := verify(t, cfg)
	cfg.Issuers[0], cfg.Methods[0] = "https://other.example", "HS512"
	accepted(t, who, bearing(s.token(claims(nil))), ada)
	refused(t, who, bearing(s.token(claims(object{"iss": "https://other.example"}))), jwtbind.ErrInvalidToken)
}

// header is the smallest thing that fits core.Header, with names as they are.
type header map[string][]string

func (h header) Values(name string) []string { return h[name] }

func (h header) Get(name string) string {
	return slices.Concat(h[name], []string{""})[0]
}
