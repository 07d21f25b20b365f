package envelope

import "github.com/parleymcp/parley/core/protocol"

// Error is why a message is refused. There is one value per reason, so errors
// compare.
type Error struct {
	// Code is −32700, −32600 or −32602 (MCP 2026-07-28, basic).
	Code int
	// Reason is a fixed text without anything of the client's or of ours in it;
	// it may go over the wire.
	Reason string
}

// Error implements error.
func (e *Error) Error() string { return "parley: " + e.Reason }

func parseError(reason string) *Error {
	return &Error{Code: protocol.CodeParseError, Reason: "Parse error: " + reason}
}

func invalidRequest(reason string) *Error {
	return &Error{Code: protocol.CodeInvalidRequest, Reason: "Invalid request: " + reason}
}

func invalidParams(reason string) *Error {
	return &Error{Code: protocol.CodeInvalidParams, Reason: "Invalid params: " + reason}
}

var (
	errEmpty     = parseError("the body is empty")
	errSyntax    = parseError("the body is not valid JSON")
	errBOM       = parseError("the body starts with a byte order mark")
	errUTF8      = parseError("the body is not valid UTF-8")
	errDuplicate = parseError("a member name is repeated")
	errTrailing  = parseError("there are bytes after the message")
	errDepth     = parseError("the body is nested too deeply")

	errNotObject  = invalidRequest("the message is not an object")
	errVersion    = invalidRequest(`jsonrpc must be "2.0"`)
	errID         = invalidRequest("id must be a string or an integer")
	errMethod     = invalidRequest("method must be a string")
	errNeither    = invalidRequest("the message has no method, and not exactly one of result and error")
	errBoth       = invalidRequest("the message has a method and a result or an error")
	errText       = invalidRequest("a string holds a lone surrogate")
	errBatchEmpty = invalidRequest("the batch is empty")
	errBatchLong  = invalidRequest("the batch has too many elements")
	errBatchInit  = invalidRequest("initialize cannot be part of a batch")
	errBatchMixed = invalidRequest("the batch mixes requests and responses")
	errBatchMeta  = invalidRequest("this protocol version has no batches")

	errParams    = invalidParams("params must be an object")
	errMeta      = invalidParams("_meta must be an object")
	errSurrogate = invalidParams("a string holds a lone surrogate")

	errResponses     = invalidParams("inputResponses must be an object")
	errResponsesSize = invalidParams("inputResponses is too large")
	errResponsesDeep = invalidParams("inputResponses is nested too deeply")
	errResponsesMany = invalidParams("inputResponses has too many entries")
	errResponsesKey  = invalidParams("inputResponses has a key that is too long")
)
