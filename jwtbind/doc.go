// Package jwtbind says who is calling from a JSON Web Token: it makes the
// [core.Authenticator] that server.Config.Authenticator takes.
//
// There are two ways. Verify here, where the server is the one that reads the
// Authorization header:
//
//	who, err := jwtbind.Verify(jwtbind.Config{
//		Issuers:  []string{"https://id.example"},
//		Audience: "https://bank.example/mcp",
//		Methods:  []string{"ES256"},
//		Keyfunc:  keys, // the issuer's public keys: a jwt.Keyfunc, from a JWKS library or your own
//	})
//	srv, err := server.New(server.Config{Name: "bank", Version: "1.0.0", Authenticator: who}, tools...)
//
// Or bring what middleware of the application has verified on this request, from
// an adapter's WithContext option:
//
//	who, err := jwtbind.FromContext(jwtbind.Config{…}) // the same, without Keyfunc
//	app.Use(mcpfiber.Middleware("/mcp", srv, mcpfiber.WithContext(func(c *fiber.Ctx) context.Context {
//		if token, ok := c.Locals("user").(*jwt.Token); ok {
//			return jwtbind.WithToken(c.UserContext(), token)
//		}
//		return c.UserContext()
//	})))
//
// Middleware is often content with a good signature, so [FromContext] checks
// again all that can be read from the token. [WithClaims] is for middleware that
// leaves nothing but a map behind.
//
// # What binds
//
// iss and sub, always; the claims named by TenantClaim and ClientClaim as well,
// once they are named. Each has to be a string that is not blank. State that was
// sealed for a caller opens for no other (MCP 2026-07-28, multi round-trip
// requests), and for the same one with a refreshed token. scope, or scp, is for
// handlers to look at and binds nothing: it may grow between two rounds.
//
// # What never binds
//
// The bytes of the token or their hash, jti, sid, iat, exp: they change with
// every refresh. Anything that a client can set by itself. A subject without its
// issuer.
//
// # Anonymous
//
// Nobody is [core.Anonymous] unless AllowAnonymous says so, and then only a
// request that has neither an Authorization header nor a token in its context.
// A token that is expired, forged or for somebody else is refused, never
// ignored.
//
// What does not live here: fetching keys, the protected resource metadata and
// the challenges (core/server), what a feature needs ([core.Scopes]), and whether
// a caller may do what he asks for (the handlers, with [core.Principal]).
package jwtbind
