// Package mcpfiber mounts an MCP server in a Fiber v2 application, directly on
// fasthttp.
//
// As middleware, on an application that has routes of its own:
//
//	app := fiber.New()
//	app.Use(mcpfiber.Middleware("/mcp", srv))
//
// or as a handler on a route, for all methods: the server itself answers those
// it does not serve (405, as MCP asks):
//
//	app.All("/mcp", mcpfiber.Handler(srv))
//
// # What to mind
//
//   - Do not go through the adaptor of Fiber or fasthttp. It reports that it can
//     flush and buffers every stream to its end, so a subscription never answers:
//
//     app.All("/mcp", adaptor.HTTPHandler(mcphttp.Handler(srv))) // wrong
//
//   - fasthttp does not tell who has disconnected. A call notices when it writes,
//     and a quiet one becomes a stream after one keep-alive interval to have
//     something to write: handlers are cancelled within two intervals
//     (KeepAlive of [server.Config]).
//   - After the handler has returned, *fiber.Ctx and c.Context() belong to another
//     request while a stream goes on. [WithContext] copies what tools need:
//
//     mcpfiber.WithContext(func(c *fiber.Ctx) context.Context {
//     user, _ := c.Locals("user").(string)
//     return context.WithValue(c.UserContext(), userKey{}, strings.Clone(user))
//     })
//
//     A context that is c.Context() or derived from it is refused.
//   - The size of a body is bounded by BodyLimit of [fiber.Config], 4 MiB, before
//     MCP sees it, and answered in plain text. Set it a little above MaxBody of
//     [server.Config] to get the error MCP clients understand. With
//     StreamRequestBody, Fiber has no limit; MaxBody holds there too.
//   - WriteTimeout of [fiber.Config] does not cut streams, and bounds answers that
//     are none.
//   - The etag middleware buffers a stream to its end: exclude the MCP path. compress
//     is fine. Only HTTP/1.1 is streamed to.
//   - Call [server.Server.Close] before Shutdown of the app, which waits for open
//     streams; a subscription never ends by itself.
//   - Prefork runs several processes: single use of request state then needs a
//     replay store that they share.
package mcpfiber
