// Package mcphttp mounts an MCP server in a net/http application.
//
// As middleware, on an application that has routes of its own:
//
//	handler := mcphttp.Middleware("/mcp", srv)(mux)
//
// or as a handler on a route, for all methods: the server itself answers those
// it does not serve (405, as MCP asks):
//
//	mux.Handle("/mcp", mcphttp.Handler(srv))
//
// Values of the request's context reach tools as they are. [WithContext] adds
// what is elsewhere. Everything else is decided in [server.Config]. Frameworks
// built on net/http that have no package here, Echo for one, mount the handler
// through their own wrapper.
//
// # Incorrect
//
// [http.TimeoutHandler] buffers what it is given, so nothing can be pushed:
// answers come as JSON, without progress, and subscriptions are refused. The
// same holds for every ResponseWriter that does not flush.
//
//	http.TimeoutHandler(mcphttp.Handler(srv), 10*time.Second, "")
//
// # What to mind
//
//   - Call [server.Server.Close] before [http.Server.Shutdown]. Shutdown waits
//     for open streams, and a subscription never ends by itself.
//   - WriteTimeout of [http.Server] does not cut streams or slow tools: every write
//     gets a deadline of its own. Wrappers of the ResponseWriter need an Unwrap
//     method for that; behind one that hides deadlines the timeout rules.
//   - Middleware that reads the body has to put it back.
//   - CORS middleware belongs outside, on all methods; server.RequestHeaders and
//     server.ResponseHeaders are the lists it needs.
package mcphttp
