package readme_test

import (
	"os"
	"strings"
	"testing"
)

// TestExcerpt compares the handler in docs/asking.md with the example that it
// says it is from.
func TestExcerpt(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(root + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, rest, found := strings.Cut(read("/docs/asking.md"), "\nfunc pizza(")
	handler, _, ends := strings.Cut(rest, "\n}\n")
	if !found || !ends {
		t.Fatal("docs/asking.md has no func pizza")
	}
	if !strings.Contains(read("/examples/shared-tools/tools/pizza.go"), "\nfunc pizza("+handler+"\n}\n") {
		t.Errorf("docs/asking.md has another handler than examples/shared-tools:\n%s", handler)
	}
}
