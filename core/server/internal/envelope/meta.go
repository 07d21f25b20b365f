package envelope

import "github.com/parleymcp/parley/core/protocol"

// Version returns the protocol version that _meta names. The problem is a fixed
// text for −32602, empty when there is none.
func (m *Meta) Version() (version, problem string) {
	switch {
	case !m.Present:
		return "", "Invalid params: _meta is missing"
	case m.Get(MetaProtocolVersion) == nil:
		return "", "Invalid params: _meta has no " + protocol.MetaProtocolVersion
	}
	version, ok := usualText(m.Get(MetaProtocolVersion))
	if !ok {
		return "", "Invalid params: _meta: " + protocol.MetaProtocolVersion + " must be a string"
	}
	return version, ""
}

// Problem judges the shapes of the members of _meta besides the version. It
// returns a fixed text for −32602, empty when all are well (MCP 2026-07-28,
// basic).
func (m *Meta) Problem() string {
	switch {
	case m.Get(MetaClientCapabilities) == nil:
		return "Invalid params: _meta has no " + protocol.MetaClientCapabilities
	case !isObject(m.Get(MetaClientCapabilities)):
		return "Invalid params: _meta: " + protocol.MetaClientCapabilities + " must be an object"
	case !m.described && m.Get(MetaClientInfo) != nil && !isImplementation(m.Get(MetaClientInfo)):
		return "Invalid params: _meta: " + protocol.MetaClientInfo + " must be an object with string name and version"
	case m.Get(MetaLogLevel) != nil && LogLevel(m.Get(MetaLogLevel)) == "":
		return "Invalid params: _meta: " + protocol.MetaLogLevel + " is no log level"
	case m.Get(MetaProgressToken) != nil && !isID(m.Get(MetaProgressToken)):
		return "Invalid params: _meta: progressToken must be a string or an integer"
	case m.Get(MetaTraceparent) != nil && !isString(m.Get(MetaTraceparent)):
		return "Invalid params: _meta: traceparent must be a string"
	case m.Get(MetaTracestate) != nil && !isString(m.Get(MetaTracestate)):
		return "Invalid params: _meta: tracestate must be a string"
	case m.Get(MetaBaggage) != nil && !isString(m.Get(MetaBaggage)):
		return "Invalid params: _meta: baggage must be a string"
	}
	return ""
}

// Progress returns the progress token, nil for none and for what is none.
func (m *Meta) Progress() []byte {
	if isID(m.Get(MetaProgressToken)) {
		return m.Get(MetaProgressToken)
	}
	return nil
}

// LogLevel returns the level that a JSON string names, empty when it names none
// of the eight (RFC 5424, section 6.2.1).
func LogLevel(raw []byte) string {
	text, _ := unquoted(raw)
	for _, level := range protocol.LogLevels {
		if string(text) == level {
			return level
		}
	}
	return ""
}

// isImplementation reports whether raw is an object with a name and a version,
// both strings.
func isImplementation(raw []byte) bool {
	described := false
	ok := scan(raw, func(s *scanner) bool {
		var ok bool
		described, ok = s.implementation()
		return ok
	})
	return ok && described
}

// implementation steps over the object that comes next, and reports whether it
// has a name and a version, both strings.
func (s *scanner) implementation() (described, ok bool) {
	var name, version bool
	ok = s.members(func(member []byte) bool {
		text := s.peek() == '"'
		switch string(member) {
		case "name":
			name = text
		case "version":
			version = text
		}
		return s.value()
	})
	return name && version, ok
}
