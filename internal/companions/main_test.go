package companions_test

import (
	"testing"

	"github.com/parleymcp/parley/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m, forever...) }

// forever are parts of stacks that stay for the whole process, or for long.
var forever = []string{
	"fasthttp.updateServerDate",
	"fasthttp/stackless.funcWorker",
	"fasthttp.(*workerPool).Start.func2", // looks every ten seconds whether it should end
	// The clocks and the stores of middleware.
	"created by github.com/gofiber/fiber/v2/middleware/",
	"created by github.com/gofiber/fiber/v2/internal/",
	"created by github.com/gofiber/fiber/v2/utils.",
}
