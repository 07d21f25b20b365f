// Package jwtrecipes shows, as tests over real listeners, how package jwtbind
// goes together with the JWT middleware that Fiber and Chi applications have:
// github.com/gofiber/contrib/jwt and github.com/go-chi/jwtauth. The recipes for
// net/http and Gin are in internal/jwtrecipes of the root module.
package jwtrecipes
