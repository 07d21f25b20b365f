// Package adaptertest is the behaviour that every adapter has, as one suite of
// tests: [Run] mounts a server in an application of the framework, in both
// ways, and talks to it over TCP as clients do. [RunWriters] adds what holds
// where a net/http ResponseWriter can be wrapped.
//
// A framework joins by a [Factory], in a test of this directory, where
// third-party imports stay inside. What only one framework can do wrong is
// tested beside its factory.
//
// What does not live here: the protocol. Requests are as a client sends them,
// and answers are judged by what the transport does to them: core/server and
// internal/conformance judge the rest. Rows of the list of faults seen in the
// field are named T1, T2 and so on.
package adaptertest
