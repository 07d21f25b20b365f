// Package conformance drives the official MCP conformance runner from go test.
//
// It builds examples/everything, starts it once for every framework and form
// of mounting, runs every scenario of every revision we serve against it, and
// accepts neither a failure nor a warning. package.json pins the runner and
// the Node.js that it needs; they are installed on first use below .tmp.
//
// Two variables of the environment matter. PARLEY_REQUIRE_CONFORMANCE=1 makes
// a missing npm a failure instead of a skip. PARLEY_NODE_MODULES names a
// node_modules folder installed beforehand, for machines without a network.
//
// Everything lives in tests. What the runner does not test is tested elsewhere:
// the behaviour of adapters in internal/adaptertest, other people's clients in
// the module interop.
package conformance
