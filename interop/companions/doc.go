// Package companions measures middleware of other modules in front of an MCP
// server, by internal/companions of the library, and holds the last table of
// docs/middleware.md against it.
package companions
