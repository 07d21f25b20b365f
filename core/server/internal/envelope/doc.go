// Package envelope reads one JSON-RPC message of the Model Context Protocol in
// one pass over its bytes: what kind it is, its id as the client spelled it, its
// method, and the raw ranges of the members of params and _meta.
//
// It refuses what JSON allows and a server must not: a byte order mark, invalid
// UTF-8, repeated member names, deep nesting, bytes after the message.
//
// What does not live here: headers (internal/headers), which era a request
// belongs to, what a method does with its params, and the HTTP status of a
// refusal (core/server).
package envelope
