// Package clients drives other people's MCP clients against examples/everything
// and examples/bank on every framework, in every era that they speak. What they
// find, our own tests cannot: those know how we read the specification.
//
// A scenario is a list of things to do and what must come of them, word by word,
// the same for all clients. Clients in Go are told in this process; those in
// JavaScript by ../node, a driver for each, over lines of JSON. What a client gets
// wrong, or cannot do, is a row of a table with the reason: it is checked as
// exactly, so that a client that learns better is noticed, and is in
// docs/clients.md of the library.
//
// The clients in JavaScript and their Node.js are pinned in ../node, and
// installed below .tmp on first use. Two variables of the environment matter.
// PARLEY_REQUIRE_CONFORMANCE=1 makes a missing npm a failure instead of a skip.
// PARLEY_INTEROP_MODULES names a node_modules folder installed beforehand, for
// machines without a network.
package clients
