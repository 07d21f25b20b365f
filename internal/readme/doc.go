// Package readme tests README.md as its readers use it: what is printed there is
// copied into fresh modules that require this one, built and called, and what
// such a module has to take on is counted.
//
// An excerpt in docs/asking.md is held against the program that it is from.
//
// What does not live here: the code of docs/middleware.md (internal/companions)
// and of the packages' own documentation, which are examples of theirs.
package readme
