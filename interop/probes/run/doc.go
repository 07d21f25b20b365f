// Program run probes our fixture and the servers of other libraries, and writes
// what it found into README.md and docs/probes.md. With -url it probes any
// server that has the tools of the suite, and prints what it found.
package main
