package server

import (
	"errors"
	"log/slog"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// refusal is a fixed answer to a request that no handler sees. Its text tells
// a client what to change and nothing about the inside of the server; what an
// operator has to know is in the log record.
type refusal struct {
	status  int
	code    int
	message string
	reason  string     // for the metrics and the log
	level   slog.Level // how much it matters to the operator
	header  Field      // besides Content-Type; zero: none
}

// Every answer of the server that is not a result, and not an error of a
// handler (MCP 2026-07-28, basic/transports; JSON-RPC 2.0).
var (
	// The reason is that of the verdict.
	refuseOrigin = refuse(403, protocol.CodeInvalidRequest, "This Origin is not allowed", "", slog.LevelWarn)

	refuseHTTPMethod  = refuse(405, protocol.CodeInvalidRequest, "Only POST is allowed here", "http_method", slog.LevelDebug).with("Allow", "POST")
	refuseHTTPMethods = refuse(405, protocol.CodeInvalidRequest, "Only POST, GET and DELETE are allowed here", "http_method", slog.LevelDebug).with("Allow", "POST, GET, DELETE")
	refusePrincipal   = refuse(401, protocol.CodeInvalidRequest, "Authentication is required", "unauthenticated", slog.LevelInfo).with("WWW-Authenticate", "Bearer")

	refuseContentType = refuse(415, protocol.CodeInvalidRequest, "Content-Type must be application/json", "content_type", slog.LevelDebug)
	refuseEncoding    = refuse(415, protocol.CodeInvalidRequest, "Content-Encoding must be identity", "content_encoding", slog.LevelDebug)
	refuseSize        = refuse(413, protocol.CodeInvalidRequest, "The request body is too large", "body_size", slog.LevelInfo)
	refuseConsumed    = refuse(500, protocol.CodeInternalError, "The request body was already consumed by earlier middleware", "body_consumed", slog.LevelError)
	refuseTruncated   = refuse(400, protocol.CodeParseError, "Parse error: the body is shorter than announced", "body_truncated", slog.LevelDebug)

	refuseResponse = refuse(400, protocol.CodeInvalidRequest, "Invalid request: this server asks nothing that could be answered", "envelope", slog.LevelDebug)
	refuseBatch    = refuse(400, protocol.CodeInvalidRequest, "Invalid request: batches are not supported", "envelope", slog.LevelDebug)

	refuseVersion       = refuse(400, protocol.CodeUnsupportedVersion, textVersion, "version", slog.LevelDebug)
	refuseVersionHeader = refuse(400, protocol.CodeHeaderMismatch, textVersionDiffers, "version_header", slog.LevelDebug)
	refuseMethodHeader  = refuse(400, protocol.CodeHeaderMismatch, textMethodDiffers, "method_header", slog.LevelDebug)
	refuseNameHeader    = refuse(400, protocol.CodeHeaderMismatch, textNameDiffers, "name_header", slog.LevelDebug)
	refuseParamHeader   = refuse(400, protocol.CodeHeaderMismatch, "A Mcp-Param header differs from its argument", "param_header", slog.LevelDebug)

	refuseNoSession = refuse(400, protocol.CodeInvalidRequest, "Header Mcp-Session-Id is missing", "session", slog.LevelDebug)
	refuseSession   = refuse(404, protocol.CodeInvalidRequest, "Session not found", "session", slog.LevelDebug)
	refuseEventID   = refuse(400, protocol.CodeInvalidRequest, "The events after Last-Event-ID are not kept", "event_id", slog.LevelDebug)

	refuseMethod    = refuse(404, protocol.CodeMethodNotFound, "Method not found", "method", slog.LevelDebug)
	refuseAccept    = refuse(406, protocol.CodeInvalidRequest, "Accept must allow application/json or text/event-stream", "accept", slog.LevelDebug)
	refuseNotStream = refuse(406, protocol.CodeInvalidRequest, "Accept must allow text/event-stream", "accept", slog.LevelDebug)

	refuseParams         = badParams("Invalid params")
	refuseNoName         = badParams("Invalid params: name must be a string")
	refuseNoURI          = badParams("Invalid params: uri must be a string")
	refuseArguments      = badParams("Invalid params: arguments must be an object")
	refuseCursorType     = badParams("Invalid params: cursor must be a string")
	refuseCompletion     = badParams("Invalid params: completion/complete needs a ref with name or uri, and an argument with name and value")
	refuseContext        = badParams("Invalid params: context.arguments must be an object of strings")
	refuseFilter         = badParams("Invalid params: notifications must be an object of booleans and a list of URIs")
	refuseLongID         = refuse(400, protocol.CodeInvalidRequest, "Invalid request: the id of a subscription is too long", "envelope", slog.LevelDebug)
	refuseManyURIs       = badParams("Invalid params: resourceSubscriptions has too many URIs")
	refuseInitialize     = badParams("Invalid params: initialize needs a string protocolVersion, and objects capabilities and clientInfo")
	refuseCapabilities   = badParams("Invalid params: capabilities are too large")
	refuseLevel          = badParams("Invalid params: level is no log level")
	refuseManySubscribed = badParams("Invalid params: too many resources are subscribed to")
	refuseTool           = unknown("Unknown tool")
	refusePrompt         = unknown("Unknown prompt")
	refuseResource       = unknown("Resource not found")
	refuseLegacyResource = refuse(200, protocol.CodeLegacyResourceNotFound, "Resource not found", "unknown", slog.LevelDebug)
	refuseReference      = unknown("Unknown completion reference")
	refuseCursor         = unknown("Unknown cursor")

	// The reason is that of the failure, as core has it.
	refuseState = refuse(400, protocol.CodeInvalidParams, "Invalid request state", "", slog.LevelWarn)

	refuseNoStream = refuse(200, protocol.CodeInternalError, "This server cannot stream here", "no_stream", slog.LevelError)
	refuseSessions = refuse(200, protocol.CodeInternalError, "Too many sessions", "sessions", slog.LevelWarn)
	refuseListens  = refuse(200, protocol.CodeInternalError, "Too many open streams", "listens", slog.LevelWarn)
	refuseClosing  = refuse(503, protocol.CodeInternalError, "The server is shutting down", "closing", slog.LevelInfo)

	// A client drops the body of a 5xx, so an internal error is a 200 once
	// there is an id to answer to.
	refuseInternal     = refuse(200, protocol.CodeInternalError, "Internal error", "internal", slog.LevelError)
	refuseInternalNoID = refuse(500, protocol.CodeInternalError, "Internal error", "internal", slog.LevelError)
)

// Texts of refusals that have several.
const (
	textHost = "This Host is not allowed"

	textVersion   = "Unsupported protocol version"
	textHandshake = "Unsupported protocol version: this server has no initialize, it speaks "

	textNoVersion      = "Header MCP-Protocol-Version is missing"
	textVersionDiffers = "Header MCP-Protocol-Version differs from the version in _meta"
	textNoMethod       = "Header Mcp-Method is missing"
	textMethodDiffers  = "Header Mcp-Method differs from the method"
	textNoName         = "Header Mcp-Name is missing"
	textNameDiffers    = "Header Mcp-Name differs from the name or URI in the params"
)

func refuse(status, code int, message, reason string, level slog.Level) *refusal {
	return &refusal{status: status, code: code, message: message, reason: reason, level: level}
}

func (r *refusal) with(name, value string) *refusal {
	r.header = Field{name, value}
	return r
}

func badParams(message string) *refusal {
	return refuse(400, protocol.CodeInvalidParams, message, "params", slog.LevelDebug)
}

func unknown(message string) *refusal {
	return refuse(200, protocol.CodeInvalidParams, message, "unknown", slog.LevelDebug)
}

// fromEnvelope is the refusal of a message that could not be read.
func fromEnvelope(err error) *refusal {
	e, ok := errors.AsType[*envelope.Error](err)
	if !ok { // the package has no other errors
		return refuseInternalNoID
	}
	reason := "envelope"
	switch e.Code {
	case protocol.CodeParseError:
		reason = "json"
	case protocol.CodeInvalidParams:
		reason = "params"
	}
	return refuse(400, e.Code, e.Reason, reason, slog.LevelDebug)
}
