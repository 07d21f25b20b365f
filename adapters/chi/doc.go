// Package mcpchi mounts an MCP server in a Chi application. Chi is net/http, so
// it is package mcphttp under Chi's name, and imports no Chi.
//
// As middleware, on an application that has routes of its own:
//
//	r := chi.NewRouter()
//	r.Use(mcpchi.Middleware("/mcp", srv))
//	r.Get("/", home)
//
// or as a handler on a route, for all methods: the server itself answers those
// it does not serve (405, as MCP asks):
//
//	r.Handle("/mcp", mcpchi.Handler(srv))
//
// # What to mind
//
//   - Chi runs no middleware on a router that has no route at all: there the
//     first form answers 404. Use the second.
//   - On a sub-router the path is still that of the whole URL:
//     r.Route("/api", …) takes Middleware("/api/mcp", srv).
//   - Do not put middleware.Timeout on the MCP route: it cancels the tools of
//     long calls. middleware.Compress is fine.
//   - Call [server.Server.Close] before [http.Server.Shutdown]. Shutdown waits
//     for open streams, and a subscription never ends by itself.
//   - What package mcphttp says of wrappers, write timeouts and CORS holds here.
//
// Values of the request's context, URL parameters of Chi among them, reach tools
// as they are; [WithContext] adds what is elsewhere.
package mcpchi
