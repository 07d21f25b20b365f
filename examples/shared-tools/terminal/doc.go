// Package terminal is what the example programs have to do with the terminal
// that they are started from: which address to listen on, how to call them, and
// when to end. An application has its own ways for all of it.
//
// What an application does not have, the MCP server and how it is mounted and
// closed, is in the main function of each example.
package terminal
