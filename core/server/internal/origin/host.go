package origin

import (
	"net/netip"
	"strconv"
	"strings"
)

// host is an IP address or, where addr is zero, a name in lower case. Names are
// compared byte by byte: no Unicode folding, no IDNA, and a trailing dot makes
// another name.
type host struct {
	name string
	addr netip.Addr
}

// noPort is the port of a host that names none.
const noPort = -1

// parseHost reads host[:port].
func parseHost(s string) (h host, port int, ok bool) {
	var rest string
	if strings.HasPrefix(s, "[") {
		var text string
		if text, rest, ok = strings.Cut(s[1:], "]"); !ok || strings.Contains(text, "%") {
			return host{}, 0, false // a zone means something on one machine only
		}
		addr, err := netip.ParseAddr(text)
		if err != nil || !addr.Is6() {
			return host{}, 0, false
		}
		h.addr = addr
	} else {
		end := strings.IndexByte(s, ':')
		if end < 0 {
			end = len(s)
		}
		if h, ok = parseName(s[:end]); !ok {
			return host{}, 0, false
		}
		rest = s[end:]
	}
	if rest == "" {
		return h, noPort, true
	}
	port, ok = parsePort(rest)
	return h, port, ok
}

// forbidden is what the URL standard forbids in a domain, the quote, and the comma
// that joins two of them. To search for each byte of the Host of each request
// took 265 of the 24 000 instructions of a small call.
var forbidden = func() (table [256]bool) {
	for c := 0; c <= ' '; c++ {
		table[c] = true
	}
	for _, c := range "\x7f\"#%,/:<>?@[\\]^|" {
		table[c] = true
	}
	return table
}()

func parseName(s string) (host, bool) {
	if s == "" {
		return host{}, false
	}
	upper, numeric := false, true
	for i := range len(s) {
		c := s[i]
		if forbidden[c] {
			return host{}, false
		}
		upper = upper || c >= 'A' && c <= 'Z'
		numeric = numeric && (c == '.' || c >= '0' && c <= '9')
	}
	if numeric { // asking the parser about a name would cost an error value
		if addr, err := netip.ParseAddr(s); err == nil {
			return host{addr: addr}, true
		}
	}
	if upper {
		s = lower(s)
	}
	return host{name: s}, true
}

// lower is strings.ToLower for ASCII only, which would make a k of the Kelvin sign.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// parsePort reads :port, spelled as browsers do.
func parsePort(s string) (int, bool) {
	if len(s) < 2 || len(s) > len(":65535") || s[0] != ':' || s[1] == '0' && len(s) > 2 {
		return 0, false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	port, err := strconv.Atoi(s[1:])
	return port, err == nil && port <= 65535
}

// loopback reports whether h is localhost, 127.0.0.0/8 or ::1.
func (h host) loopback() bool {
	return h.name == "localhost" || h.addr.IsLoopback()
}

// webOrigin is scheme://host:port, the default port filled in.
type webOrigin struct {
	scheme string
	host   host
	port   int
}

func parseOrigin(s string) (o webOrigin, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !isScheme(scheme) {
		return webOrigin{}, false
	}
	o.scheme = scheme
	for i := range len(scheme) {
		if c := scheme[i]; c >= 'A' && c <= 'Z' {
			o.scheme = lower(scheme)
			break
		}
	}
	o.host, o.port, ok = parseHost(rest)
	if o.port == noPort {
		o.port = defaultPort(o.scheme)
	}
	return o, ok
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || (s[i] < '0' || s[i] > '9') && strings.IndexByte("+-.", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}

func defaultPort(scheme string) int {
	switch scheme {
	case "http":
		return 80
	case "https":
		return 443
	}
	return noPort
}

// web reports whether the origin is one that browsers give to pages that
// servers send.
func (o webOrigin) web() bool { return o.scheme == "http" || o.scheme == "https" }
