// Package interop runs other people's MCP clients against this library, and
// looks at other people's servers beside it. It is a module of its own, so that
// nobody who uses the library pays for them.
package interop
