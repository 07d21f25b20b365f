package deps_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/deps"
)

const module = "github.com/parleymcp/parley"

func TestModuleKeepsImportRules(t *testing.T) {
	packages := list(t)
	for _, breach := range deps.Check(module, packages) {
		t.Error(breach)
	}
}

// list asks the go command for the module and all it depends on. A package
// that does not build is listed all the same: that is for the compiler to say.
func list(t *testing.T) []deps.Package {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-e",
		"-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	var packages []deps.Package
	seen := false
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p deps.Package
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen = seen || p.ImportPath == module+"/internal/deps"
		packages = append(packages, p)
	}
	if !seen {
		t.Fatalf("%v lists %d packages and not this one", cmd, len(packages))
	}
	return packages
}
