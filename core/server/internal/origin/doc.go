// Package origin decides which Origin and Host headers a request may carry, so
// that a web page cannot reach a server through its visitor's browser, DNS
// rebinding included (MCP 2026-07-28, basic/transports).
//
// What does not live here: CORS, which is the application's, and forwarded
// headers, which nobody reads.
package origin
