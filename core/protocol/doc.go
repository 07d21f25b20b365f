// Package protocol holds the wire types and constants of the Model Context
// Protocol, revisions 2025-03-26 to 2026-07-28. It is data only.
//
// What does not live here: how a request is read, checked and routed
// (core/server), and what a tool author calls (core).
package protocol
