// Package peer is what the servers of other libraries that the probe suite is
// run against have in common: their flags, their start and end, and tools that
// need no library.
//
// What does not live here: the servers themselves, which each use one library
// as its documentation recommends.
package peer
