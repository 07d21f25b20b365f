// Package mcpgin mounts an MCP server in a Gin application.
//
// As middleware, on an application that has routes of its own:
//
//	r := gin.Default()
//	r.Use(mcpgin.Middleware("/mcp", srv))
//
// or as a handler on a route, for all methods: the server itself answers those
// it does not serve (405, as MCP asks; a POST-only route of Gin answers 404):
//
//	r.Any("/mcp", mcpgin.Handler(srv))
//
// What middleware put into its context with Set is in no [context.Context].
// [WithContext] carries over what tools need:
//
//	mcpgin.WithContext(func(c *gin.Context) context.Context {
//		return context.WithValue(c.Request.Context(), userKey{}, c.GetString("user"))
//	})
//
// # Incorrect
//
// Gin runs the middleware of a group only for the routes of the group, so this
// never runs. Use the engine, or the second form.
//
//	r.Group("/api").Use(mcpgin.Middleware("/api/mcp", srv))
//
// Nothing can be pushed through [http.TimeoutHandler]: answers come as JSON,
// without progress, and subscriptions are refused.
//
//	http.TimeoutHandler(r, 10*time.Second, "")
//
// # What to mind
//
//   - Middleware that reads the body either binds it with ShouldBindBodyWith, whose
//     copy is used, or puts it back. After a plain ShouldBindJSON nothing is left,
//     and the call is refused with an error that says so.
//   - gin-contrib/gzip hides write deadlines: exclude the MCP path from it.
//   - Call [server.Server.Close] before [http.Server.Shutdown]. Shutdown waits
//     for open streams, and a subscription never ends by itself.
package mcpgin
