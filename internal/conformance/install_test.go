package conformance_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// nodeModules returns the folder that holds what package-lock.json pins, and
// installs it if it is not there. An error without npm is exec.ErrNotFound.
func nodeModules(ctx context.Context) (string, error) {
	if dir := os.Getenv("PARLEY_NODE_MODULES"); dir != "" {
		return filepath.Abs(dir)
	}
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		return "", err
	}
	tmp, err := filepath.Abs("../../.tmp")
	if err != nil {
		return "", err
	}
	// Another lock file is another folder, so that an old installation is never used by mistake.
	home := filepath.Join(tmp, fmt.Sprintf("conformance-%x", sha256.Sum256(lock))[:24])
	modules := filepath.Join(home, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(tmp, 0o750); err != nil {
		return "", err
	}
	// Installed aside and moved into place whole: what others see is complete,
	// and of several runs at the same time one wins.
	aside, err := os.MkdirTemp(tmp, "install-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(aside) }() // nothing is left of it once moved
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		if err := copyFile(filepath.Join(aside, name), name); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts")
	cmd.Dir = aside
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	if err := os.Rename(aside, home); err != nil {
		if _, lost := os.Stat(modules); lost != nil {
			return "", err
		}
	}
	return modules, nil
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
