package envelope

import "github.com/parleymcp/parley/core/protocol"

// Params are the members of params that some method reads, as raw JSON. A
// member that is absent or null is nil.
//
// They are kept as ranges of the body. As two dozen slices they were 580 bytes
// of each call, a fifth of what a small one allocated, all to be zeroed and for
// the garbage collector to look through.
type Params struct {
	// Present says that params was there and not null.
	Present bool

	body   []byte
	ranges [paramCount]span

	Meta Meta
}

// Meta are the members of params._meta that this server reads, as raw JSON
// (MCP 2026-07-28, basic). A member that is absent or null is nil.
type Meta struct {
	// Present says that _meta was there and not null.
	Present bool

	// described says that the client's description was found in order on the
	// way; to go over it again was a fifteenth of a small call.
	described bool

	body   []byte
	ranges [metaCount]span
}

// span is a range of a body, which is shorter than 4 GiB. No value is empty, so
// that an empty one is none.
type span struct{ from, to uint32 }

// spanOf is the range of n bytes that end at end.
func spanOf(n, end int) span {
	return span{uint32(end - n), uint32(end)} //nolint:gosec // Parse takes no body that is longer
}

func (s span) of(body []byte) []byte {
	if s.to == 0 {
		return nil
	}
	return body[s.from:s.to:s.to]
}

// Param is a member of params, or the whole of it.
type Param uint8

// The members of params.
const (
	// ParamRaw is the whole of params; nil unless it is an object.
	ParamRaw Param = iota
	ParamName
	ParamURI
	ParamArguments
	ParamCursor
	ParamInputResponses
	ParamRequestState
	ParamRef
	ParamArgument
	ParamContext
	ParamNotifications
	ParamLevel
	ParamProtocolVersion
	ParamCapabilities
	ParamClientInfo
	ParamRequestID
	ParamReason
	paramCount
)

// MetaMember is a member of params._meta.
type MetaMember uint8

// The members of params._meta.
const (
	MetaProtocolVersion MetaMember = iota
	MetaClientCapabilities
	MetaClientInfo
	MetaLogLevel
	MetaProgressToken
	MetaTraceparent
	MetaTracestate
	MetaBaggage
	metaCount
)

// Get returns a member.
func (p *Params) Get(member Param) []byte { return p.ranges[member].of(p.body) }

// Get returns a member.
func (m *Meta) Get(member MetaMember) []byte { return m.ranges[member].of(m.body) }

// member returns where the named member of params belongs, nil for one that no
// method reads.
func (p *Params) member(name []byte) *span {
	var member Param
	switch string(name) {
	case "name":
		member = ParamName
	case "uri":
		member = ParamURI
	case "arguments":
		member = ParamArguments
	case "cursor":
		member = ParamCursor
	case "inputResponses":
		member = ParamInputResponses
	case "requestState":
		member = ParamRequestState
	case "ref":
		member = ParamRef
	case "argument":
		member = ParamArgument
	case "context":
		member = ParamContext
	case "notifications":
		member = ParamNotifications
	case "level":
		member = ParamLevel
	case "protocolVersion":
		member = ParamProtocolVersion
	case "capabilities":
		member = ParamCapabilities
	case "clientInfo":
		member = ParamClientInfo
	case "requestId":
		member = ParamRequestID
	case "reason":
		member = ParamReason
	default:
		return nil
	}
	return &p.ranges[member]
}

// member is the same for _meta.
func (m *Meta) member(name []byte) *span {
	var member MetaMember
	switch string(name) {
	case protocol.MetaProtocolVersion:
		member = MetaProtocolVersion
	case protocol.MetaClientCapabilities:
		member = MetaClientCapabilities
	case protocol.MetaClientInfo:
		member = MetaClientInfo
	case protocol.MetaLogLevel:
		member = MetaLogLevel
	case "progressToken":
		member = MetaProgressToken
	case "traceparent":
		member = MetaTraceparent
	case "tracestate":
		member = MetaTracestate
	case "baggage":
		member = MetaBaggage
	default:
		return nil
	}
	return &m.ranges[member]
}
