// Package wireschema holds what a server sends against the machine-readable
// schemas of MCP 2026-07-28 and of the older revisions, which are in testdata
// as the specification publishes them. It is for tests only.
//
// What does not live here: the schemas of tools (internal/schema), and rules
// that a schema cannot say, such as the order of messages.
package wireschema
