package clients_test

// The servers are programs of another module, and go test does not see when
// they are others: it keeps a result until this package is another one. It is
// with the library, so that only a change of an example needs -count=1.
import (
	_ "github.com/parleymcp/parley/adapters/chi"
	_ "github.com/parleymcp/parley/adapters/fiber"
	_ "github.com/parleymcp/parley/adapters/gin"
	_ "github.com/parleymcp/parley/adapters/stdlib"
	_ "github.com/parleymcp/parley/jwtbind"
)
