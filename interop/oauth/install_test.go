package oauth_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parleymcp/parley/internal/npm"
)

// installed is a folder with the client, and what package-lock.json pins as its
// node_modules.
func installed(t *testing.T) string {
	t.Helper()
	modules, err := npm.Install(t.Context(), ".", "../../.tmp", "oauth")
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("PARLEY_REQUIRE_CONFORMANCE") == "" {
		t.Skipf("the TypeScript SDK comes from npm, and there is none here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(home, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return home
}
