package origin

import (
	"net"
	"net/netip"
)

// Policy says which Origin and Host headers are allowed. It never changes and
// is safe for concurrent use. The zero value has empty lists.
type Policy struct {
	origins map[webOrigin]bool
	hosts   map[listedHost]bool
}

// listedHost is an entry of the Host list; noPort stands for every port.
type listedHost struct {
	host host
	port int
}

// Check judges one request, of whatever HTTP method. hostHeader is Host as the
// client sent it, origins the values of Origin, loopback whether the connection
// came to a loopback address.
//
// Host must be on the list, if there is one; without one, a request that came
// to a loopback address must carry a loopback Host. An Origin that is there
// must be on its list; or be a loopback one when Host is; or have the host and
// port of a Host that is itself trusted: listed, loopback or an IP literal.
// Agreement alone proves nothing, since in a rebinding attack they agree.
func (p *Policy) Check(hostHeader string, origins []string, loopback bool) Verdict {
	h, port, ok := parseHost(hostHeader)
	switch {
	case len(p.hosts) > 0:
		if !ok || !p.listed(h, port) {
			return HostNotAllowed
		}
	case loopback && (!ok || !h.loopback()):
		return HostNotLoopback
	}
	switch {
	case len(origins) == 0:
		return Allowed
	case len(origins) > 1:
		return OriginRepeated
	case origins[0] == "null":
		return OriginNull
	}
	o, fine := parseOrigin(origins[0])
	switch {
	case !fine:
		return OriginMalformed
	case p.origins[o]:
		return Allowed
	case !ok || !o.web():
		return OriginNotAllowed
	case o.host.loopback() && h.loopback():
		return Allowed
	}
	if port == noPort {
		// TLS usually ends in front of us, so that Host is read as the page's
		// scheme would.
		port = defaultPort(o.scheme)
	}
	switch {
	case o.host != h || o.port != port:
		return OriginNotAllowed
	case len(p.hosts) > 0 || h.loopback() || h.addr.IsValid():
		return Allowed
	}
	return OriginOfUntrustedHost
}

// listed reports whether the Host list has h. Clients leave a default port out,
// and which of the two it is cannot be seen behind TLS.
func (p *Policy) listed(h host, port int) bool {
	if p.hosts[listedHost{h, noPort}] || p.hosts[listedHost{h, port}] {
		return true
	}
	return port == noPort && (p.hosts[listedHost{h, 80}] || p.hosts[listedHost{h, 443}])
}

// Loopback reports whether the address that a connection came to is a loopback
// one. Sockets without an IP address, Unix ones say, cannot be reached by a
// browser, and nil is not known.
func Loopback(local net.Addr) bool {
	if local == nil {
		return false
	}
	if tcp, ok := local.(*net.TCPAddr); ok && tcp != nil {
		return tcp.IP.IsLoopback() // its text would cost two allocations
	}
	text := local.String()
	if ap, err := netip.ParseAddrPort(text); err == nil {
		return ap.Addr().IsLoopback()
	}
	addr, err := netip.ParseAddr(text)
	return err == nil && addr.IsLoopback()
}
