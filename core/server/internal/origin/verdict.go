package origin

// Verdict is what [Policy.Check] says about a request. The zero value is no
// verdict and allows nothing.
type Verdict uint8

// The verdicts. All but Allowed are a 403.
const (
	Allowed Verdict = iota + 1
	// OriginRepeated is more than one Origin header.
	OriginRepeated
	// OriginNull is the origin of sandboxed pages and local files.
	OriginNull
	// OriginMalformed is no scheme://host[:port].
	OriginMalformed
	// OriginNotAllowed is an origin that no rule allows.
	OriginNotAllowed
	// OriginOfUntrustedHost agrees with a Host that nothing vouches for, as it
	// does in a rebinding attack.
	OriginOfUntrustedHost
	// HostNotAllowed is a Host that is not on the configured list.
	HostNotAllowed
	// HostNotLoopback reached a loopback address under another name, and no
	// list is configured.
	HostNotLoopback
)

// Allowed reports whether the request may go on.
func (v Verdict) Allowed() bool { return v == Allowed }

// Reason is a stable word for logs and metrics.
func (v Verdict) Reason() string {
	switch v {
	case Allowed:
		return "allowed"
	case OriginRepeated:
		return "origin_repeated"
	case OriginNull:
		return "origin_null"
	case OriginMalformed:
		return "origin_malformed"
	case OriginNotAllowed:
		return "origin_not_allowed"
	case OriginOfUntrustedHost:
		return "origin_of_untrusted_host"
	case HostNotAllowed:
		return "host_not_allowed"
	case HostNotLoopback:
		return "host_not_loopback"
	}
	return "undecided"
}

// Option is the field of the server's Config that would allow such a request,
// empty where none does.
func (v Verdict) Option() string {
	switch v {
	case OriginNotAllowed:
		return fieldOrigins
	case OriginOfUntrustedHost, HostNotAllowed, HostNotLoopback:
		return fieldHosts
	}
	return ""
}

// Advice tells an operator what to do about it. It is for the log; the client
// learns nothing from it.
func (v Verdict) Advice() string {
	switch v {
	case OriginRepeated:
		return "more than one Origin header; no option allows that"
	case OriginNull:
		return "Origin is null, which is every sandboxed page and local file; no option allows it"
	case OriginMalformed:
		return "Origin is not scheme://host[:port]; no option allows that"
	case OriginNotAllowed:
		return "add the Origin to " + fieldOrigins + " if pages from there may call this server"
	case OriginOfUntrustedHost:
		return "Origin and Host agree, but that proves nothing (DNS rebinding): add the Host to " + fieldHosts + " if it is a name of this server"
	case HostNotAllowed:
		return "add the Host to " + fieldHosts + " if it is a name of this server"
	case HostNotLoopback:
		return "the request came to a loopback address under another name: behind a proxy on the same machine, set " + fieldHosts + " to the public host"
	}
	return ""
}
