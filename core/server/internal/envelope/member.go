package envelope

import "github.com/parleymcp/parley/core/protocol"

// member returns where the named member of params belongs, nil for one that no
// method reads.
func (p *Params) member(name []byte) *[]byte {
	switch string(name) {
	case "name":
		return &p.Name
	case "uri":
		return &p.URI
	case "arguments":
		return &p.Arguments
	case "cursor":
		return &p.Cursor
	case "inputResponses":
		return &p.InputResponses
	case "requestState":
		return &p.RequestState
	case "ref":
		return &p.Ref
	case "argument":
		return &p.Argument
	case "context":
		return &p.Context
	case "notifications":
		return &p.Notifications
	case "level":
		return &p.Level
	case "protocolVersion":
		return &p.ProtocolVersion
	case "capabilities":
		return &p.Capabilities
	case "clientInfo":
		return &p.ClientInfo
	case "requestId":
		return &p.RequestID
	case "reason":
		return &p.Reason
	}
	return nil
}

// member is the same for _meta.
func (m *Meta) member(name []byte) *[]byte {
	switch string(name) {
	case protocol.MetaProtocolVersion:
		return &m.ProtocolVersion
	case protocol.MetaClientCapabilities:
		return &m.ClientCapabilities
	case protocol.MetaClientInfo:
		return &m.ClientInfo
	case protocol.MetaLogLevel:
		return &m.LogLevel
	case "progressToken":
		return &m.ProgressToken
	case "traceparent":
		return &m.Traceparent
	case "tracestate":
		return &m.Tracestate
	case "baggage":
		return &m.Baggage
	}
	return nil
}
