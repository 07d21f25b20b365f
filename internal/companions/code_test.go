package companions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentedCode finds every block of Go in the document in the tests of
// this directory, line by line: what is documented was compiled and measured.
func TestDocumentedCode(t *testing.T) {
	document, err := os.ReadFile("../../docs/middleware.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources.WriteString(flat(string(source)))
	}
	blocks := strings.Split(string(document), "\n```go\n")[1:]
	if len(blocks) == 0 {
		t.Error("there is no block of Go")
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "\n```")
		if !strings.Contains(sources.String(), flat(code)) {
			t.Errorf("no test has this code:\n%s", code)
		}
	}
}

// flat is code without indentation.
func flat(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		b.WriteString(strings.TrimSpace(line))
		b.WriteByte('\n')
	}
	return b.String()
}
