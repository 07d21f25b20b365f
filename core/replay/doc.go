// Package replay makes sure that something happens once, however often it is
// asked for. Whoever is about to cause an effect claims it in a [Store] first;
// whoever claims it again is told that it is in flight, or gets its result. In
// parley it stands under core.Commit; nothing in it is particular to MCP, and it
// imports the standard library only.
//
// What lives here: the interface, and a store in memory for one process. What
// does not: how a claim is named, and what a client is told. A store that
// several instances share implements [Store]; its comments say how each method
// is done in Redis.
package replay
