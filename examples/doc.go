// Package examples holds complete programs to copy from, one in each folder,
// and the tests that build and run them. Nothing is exported.
//
//   - hello-stdlib: the smallest server there is, in an application on net/http
//   - hello-chi, hello-gin, hello-fiber: the same tool in applications on these
//   - shared-tools: one package of tools behind all four, in one process
//   - bank: the whole story, with sealed state, flows and callers with tokens; its
//     tests over HTTP are in internal/banktest
//   - everything: what the official conformance runner asks for, on each
//     framework; a fixture for tests rather than a model
package examples
