package jwtbind

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/internal/jsonx"
)

// identity checks claims and returns whom they name.
func (p *policy) identity(claims map[string]any) (core.Identity, error) {
	iss, ok := claims["iss"].(string)
	if !ok || !slices.Contains(p.issuers, iss) {
		return core.Identity{}, invalid("its iss is not one of Issuers")
	}
	if !p.forUs(claims["aud"]) {
		return core.Identity{}, invalid("its aud is not Audience")
	}
	end, err := p.checkTimes(claims, time.Now())
	if err != nil {
		return core.Identity{}, err
	}
	sub, ok := claims["sub"].(string)
	if !ok || blank(sub) {
		return core.Identity{}, invalid("its sub is no string, or blank")
	}
	tenant, ok := optional(claims, p.tenant)
	if !ok {
		return core.Identity{}, invalid("the claim named by TenantClaim is no string, or blank")
	}
	client, ok := optional(claims, p.client)
	if !ok {
		return core.Identity{}, invalid("the claim named by ClientClaim is no string, or blank")
	}
	scopes, ok := scopesOf(claims)
	if !ok {
		return core.Identity{}, invalid("its scope or scp is neither a string nor a list of strings")
	}
	return core.Identity{
		Principal: core.Principal{Issuer: iss, Subject: sub, Tenant: tenant, Client: client},
		Scopes:    scopes, Expires: end,
	}, nil
}

func (p *policy) forUs(aud any) bool {
	if one, ok := aud.(string); ok {
		return slices.Contains(p.audiences, one)
	}
	list, ok := stringsOf(aud)
	return ok && slices.ContainsFunc(list, func(a string) bool { return slices.Contains(p.audiences, a) })
}

// checkTimes compares as RFC 7519 does, sections 4.1.4 to 4.1.6: exp is the
// first instant at which a token is no longer good, nbf the first at which it is.
// end is the one from which on the token is refused here.
func (p *policy) checkTimes(claims map[string]any, now time.Time) (end time.Time, err error) {
	exp, ok := dateOf(claims["exp"])
	if !ok {
		return end, invalid("it has no exp that is a date")
	}
	end = exp.Add(p.leeway)
	if !now.Before(end) {
		return end, invalid("it has expired", jwt.ErrTokenExpired)
	}
	if err := p.notBefore(claims, "nbf", now, jwt.ErrTokenNotValidYet); err != nil {
		return end, err
	}
	return end, p.notBefore(claims, "iat", now, jwt.ErrTokenUsedBeforeIssued)
}

func (p *policy) notBefore(claims map[string]any, name string, now time.Time, early error) error {
	v, ok := claims[name]
	if !ok {
		return nil
	}
	from, ok := dateOf(v)
	if !ok {
		return invalid("its " + name + " is no date")
	}
	if now.Before(from.Add(-p.leeway)) {
		return invalid("its "+name+" is in the future", early)
	}
	return nil
}

// dateOf reads a NumericDate, seconds since 1970 (RFC 7519, section 2), in the
// shapes that JSON libraries and middleware give it.
func dateOf(v any) (time.Time, bool) {
	switch v := v.(type) {
	case float64:
		// Beyond 2^53 a float64 has no seconds, and its conversion to int64
		// differs between processors.
		if !(v >= 0 && v <= 1<<53) {
			return time.Time{}, false
		}
		seconds, fraction := math.Modf(v)
		return time.Unix(int64(seconds), int64(fraction*1e9)), true
	case int64:
		return dateOf(float64(v))
	case jsonx.Number:
		f, err := v.Float64()
		if err != nil {
			return time.Time{}, false
		}
		return dateOf(f)
	case time.Time:
		return v, true
	case *jwt.NumericDate:
		if v == nil {
			return time.Time{}, false
		}
		return v.Time, true
	}
	return time.Time{}, false
}

// optional returns the claim of that name; without a name there is none.
func optional(claims map[string]any, name string) (string, bool) {
	if name == "" {
		return "", true
	}
	s, ok := claims[name].(string)
	return s, ok && !blank(s)
}

// scopesOf reads scope, else scp. Issuers write both as a list separated by
// spaces (RFC 8693, section 4.2) or as an array.
func scopesOf(claims map[string]any) ([]string, bool) {
	v, ok := claims["scope"]
	if !ok {
		v, ok = claims["scp"]
	}
	if !ok {
		return nil, true
	}
	if s, ok := v.(string); ok {
		return strings.Fields(s), true
	}
	return stringsOf(v)
}

// stringsOf returns a copy of a list of strings.
func stringsOf(v any) ([]string, bool) {
	switch list := v.(type) {
	case []string:
		return slices.Clone(list), true
	case jwt.ClaimStrings:
		return slices.Clone(list), true
	case []any:
		var all []string
		for _, e := range list {
			s, ok := e.(string)
			if !ok {
				return nil, false
			}
			all = append(all, s)
		}
		return all, true
	}
	return nil, false
}
