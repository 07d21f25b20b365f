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
