package main

import (
	"errors"

	"github.com/golang-jwt/jwt/v5"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/jwtbind"
)

// callers tells who is calling from a JWT in the Authorization header, the same
// way behind every framework: state that was sealed for one caller opens for no
// other. A real server takes tokens of its authorization server, signed with a
// key pair; here whoever knows the secret can make one. Without a token a caller
// is anonymous, so that the example can be tried with a line of curl.
func callers(secret string) (core.Authenticator, error) {
	return jwtbind.Verify(jwtbind.Config{
		Issuers:  []string{"https://id.example"},
		Audience: "https://tools.example/mcp",
		Methods:  []string{"HS256"},
		Keyfunc: func(*jwt.Token) (any, error) {
			if secret == "" {
				return nil, errors.New("JWT_SECRET is not set")
			}
			return []byte(secret), nil
		},
		AllowAnonymous: true,
	})
}
