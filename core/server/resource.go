package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Resource describes the server as a protected resource (RFC 9728), which tells
// clients where to get a token (MCP 2026-07-28, basic/authorization).
type Resource struct {
	// URL is the canonical URI of the server, which tokens are for and which
	// clients name when they ask for one (RFC 8707): the absolute https URL of
	// its mount as clients see it, such as "https://bank.example/mcp"; http for
	// loopback hosts. It is written in one way only: scheme and host in lower
	// case, no slash at the end, no query, fragment, user info or escapes.
	URL string

	// AuthorizationServers are the issuers whose tokens are accepted, at least
	// one, each an absolute https URL without query and fragment; http for
	// loopback hosts.
	AuthorizationServers []string

	// Scopes are those that clients may ask for. They are public. None: left out.
	Scopes []string

	// DefaultScopes are those that a client without a token should ask for
	// first; they stand in the challenge of a 401. None: the client decides.
	DefaultScopes []string

	// Name is what people call the resource. Empty: left out.
	Name string

	// Documentation is the absolute https URL of a page for developers. Empty:
	// left out.
	Documentation string
}

// wellKnown is where metadata of a resource without a path is (RFC 9728,
// section 3).
const wellKnown = "/.well-known/oauth-protected-resource"

func (r *Resource) check() error {
	var errs []error
	bad := func(field string, value any, allowed string) {
		errs = append(errs, fmt.Errorf("parley: Config.Resource.%s is %#v: %s", field, value, allowed))
	}
	if !canonical(r.URL) || strings.HasSuffix(r.URL, "/") {
		bad("URL", r.URL, "an absolute https URL, or http of a loopback host, in lower case up to its path and "+
			"without query, fragment, user info, escapes and a slash at the end is required")
	}
	if len(r.AuthorizationServers) == 0 {
		bad("AuthorizationServers", r.AuthorizationServers, "at least one issuer is required")
	}
	for i, issuer := range r.AuthorizationServers {
		if !canonical(issuer) {
			bad(fmt.Sprintf("AuthorizationServers[%d]", i), issuer, "an absolute https URL, or http of a loopback host, without query and fragment is required")
		}
	}
	for _, list := range []struct {
		field  string
		scopes []string
	}{{"Scopes", r.Scopes}, {"DefaultScopes", r.DefaultScopes}} {
		for i, s := range list.scopes {
			if slices.Contains(list.scopes[:i], s) {
				bad(fmt.Sprintf("%s[%d]", list.field, i), s, "each scope once is allowed")
			}
			if !core.ValidScope(s) || s == "offline_access" {
				bad(fmt.Sprintf("%s[%d]", list.field, i), s, "a scope of printable ASCII without spaces, quotes and backslashes is required, and not offline_access")
			}
		}
	}
	if r.Documentation != "" && !absoluteURL(r.Documentation, "https", "http") {
		bad("Documentation", r.Documentation, "an absolute http or https URL is allowed")
	}
	return errors.Join(errs...)
}

// canonical reports whether a URL is spelled in the one way that everybody who
// compares strings agrees on, and fits into a quoted string as it is.
func canonical(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return false
	}
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/[]"
	return strings.Trim(raw, allowed) == "" && strings.ToLower(u.Host) == u.Host &&
		strings.HasPrefix(raw, u.Scheme+"://"+u.Host) && u.User == nil &&
		(u.Path == "" || u.Path == "/" || path.Clean(u.Path) == strings.TrimSuffix(u.Path, "/"))
}

func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// metadata is the document of a resource and where it is found. It never
// changes; without a resource it has no paths.
type metadata struct {
	url      string   // absolute, for challenges
	paths    []string // of the resource's own, and of the root
	document []byte
}

func newMetadata(r *Resource) metadata {
	if r == nil {
		return metadata{}
	}
	u, err := url.Parse(r.URL)
	if err != nil { // a problem that Config.check has reported
		return metadata{}
	}
	m := metadata{url: u.Scheme + "://" + u.Host + wellKnown + u.Path, paths: []string{wellKnown}}
	if u.Path != "" {
		m.paths = []string{wellKnown + u.Path, wellKnown}
	}
	m.document, _ = jsonx.Marshal(struct { // strings and lists of strings
		Resource             string   `json:"resource"`
		AuthorizationServers []string `json:"authorization_servers"`
		Scopes               []string `json:"scopes_supported,omitempty"`
		Methods              []string `json:"bearer_methods_supported"`
		Name                 string   `json:"resource_name,omitzero"`
		Documentation        string   `json:"resource_documentation,omitzero"`
	}{r.URL, r.AuthorizationServers, r.Scopes, []string{"header"}, r.Name, r.Documentation})
	return m
}

// MetadataPaths are the paths under which Handle answers with the metadata of
// [Config].Resource, for everybody and without authentication: that of the
// resource and that of the root (RFC 9728, section 3.1). The Middleware of an
// adapter serves them beside its own path. Where a server is mounted with
// Handler, mount the same handler on these paths as well. There are none without
// a resource.
func (s *Server) MetadataPaths() []string { return slices.Clone(s.metadata.paths) }

// describe answers a request for the metadata. It is nil for every other
// request. Metadata is public, so a page of any origin may read it.
func (x *exchange) describe(ctx context.Context) *Response {
	m := &x.srv.metadata
	if len(m.paths) == 0 || !slices.Contains(m.paths, x.req.Path) {
		return nil
	}
	switch x.req.Method {
	case methodGet, methodHead:
		return &Response{
			Status: 200, WriteTimeout: x.srv.cfg.WriteTimeout, Header: metadataHeader, Body: bytes.Clone(m.document),
		}
	case methodOptions:
		return &Response{Status: 204, WriteTimeout: x.srv.cfg.WriteTimeout, Header: preflightHeader}
	}
	return x.refuse(ctx, refuseMetadataMethod)
}

// Clients send MCP-Protocol-Version when they look for metadata, for which a
// browser asks first.
var (
	metadataHeader = []Field{
		{"Content-Type", "application/json"}, {"Access-Control-Allow-Origin", "*"},
	}
	preflightHeader = []Field{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"},
		{"Access-Control-Allow-Headers", "*"},
		{"Access-Control-Max-Age", "86400"},
	}
)
