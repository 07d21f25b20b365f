package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/npm"
)

// A runner starts the official conformance runner.
type runner struct {
	node, script string
}

// findRunner installs the runner if need be.
func findRunner(t *testing.T) runner {
	t.Helper()
	modules, err := nodeModules(t.Context())
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("PARLEY_REQUIRE_CONFORMANCE") == "" {
		t.Skipf("the official runner comes from npm, and there is none here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := runner{
		node:   npm.Node(modules),
		script: filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
	}
	if _, err := os.Stat(r.script); err != nil {
		t.Fatal(err)
	}
	return r
}

// run tests the server at url, which must be a loopback address, under the
// strict gate: warnings fail as well.
func (r runner) run(t *testing.T, url string, selection ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, r.node, append([]string{
		r.script, "server",
		"--url", url,
		"--expected-failures", "testdata/strict.yml",
		"--output-dir", dir,
		"--timeout", "20000", // milliseconds, each scenario
	}, selection...)...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Fatalf("%v: %v", cmd, err)
	}
	scenarios, err := readScenarios(dir)
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, output.String())
	}
	return result{exitCode: cmd.ProcessState.ExitCode(), output: output.String(), scenarios: scenarios}
}
