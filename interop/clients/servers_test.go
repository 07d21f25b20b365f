package clients_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
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

// grace is how long a server may take to end.
const grace = 5 * time.Second

// What the bank seals its state with, and what signs tokens for it.
const (
	bankKeys = "active:8f1d0c6be2a94753b01e5d7c2f9a684410c7d3e5a96b2f81d47e03bc5a1968f2"
	bankHMAC = "51d8e20f7ab34c96e8f10d2b6a9573c4d0e7f2183b5a4c69f1820d7e9b3a6c54"
)

// programs are the servers.
var programs struct{ everything, bank string }

// build builds them, with the race detector if the tests have it: a race then
// spoils a program's exit code.
var build = sync.OnceValue(func() error {
	args := []string{"build", "-o", scratch}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(context.Background(), "go", append(args, "./examples/everything", "./examples/bank")...)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	programs.everything, programs.bank = filepath.Join(scratch, "everything"), filepath.Join(scratch, "bank")
	return nil
})

// start starts a server and returns its URL, with a function that tells it to
// end. It must do so by itself and well when the test ends.
func start(t *testing.T, program string, args ...string) (url string, end func()) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"-addr", "127.0.0.1:0"}, args...)...) //nolint:noctx // ended below
	cmd.Env = append(os.Environ(), "BANK_KEYS="+bankKeys, "BANK_HMAC="+bankHMAC, "GORACE=atexit_sleep_ms=10")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(grace, func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	kill.Stop()
	end = sync.OnceFunc(func() { _ = cmd.Process.Signal(syscall.SIGTERM) }) // if it fails, Wait says more
	t.Cleanup(func() {
		end()
		kill := time.AfterFunc(grace, func() { _ = cmd.Process.Kill() })
		defer kill.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v\n%s", cmd, err, stderr.String())
		}
		if t.Failed() {
			t.Logf("%v:\n%s", cmd, tail(stderr.String(), 4000))
		}
	})
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("%v says %q (%v)", cmd, line, err)
	}
	return url, end
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// token is one that the bank takes.
func token(t *testing.T, subject string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), programs.bank, "token", "-sub", subject, "-ttl", "5m")
	cmd.Env = append(os.Environ(), "BANK_HMAC="+bankHMAC)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return strings.TrimSpace(string(out))
}
