// Package fasthttpio serves a [server.Server] on fasthttp: what a request says
// is copied, since fasthttp uses its memory again, and an event stream is
// written from its own goroutine after the handler has returned. It is to
// adapters/fiber what internal/nethttp is to the other adapters.
//
// What does not live here: anything of Fiber, such as paths, hooks and
// contexts.
package fasthttpio
