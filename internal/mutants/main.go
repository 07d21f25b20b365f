// Program mutants disables one check of the library at a time and runs the
// tests: each must make at least one fail. It prints a table and exits with 1
// if a mutant survives or no longer applies.
//
// A mutant is a piece of source and what takes its place; the tests run over
// an overlay, so the tree is never written to. An argument restricts it to the
// checks whose section or name contains it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
)

// mutant is one check, disabled.
type mutant struct {
	section string // of the specification that the check is from
	check   string
	file    string
	old     string // stands exactly once in file
	new     string
	tests   []string // packages whose tests must notice
}

// all are the checks of the library.
func all() []mutant { return slices.Concat(mutants, authorization, older) }

// limit ends a mutant whose tests hang, which counts as noticed.
const limit = time.Minute

func main() {
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	if err := run(context.Background(), only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, only string) error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var wrong []string
	say("%-9s %-9s %s\n", "section", "verdict", "check disabled")
	tried := 0
	for _, m := range all() {
		if !strings.Contains(m.section+" "+m.check, only) {
			continue
		}
		tried++
		verdict, err := m.try(ctx, dir)
		if err != nil {
			verdict = "BROKEN"
			say("%v\n", err)
		}
		if verdict != "killed" {
			wrong = append(wrong, m.check)
		}
		say("%-9s %-9s %s\n", m.section, verdict, m.check)
	}
	say("%d mutants, %d killed\n", tried, tried-len(wrong))
	if len(wrong) > 0 {
		return fmt.Errorf("not killed: %s", strings.Join(wrong, "; "))
	}
	return nil
}

// say prints; the table is what the program is for.
func say(format string, args ...any) { _, _ = fmt.Fprintf(os.Stdout, format, args...) }

// try runs the tests over the tree with m in it. It is an error if m does not
// apply or does not compile: such a mutant proves nothing.
func (m *mutant) try(ctx context.Context, dir string) (string, error) {
	path, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(path) //nolint:gosec // a path of our own table
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(source), m.old); n != 1 {
		return "", fmt.Errorf("%s: %q stands %d times in %s", m.check, m.old, n, m.file)
	}
	changed := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600); err != nil { //nolint:gosec // a path of our own making
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := jsonx.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return "", err
	}
	out, err := gocmd(ctx, append([]string{"test", "-vet=off", "-short", "-failfast", "-timeout", limit.String(), "-overlay", overlay}, m.tests...))
	var failed *exec.ExitError
	switch {
	case err == nil:
		return "SURVIVED", nil
	case strings.Contains(out, "[build failed]"):
		return "", fmt.Errorf("%s: the mutant does not compile: %s", m.check, out)
	case errors.As(err, &failed):
		return "killed", nil
	}
	return "", err
}

func gocmd(ctx context.Context, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // arguments of our own table
	out, err := cmd.CombinedOutput()
	return string(out), err
}
