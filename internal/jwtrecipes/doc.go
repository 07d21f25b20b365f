// Package jwtrecipes shows, as tests over real listeners, how package jwtbind
// goes together with what an application already has: middleware of its own on
// net/http and Gin, key functions for several issuers, and every adapter.
//
// The recipes for libraries that this module does not depend on are in the
// module interop. What jwtbind accepts and refuses is in its own tests; those
// that need the JWT library to make a token are here.
package jwtrecipes
