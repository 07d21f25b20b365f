package adaptertest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/adaptertest"
)

// TestMain fails if a goroutine is left when all applications are shut down.
// Tests wait more than they work, so more of them run at a time than there are
// processors.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "24"); err != nil {
		panic(err)
	}
	code := m.Run()
	if left := leftovers(5 * time.Second); left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

func leftovers(patience time.Duration) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		left := adaptertest.Goroutines()
		if len(left) == 0 {
			return ""
		}
		select {
		case <-ctx.Done():
			return strings.Join(left, "\n\n")
		case <-time.After(50 * time.Millisecond):
		}
	}
}
