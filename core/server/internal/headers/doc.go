// Package headers holds the rules for the request headers of Streamable HTTP:
// one value each, the base64 sentinel, Mcp-Param-* against the arguments,
// Accept, Content-Type and Content-Encoding (MCP 2026-07-28, basic/transports).
//
// What does not live here: Origin and Host (internal/origin), which header a
// method asks for, which status a refusal gets (core/server), and where
// x-mcp-header may stand in a schema (internal/schema).
package headers
