package examples_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	grace    = 5 * time.Second  // for a program to end once it was told to
	patience = 20 * time.Second // for one answer, or event
	lifetime = 2 * time.Minute  // of a program, whatever hangs
)

// program is an example that runs.
type program struct {
	url    string // of its MCP server
	token  string // sent with every request, if it is not empty
	cmd    *exec.Cmd
	stdout *bufio.Reader
	stderr *bytes.Buffer // to be read after stop
	ended  bool
}

// build builds the example in a folder, with the race detector if the tests
// have it: a race then spoils the program's exit code.
func build(t *testing.T, folder string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), folder)
	args := []string{"build", "-o", binary}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(t.Context(), "go", append(args, "./"+folder)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return binary
}

// start starts a program and waits until it says where it listens, which is the
// first thing that it says.
func start(t *testing.T, binary string, args ...string) *program {
	t.Helper()
	// The test's own context ends before the program is to be stopped.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), lifetime)
	p := &program{cmd: exec.CommandContext(ctx, binary, args...), stderr: new(bytes.Buffer)}
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewReader(stdout)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel()
		if _, err := p.stop(); err != nil {
			t.Error(err)
		}
	})
	p.url = p.listening(t)
	return p
}

// listening is the URL in the next line that the program prints; a word on what
// listens may follow it.
func (p *program) listening(t *testing.T) string {
	t.Helper()
	line, err := p.stdout.ReadString('\n')
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "listening on ")
	if err != nil || !ok {
		t.Fatalf("%q is printed (%v), want the address", line, err)
	}
	url, _, _ := strings.Cut(rest, " ")
	return url
}

// stop sends SIGTERM and returns what was left to read on standard output, and
// an error unless the program ended in time with exit code 0.
func (p *program) stop() (string, error) {
	if p.ended {
		return "", nil
	}
	p.ended = true
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return "", fmt.Errorf("%w\n%s", errors.Join(err, p.cmd.Wait()), p.stderr)
	}
	kill := time.AfterFunc(grace, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	rest, err := io.ReadAll(p.stdout) // ends with the program
	if err = errors.Join(err, p.cmd.Wait()); err != nil {
		return "", fmt.Errorf("the program did not end well: %w\n%s", err, p.stderr)
	}
	return string(rest), nil
}
