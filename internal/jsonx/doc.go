// Package jsonx is the one place that knows the JSON library.
//
// Everything on the wire goes through it: names match exactly, case included,
// a repeated member name is refused, and so is invalid UTF-8. The library is
// github.com/go-json-experiment/json, which becomes encoding/json/v2 in
// Go 1.27; keeping it behind this package makes that change one file long.
//
// What does not live here: the shape of messages (core/protocol), schemas
// (internal/schema) and the request envelope (core/server).
package jsonx
