// Package server is what main.go imports: a [Server] made of a [Config] and of
// the features of package core, which every adapter and every mount shares. It
// speaks the Model Context Protocol over Streamable HTTP as values, [Request]
// in and [Response] out, so that it fits net/http as well as fasthttp.
//
// What lives here: configuration, the registry of features, the order in which
// a request is checked, the refusals, results as they go over the wire, event
// streams and subscriptions; and for clients of older revisions the handshake,
// batches, sessions and the bridge, by which handlers ask them too.
//
// What does not: what a tool author calls (core), the wire types
// (core/protocol), sealed state (core/seal), and everything that knows a web
// framework (adapters).
package server
