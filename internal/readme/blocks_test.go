package readme_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// blocks are the blocks of Go in README.md.
func blocks(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(root + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, block := range strings.Split(string(text), "\n```go\n")[1:] {
		code, _, ok := strings.Cut(block, "\n```\n")
		if !ok {
			t.Fatalf("a block does not end:\n%s", block)
		}
		all = append(all, code+"\n")
	}
	return all
}

// programs are the blocks that are whole programs.
func programs(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, block := range blocks(t) {
		if strings.HasPrefix(block, "package main\n") {
			all = append(all, block)
		}
	}
	if len(all) == 0 {
		t.Fatal("README.md has no whole program")
	}
	return all
}

// line is one line of the block that mounts a server: a statement for
// applications with middleware, and one for a route.
type line struct{ framework, middleware, handler string }

var lineForm = regexp.MustCompile(`^(.+\)) +// (\S+(?: \S+)*) {2,}(\S.*\))$`)

// lines are those of the only block in which every line mounts a server.
func lines(t *testing.T) map[string]line {
	t.Helper()
	found := map[string]line{}
	for _, block := range blocks(t) {
		in := map[string]line{}
		for text := range strings.Lines(block) {
			if m := lineForm.FindStringSubmatch(strings.TrimSuffix(text, "\n")); m != nil {
				in[m[2]] = line{framework: m[2], middleware: m[1], handler: m[3]}
			}
		}
		if len(in) == 0 {
			continue
		}
		if len(in) != strings.Count(block, "\n") || len(found) > 0 {
			t.Fatalf("README.md has lines that mount a server among others, or twice:\n%s", block)
		}
		found = in
	}
	return found
}
