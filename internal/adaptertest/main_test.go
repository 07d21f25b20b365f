package adaptertest_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/adaptertest"
)

// TestMain fails if a goroutine is left when all applications are shut down.
func TestMain(m *testing.M) {
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
