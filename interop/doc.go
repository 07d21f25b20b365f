// Package interop runs other people's MCP clients against this library. It is a
// module of its own, so that nobody who uses the library pays for them.
package interop
