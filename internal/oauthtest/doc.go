// Package oauthtest is an authorization server for tests: it listens on a
// loopback address, publishes its keys, and gives everybody the token he asks
// for, after the protocol was kept to the letter. Beside it is a client of a key
// set, as an application gets from a library.
//
// What does not live here: the resource server, which is what the tests are
// about, and users; the one who asks is always the same.
package oauthtest
