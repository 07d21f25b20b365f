package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A fixture is a server program under test.
type fixture struct {
	url string
	// stop sends SIGTERM and returns an error unless the program then ends in
	// time and of its own accord, with exit code 0.
	stop func() error
}

// buildFixture builds examples/everything and returns the program. Under the
// race detector the program has it too: a race then spoils its exit code.
func buildFixture(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "everything")
	args := []string{"build", "-o", program}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./examples/everything")...)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return program
}

// startFixture starts a program and waits until it says where it listens. Once
// asked to stop it has the time of grace to do so.
func startFixture(t *testing.T, grace time.Duration, program string, args ...string) *fixture {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = grace // then it is killed
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f := &fixture{stop: sync.OnceValue(func() error {
		cancel()
		err := cmd.Wait()
		if cmd.ProcessState.Success() {
			return nil // err only repeats that it was asked to
		}
		return fmt.Errorf("%w: %v\n%s", err, cmd.ProcessState, stderr.String())
	})}
	t.Cleanup(func() { _ = f.stop() })

	timeout := time.AfterFunc(10*time.Second, cancel)
	defer timeout.Stop()
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			f.url = url
			return f
		}
	}
	t.Fatalf("%v did not say where it listens: %v", cmd, f.stop())
	return nil
}
