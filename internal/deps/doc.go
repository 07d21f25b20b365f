// Package deps holds the import rules of this module and the check of them.
//
// The rules: adapters import core/server, core/server imports core, core
// imports core/seal, core/replay and core/protocol, and nothing goes the other
// way; a third-party package has one importer that applications link; an
// application that uses core links no framework, no JWT library and no testing
// package.
//
// What depguard says about single files, in .golangci.yml, this package says
// about the whole graph, so that a detour through another package counts too.
// It knows nothing of modules of their own, such as interop.
package deps
