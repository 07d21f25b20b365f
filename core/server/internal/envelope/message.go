package envelope

// Kind is what a message is.
type Kind uint8

// The zero Kind is a message that could not be told.
const (
	// Request has a method and an id.
	Request Kind = iota + 1
	// Notification has a method and no id member.
	Notification
	// Response has a result or an error, and answers a request of the server's.
	Response
	// Batch is an array of messages, which only 2025-03-26 knows.
	Batch
)

// Message is one JSON-RPC message. Its byte slices alias the body.
type Message struct {
	Kind Kind
	// ID is as the client spelled it, quotes included; nil when the message has
	// none or none that could be read.
	ID     []byte
	Method string
	Params Params
	// Result and Error are those of a Response; one of them is nil.
	Result, Error []byte
	// Batch holds the elements of a Batch, at most [MaxBatch].
	Batch [][]byte
}

// Params are the members of params that some method reads, as raw JSON. A
// member that is absent or null is nil.
type Params struct {
	// Present says that params was there and not null.
	Present bool
	// Raw is the whole of params; nil unless it is an object.
	Raw []byte

	Name, URI, Arguments, Cursor  []byte
	InputResponses, RequestState  []byte
	Ref, Argument, Context        []byte
	Notifications                 []byte
	Level                         []byte
	ProtocolVersion, Capabilities []byte
	ClientInfo                    []byte
	RequestID, Reason             []byte

	Meta Meta
}

// Meta are the members of params._meta that this server reads, as raw JSON
// (MCP 2026-07-28, basic). A member that is absent or null is nil.
type Meta struct {
	// Present says that _meta was there and not null.
	Present bool

	ProtocolVersion, ClientCapabilities, ClientInfo []byte
	LogLevel, ProgressToken                         []byte
	Traceparent, Tracestate, Baggage                []byte
}
