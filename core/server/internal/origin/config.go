package origin

import (
	"errors"
	"strconv"
	"strings"
)

// The fields of the server's Config that the lists come from.
const (
	fieldOrigins = "AllowedOrigins"
	fieldHosts   = "AllowedHosts"
)

// ConfigError is an entry of a list that means nothing or too much.
type ConfigError struct {
	Field  string // AllowedOrigins or AllowedHosts
	Value  string
	Reason string // what is wrong, and what is allowed
}

// Error implements error.
func (e *ConfigError) Error() string {
	return "parley: " + e.Field + ": " + strconv.Quote(e.Value) + " " + e.Reason
}

// New returns the policy with these lists. Origins are scheme://host[:port],
// compared exactly but for case and default ports. Hosts are host[:port]; one
// without a port stands for every port. The error joins one [*ConfigError] for
// each entry that is wrong.
func New(allowedOrigins, allowedHosts []string) (*Policy, error) {
	p := &Policy{origins: make(map[webOrigin]bool), hosts: make(map[listedHost]bool)}
	var problems []error
	for _, value := range allowedOrigins {
		o, ok := parseOrigin(value)
		if reason := originProblem(value, ok); reason != "" {
			problems = append(problems, &ConfigError{fieldOrigins, value, reason})
			continue
		}
		p.origins[o] = true
	}
	for _, value := range allowedHosts {
		h, port, ok := parseHost(value)
		if reason := hostProblem(value, ok); reason != "" {
			problems = append(problems, &ConfigError{fieldHosts, value, reason})
			continue
		}
		p.hosts[listedHost{h, port}] = true
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return p, nil
}

func originProblem(value string, parsed bool) string {
	const form = "an origin is scheme://host[:port], as in https://app.example or http://localhost:3000"
	_, rest, ok := strings.Cut(value, "://")
	switch {
	case value == "null":
		return "is the origin of every sandboxed page and local file, and is never allowed; " + form
	case strings.Contains(value, "*"):
		return "has a wildcard: every origin has to be named, or any web page could call the server; " + form
	case !ok:
		return "has no scheme; " + form
	case strings.ContainsAny(rest, "/?#"):
		return "has a path, a trailing slash perhaps; " + form
	}
	return commonProblem(value, rest, parsed, form)
}

func hostProblem(value string, parsed bool) string {
	const form = "a host is host[:port], as in mcp.example or 10.0.0.5:8080"
	switch {
	case strings.Contains(value, "*"):
		return "has a wildcard: every host has to be named, or any name that resolves here would be trusted; " + form
	case strings.Contains(value, "://"):
		return "has a scheme; " + form
	case strings.ContainsAny(value, "/?#"):
		return "has a path; " + form
	}
	return commonProblem(value, value, parsed, form)
}

// commonProblem judges what origins and hosts share; authority is the value
// without its scheme.
func commonProblem(value, authority string, parsed bool, form string) string {
	switch {
	case strings.Contains(authority, ","):
		return "has a comma: each goes into an entry of its own; " + form
	case strings.Contains(authority, "@"):
		return "has user information; " + form
	case strings.Contains(authority, "%"):
		return "has a zone or an escape; " + form
	case strings.Count(authority, ":") > 1 && !strings.HasPrefix(authority, "["):
		return "has an IPv6 address without brackets; " + form
	case strings.ContainsFunc(value, func(r rune) bool { return r >= 0x80 }):
		return "is not ASCII: browsers send the xn-- form; " + form
	case !parsed:
		return "is malformed; " + form
	}
	return ""
}
