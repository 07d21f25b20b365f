package core

import (
	"context"
	"errors"
	"strings"
)

// Principal is who is calling, taken from a token that was verified on this
// request. Issuer and Subject together name a caller: a subject alone is
// unique only within its issuer. The zero Principal is nobody and is refused.
type Principal struct {
	Issuer, Subject string
	Tenant, Client  string // optional
	Scopes          []string

	anonymous bool
}

// Anonymous is the caller of a server that asks nobody who he is. It is a kind
// of its own: state sealed for it opens for no named principal, and the other
// way round. Anonymous state can be replayed by any anonymous caller while it
// lives.
var Anonymous = Principal{anonymous: true} //nolint:gochecknoglobals // a constant, but structs cannot be

// IsAnonymous reports whether p is [Anonymous].
func (p Principal) IsAnonymous() bool { return p.anonymous }

// Valid reports whether p names a caller: anonymous, or with an issuer and a
// subject that are not blank.
func (p Principal) Valid() bool {
	if p.anonymous {
		return p.Issuer == "" && p.Subject == "" && p.Tenant == "" && p.Client == ""
	}
	return strings.TrimSpace(p.Issuer) != "" && strings.TrimSpace(p.Subject) != ""
}

// binding is what sealed state is tied to; nil stands for anonymous.
func (p Principal) binding() ([][]byte, error) {
	if !p.Valid() {
		return nil, errors.New("parley: the principal has no issuer or no subject")
	}
	if p.anonymous {
		return nil, nil
	}
	return [][]byte{[]byte(p.Issuer), []byte(p.Subject), []byte(p.Tenant), []byte(p.Client)}, nil
}

// Header looks up the headers of the request that is served; http.Header fits.
type Header interface {
	Get(name string) string
	Values(name string) []string
}

// PrincipalFunc says who is calling. It runs once a request, before anything
// of the message is acted on; ctx carries what the adapter's context hook put
// there. An error is answered with 401 and its text goes to the log only.
type PrincipalFunc func(ctx context.Context, h Header) (Principal, error)
