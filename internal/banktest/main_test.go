package banktest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// binary is the bank, built once.
var binary string

// TestMain builds the bank, and fails if one that the tests share did not end
// well, or if a goroutine is left.
func TestMain(m *testing.M) {
	flag.Parse()
	code := 1
	dir, err := os.MkdirTemp("", "bank")
	if err == nil {
		err = build(dir)
	}
	// A program with the race detector waits a second when it ends, and there are
	// many. What it has found by then is reported all the same.
	err = errors.Join(err, os.Setenv("GORACE", "atexit_sleep_ms=10 "+os.Getenv("GORACE")))
	if err == nil {
		code = m.Run()
		err = errors.Join(stopShared(), leftovers())
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// build builds the bank, with the race detector if the tests have it: a race
// then spoils the program's exit code.
func build(dir string) error {
	binary = filepath.Join(dir, "bank")
	args := []string{"build", "-o", binary}
	if raceDetector() {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(context.Background(), "go", append(args, "../../examples/bank")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return nil
}

// sources looks at what the bank is built of: go test keeps a result until a
// file or folder is another one that a test, not TestMain, has looked at.
var sources = sync.OnceValue(func() error {
	for _, dir := range []string{"examples/bank", "core", "adapters", "jwtbind", "internal/jsonx", "internal/schema", "internal/nethttp"} {
		err := filepath.WalkDir(filepath.Join("../..", dir), func(_ string, _ fs.DirEntry, err error) error { return err })
		if err != nil {
			return err
		}
	}
	return nil
})

func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// leftovers is an error with the stacks of all goroutines but this one.
func leftovers() error {
	client.CloseIdleConnections()
	for deadline := time.Now().Add(5 * time.Second); ; <-time.After(20 * time.Millisecond) {
		stacks := make([]byte, 1<<20)
		_, others, left := strings.Cut(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
		switch {
		case !left:
			return nil
		case time.Now().After(deadline):
			return errors.New("goroutines left:\n" + others)
		}
	}
}
