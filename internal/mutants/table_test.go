package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutantsApply is what keeps the table alive: the tests of the mutants take
// minutes and run on demand, but code that moves away from an entry shows here.
func TestMutantsApply(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range all() {
		name := m.section + " " + m.check
		if seen[name] {
			t.Errorf("%s: is there twice", name)
		}
		seen[name] = true
		source, err := os.ReadFile(filepath.Join("../..", m.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if n := strings.Count(string(source), m.old); n != 1 || m.old == m.new {
			t.Errorf("%s: %q stands %d times in %s", name, m.old, n, m.file)
		}
	}
}
