// Package session remembers what clients of the older revisions expect a server
// to remember between their requests: who they said they are, the calls that
// run and can be cancelled, the questions that wait for an answer, and the last
// events of each stream, for a client that lost its connection.
//
// A session costs no goroutine and no timer: one timer ends the idle ones of a
// whole table. Everything that can grow has a limit.
//
// What does not live here: HTTP, which request needs a session, and what the
// messages say (core/server).
package session
