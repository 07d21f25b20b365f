package conformance_test

import (
	"context"
	"os"
	"path/filepath"

	"github.com/parleymcp/parley/internal/npm"
)

// nodeModules returns the folder that holds what package-lock.json pins, and
// installs it if it is not there. An error without npm is exec.ErrNotFound.
func nodeModules(ctx context.Context) (string, error) {
	if dir := os.Getenv("PARLEY_NODE_MODULES"); dir != "" {
		return filepath.Abs(dir)
	}
	return npm.Install(ctx, ".", "../../.tmp", "conformance")
}
