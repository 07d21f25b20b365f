// Package tools holds the tools that several of the examples serve. It imports
// core and knows neither HTTP nor a web framework: main mounts a server where
// the application lives.
//
//   - [Whoami] asks one question and remembers nothing
//   - [Pizza] asks two, one after the other, and has to remember the first answer
package tools

import "github.com/parleymcp/parley/core"

// All returns every tool of this package.
func All() []core.Feature { return []core.Feature{Whoami, Pizza} }
