// Package nethttp carries requests and answers between net/http and
// core/server. The adapters of net/http, Chi and Gin share it: how a request is
// read, how the contexts of a hook and of a request become one, and the one
// writer that knows about status, write deadlines and flushing.
//
// It does not decide which requests are MCP's, and knows no framework: paths,
// chains and cached bodies are the adapters' business. What is in a request or
// an answer is the server's.
package nethttp
