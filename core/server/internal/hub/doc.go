// Package hub hands changes on to open streams, and to sessions, whether their
// stream is open or not: lists that changed, resources that were updated, the
// keep-alive beat and the end.
//
// What a stream has not yet read is kept once per kind and once per resource,
// so a publisher never waits and nothing piles up behind a slow reader. A
// stream costs no goroutine and no timer here: it waits in its own goroutine,
// and one timer beats for all of them while there are any.
//
// What does not live here: who may subscribe to what, and how an event is
// written (core/server).
package hub
