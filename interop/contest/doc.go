// Package contest is what the measurements of this module have in common: the
// calls, and who answers them. Contestants are this library on each framework,
// the two other Go libraries for MCP, and two that do less than any server may:
// raw reads the body and answers fixed bytes, plain decodes the body once with
// encoding/json, runs the tool and encodes the answer, and checks nothing.
//
// How something is measured is not here.
package contest
