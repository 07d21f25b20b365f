package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/parleymcp/parley/core"
)

// challenges are the refusals of callers who have to show something else, with
// the WWW-Authenticate header of each (RFC 6750, section 3). All that goes into
// it was checked when the server was made, so nothing needs an escape.
type challenges struct {
	missing, malformed, invalid *refusal

	metadata string // the parameter of every challenge
}

func newChallenges(r *Resource, m metadata) challenges {
	var c challenges
	var scope string
	if r != nil {
		c.metadata = `resource_metadata="` + m.url + `"`
		if len(r.DefaultScopes) > 0 {
			scope = `scope="` + strings.Join(r.DefaultScopes, " ") + `"`
		}
	}
	c.missing = refuseMissing.challenging(scope, c.metadata)
	c.malformed = refuseMalformed.challenging(`error="invalid_request"`, c.metadata)
	c.invalid = refuseInvalid.challenging(`error="invalid_token"`, scope, c.metadata)
	return c
}

// challenging is a copy of r with a challenge; parameters that are empty are
// left out.
func (r *refusal) challenging(parameters ...string) *refusal {
	given := slices.DeleteFunc(parameters, func(p string) bool { return p == "" })
	out := *r
	out.header = Field{"WWW-Authenticate", strings.TrimSpace("Bearer " + strings.Join(given, ", "))}
	return &out
}

// identify asks who is calling. Somebody who is nobody is turned away like one
// without a token, or the two would share what is sealed for them.
func (x *exchange) identify(ctx context.Context) *Response {
	if x.srv.cfg.Authenticator == nil {
		x.call.Principal = core.Anonymous
		return nil
	}
	x.judging = true
	id, err := x.srv.cfg.Authenticator.Authenticate(ctx, x.req.Header)
	x.judging = false
	switch {
	case err != nil:
	case !id.Valid():
		err = errNobody
	case !id.Expires.IsZero() && !time.Now().Before(id.Expires):
		err = errExpired
	default:
		x.call.Principal, x.call.Scopes, x.expires = id.Principal, id.Scopes, id.Expires
		return nil
	}
	return x.refuse(ctx, x.challenge(err), slog.Any("error", err))
}

var (
	errNobody  = errors.New("parley: Config.Authenticator returned a principal without issuer or subject")
	errExpired = errors.New("parley: Config.Authenticator returned an identity that has expired")
)

// unquoted is what the log may have of a panic of an authenticator, which has
// seen a token and may quote it: the texts of the runtime hold none of its data.
func unquoted(r any) any {
	if err, ok := r.(runtime.Error); ok {
		return err
	}
	return fmt.Sprintf("%T", r)
}

// challenge is how an error of the authenticator is answered. An error that says
// nothing about itself is that of a token if there is one.
func (x *exchange) challenge(err error) *refusal {
	c := &x.srv.challenges
	switch {
	case errors.Is(err, core.ErrMalformedCredentials):
		return c.malformed
	case errors.Is(err, core.ErrInvalidToken):
		return c.invalid
	case errors.Is(err, core.ErrNoCredentials), x.req.Header.Get("Authorization") == "":
		return c.missing
	}
	return c.invalid
}

// sees reports whether the caller may know of e.
func (x *exchange) sees(e *entry) bool {
	return x.srv.cfg.Visible == nil || x.srv.cfg.Visible(x.call.Principal, e.feature)
}

// granted reports whether the caller's credentials have every scope that e
// needs.
func (x *exchange) granted(e *entry) bool { return e.grantedTo(x.call.Scopes) }

func (e *entry) grantedTo(scopes []string) bool { return covers(scopes, e.Scopes) }

// hears reports whether who subscribed to a resource may be told of a change:
// since then the resource may have been registered anew, or a session's stream
// been opened with other credentials.
func (s *Server) hears(scopes []string, uri string) bool {
	e := s.registry.Load().resource(uri)
	return e == nil || e.grantedTo(scopes)
}

func covers(granted, needed []string) bool {
	for _, s := range needed {
		if !slices.Contains(granted, s) {
			return false
		}
	}
	return true
}

// admit refuses who lacks a scope that e needs, and says which ones it needs:
// all of them, since a client asks for what the challenge names
// (MCP 2026-07-28, basic/authorization: scope challenge handling).
func (x *exchange) admit(ctx context.Context, e *entry) *Response {
	if x.granted(e) {
		return nil
	}
	return x.insufficient(ctx, e.Scopes, slog.String("method", x.msg.Method), slog.String("feature", e.Name))
}

// insufficient is a 401 without an error for who has shown no credentials: his
// client has to get some first (RFC 6750, section 3.1).
func (x *exchange) insufficient(ctx context.Context, needed []string, attrs ...slog.Attr) *Response {
	scope := `scope="` + strings.Join(needed, " ") + `"`
	why := refuseScope.challenging(`error="insufficient_scope"`, scope, x.srv.challenges.metadata)
	if x.call.Principal.IsAnonymous() {
		why = refuseMissing.challenging(scope, x.srv.challenges.metadata)
	}
	return x.refuse(ctx, why, attrs...)
}
