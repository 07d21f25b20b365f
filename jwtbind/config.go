package jwtbind

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// defaultLeeway is for clocks that are set by NTP: without any, a token is too
// new for a server whose clock is milliseconds behind its issuer's.
const defaultLeeway = 30 * time.Second

// Config says which tokens are good and what of them names the caller. Issuers,
// Audience and Methods are required, and Keyfunc for [Verify].
type Config struct {
	// Issuers are the values of iss that are accepted, compared byte by byte
	// (RFC 7519, section 4.1.1). With more than one, a key must be chosen by
	// issuer: see Keyfunc.
	Issuers []string

	// Audience is the canonical URI of this server, which aud must be or hold
	// (MCP 2026-07-28, basic/authorization; RFC 8707). One slash at the end
	// makes no difference, neither here nor there.
	Audience string

	// Methods are the signature algorithms that are accepted, as in alg:
	// "ES256", "RS256", "EdDSA" and so on (RFC 7518, section 3.1). Those with a
	// shared secret (HS256, HS384, HS512) cannot stand beside those with a key
	// pair, or a public key could pass for a secret.
	Methods []string

	// Keyfunc returns the key that verifies a token, or a jwt.VerificationKeySet.
	// It is called only for tokens that pass every other check, and must be safe
	// for concurrent use. A shared secret has at least as many bytes as its hash
	// (RFC 7518, section 3.2). The token is not verified yet, so:
	//
	//   - with several Issuers, return only keys of the one that the token names
	//     (token.Claims.GetIssuer), or each of them could speak for the others;
	//   - never follow the headers jku, jwk, x5u or x5c.
	//
	// An error of it refuses the token and does not appear in the text of the
	// refusal, so an operator has to be told by the Keyfunc itself. [FromContext]
	// verifies no signature and takes none.
	Keyfunc jwt.Keyfunc

	// Leeway is how far the issuer's clock and this one may be apart, for exp,
	// nbf and iat. 0: 30 seconds.
	Leeway time.Duration

	// TenantClaim and ClientClaim name the claims that become
	// [core.Principal.Tenant] and Client, for example "tid" and "azp". A token
	// without one that is named is refused. A claim that changes from token to
	// token cannot be named. Empty: the principal has none.
	TenantClaim, ClientClaim string

	// AllowAnonymous makes a request without any token [core.Anonymous], instead
	// of refusing it. Anonymous callers share what is sealed for them.
	AllowAnonymous bool
}

// fleeting are the claims that change when a token is refreshed or its scopes
// grow: bound to one, a flow would end there.
var fleeting = []string{"aud", "auth_time", "exp", "iat", "jti", "nbf", "nonce", "scope", "scp", "sid"}

// policy is a Config that was checked.
type policy struct {
	issuers, audiences, methods []string
	leeway                      time.Duration
	tenant, client              string
	anonymous                   bool
}

// policy reports everything that is wrong with c at once; verifies says that
// signatures are verified.
func (c *Config) policy(verifies bool) (policy, error) {
	var errs []error
	bad := func(field string, value any, allowed string) {
		errs = append(errs, fmt.Errorf("parley: jwtbind.Config.%s is %#v: %s", field, value, allowed))
	}
	if len(c.Issuers) == 0 {
		bad("Issuers", c.Issuers, "at least one issuer is required")
	}
	for i, iss := range c.Issuers {
		if blank(iss) {
			bad(fmt.Sprintf("Issuers[%d]", i), iss, "a value of iss is required")
		}
	}
	audience := strings.TrimSuffix(c.Audience, "/")
	if blank(audience) {
		bad("Audience", c.Audience, "the URI of this server is required")
	}
	c.checkMethods(bad)
	if verifies && c.Keyfunc == nil {
		bad("Keyfunc", nil, "Verify needs it")
	}
	if !verifies && c.Keyfunc != nil {
		bad("Keyfunc", "set", "only nil is allowed: FromContext verifies no signature, use Verify")
	}
	if c.Leeway < 0 {
		bad("Leeway", c.Leeway.String(), "0 or more is allowed")
	}
	bindable := func(field, claim string) {
		switch {
		case claim == "":
		case blank(claim):
			bad(field, claim, "the name of a claim, or none, is allowed")
		case slices.Contains(fleeting, claim):
			bad(field, claim, "a claim that stays the same when a token is refreshed is allowed")
		}
	}
	bindable("TenantClaim", c.TenantClaim)
	bindable("ClientClaim", c.ClientClaim)
	return policy{
		issuers:   slices.Clone(c.Issuers),
		audiences: []string{audience, audience + "/"},
		methods:   slices.Clone(c.Methods),
		leeway:    cmp.Or(c.Leeway, defaultLeeway),
		tenant:    c.TenantClaim,
		client:    c.ClientClaim,
		anonymous: c.AllowAnonymous,
	}, errors.Join(errs...)
}

func (c *Config) checkMethods(bad func(field string, value any, allowed string)) {
	if len(c.Methods) == 0 {
		bad("Methods", c.Methods, "at least one signature algorithm is required")
	}
	var secret, pair bool
	for i, name := range c.Methods {
		method := jwt.GetSigningMethod(name)
		switch {
		case strings.EqualFold(name, jwt.SigningMethodNone.Alg()):
			bad(fmt.Sprintf("Methods[%d]", i), name, "a token without a signature is never accepted")
		case method == nil:
			bad(fmt.Sprintf("Methods[%d]", i), name, "an algorithm of the JWT library is allowed, such as ES256, RS256 or EdDSA")
		default:
			_, shared := method.(*jwt.SigningMethodHMAC)
			secret, pair = secret || shared, pair || !shared
		}
	}
	if secret && pair {
		bad("Methods", c.Methods, "either HS256, HS384 and HS512 or algorithms with a key pair are allowed, not both")
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
