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
// A stream goes on after Fiber's handler has returned, when *fiber.Ctx belongs
// to another request. [WithContext] copies what tools need:
//
//	mcpfiber.WithContext(func(c *fiber.Ctx) context.Context {
//		user, _ := c.Locals("user").(string)
//		return context.WithValue(c.UserContext(), userKey{}, strings.Clone(user))
//	})
//
// # Incorrect
//
// The adaptor of Fiber reports that it can flush, and buffers every stream to
// its end; a subscription never answers.
//
//	app.All("/mcp", adaptor.HTTPHandler(mcphttp.Handler(srv)))
//
// The context of fasthttp is recycled like c. A call with it, or with one
// derived from it, ends with an error for the app's ErrorHandler.
//
//	mcpfiber.WithContext(func(c *fiber.Ctx) context.Context { return c.Context() })
//
// # What to mind
//
//   - fasthttp does not tell who has disconnected. A call notices when it writes,
//     and a quiet one becomes a stream after one keep-alive interval to have
//     something to write: handlers are cancelled within two intervals (KeepAlive
//     of [server.Config]), but not those of clients that accept JSON only.
//   - BodyLimit of [fiber.Config], 4 MiB, comes first, and its answer is plain text.
//     Set it a little above MaxBody of [server.Config] for the error that MCP
//     clients understand. With StreamRequestBody Fiber has no limit; MaxBody holds.
//   - WriteTimeout of [fiber.Config] does not cut streams. It bounds the other
//     answers.
//   - The etag middleware, and ETag of [fiber.Config], buffer a stream to its end:
//     exclude the MCP path. compress is fine. Only HTTP/1.1 is streamed to.
//   - Middleware that looks at the body after c.Next finds none where the answer is
//     a stream.
//   - Call [server.Server.Close] before Shutdown of the app, which waits for open
//     streams; a subscription never ends by itself.
//   - Prefork runs several processes: single use of request state then needs a
//     replay store that they share.
package mcpfiber
