package deps_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An adapter copies the request in and writes the response out; one that grows
// does something that belongs elsewhere.
func TestAdaptersStaySmall(t *testing.T) {
	const most = 200
	dirs, err := filepath.Glob("../../adapters/*")
	if err != nil || len(dirs) != 4 {
		t.Fatalf("found %q, %v", dirs, err)
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(text, []byte("\n"))
		}
		if lines == 0 || lines >= most {
			t.Errorf("%s has %d lines, under %d are allowed", dir, lines, most)
		}
	}
}
