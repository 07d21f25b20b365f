// Package banktest holds the tests of the program examples/bank as it is
// operated: processes of their own on every framework, callers with tokens,
// requests as an attacker writes them, and what is left in the log. Nothing is
// exported.
//
// What does not live here: unit tests of the bank's handlers, which are beside
// them and show how one writes such tests, and the sweep over every byte of a
// token, which is in core/seal. Rows of the list of faults seen in the field
// are named M4, M9 and so on.
package banktest
