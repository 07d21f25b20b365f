// Package companions measures what the middleware of an application does to the
// MCP server behind it: [Measure] starts an application over TCP, with write
// timeouts set, asks for everything that MCP needs of HTTP, and reports what
// did not arrive. Nothing is known of a middleware beforehand.
//
// The tests of this directory measure the middleware that the frameworks bring,
// and hold docs/middleware.md, read by [Table], against it: a row that is
// missing, one too many, or one with another verdict is a failure. Middleware
// of modules of their own is measured in the module interop.
//
// What does not live here: what an adapter does by itself (internal/adaptertest).
package companions
