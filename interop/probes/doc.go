// Package probes shows from outside which faults of field practice a server has.
//
// A probe is one row of the project's list of faults. It speaks raw HTTP, byte
// for byte, to a server that has the features of the suite (their names begin
// with probe_), and says whether the fault is there, with what was sent and what
// came back as evidence. [All] runs against any such server: our fixture, with
// -probes, and the programs gosdkserver and mcpgoserver next to this package.
//
// Program run, which make probes starts, runs all of it and writes the table of
// README.md and the page docs/probes.md. Whatever fails there on a server of
// another library was looked into by hand, and [Confirmations] says what was
// found; a failure that nobody has looked into is not published.
//
// What does not live here: clients of other libraries (interop/gosdk), and the
// faults that cannot be seen from outside, which the tests of their packages
// cover; [Unseen] lists them with the reason.
package probes
