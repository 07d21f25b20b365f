package companions_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain fails if a goroutine is left when all applications are shut down.
func TestMain(m *testing.M) {
	code := m.Run()
	left := others()
	for deadline := time.Now().Add(5 * time.Second); left != "" && time.Now().Before(deadline); left = others() {
		<-time.After(50 * time.Millisecond)
	}
	if left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// others are the stacks of all goroutines but this one and those that packages
// of others keep for the whole process.
func others() string {
	stacks := make([]byte, 1<<20)
	var left []string
	for _, stack := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")[1:] {
		if !slices.ContainsFunc(forever, func(name string) bool { return strings.Contains(stack, name) }) {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

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
