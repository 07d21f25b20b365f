package protocol

// Error codes: JSON-RPC 2.0 and MCP 2026-07-28, basic. The range −32020 to
// −32099 belongs to the specification.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603

	CodeHeaderMismatch          = -32020
	CodeMissingClientCapability = -32021
	CodeUnsupportedVersion      = -32022

	// CodeLegacyResourceNotFound is for replies to revisions before 2026-07-28.
	CodeLegacyResourceNotFound = -32002
)
