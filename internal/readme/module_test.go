package readme_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	root       = "../.."
	modulePath = "github.com/parleymcp/parley"
)

// module is somebody's module that requires this one, at the checkout.
type module struct{ dir string }

// newModule makes one of files, by path, and lets go mod tidy complete it. It
// begins with the sums of this module, so that nothing is asked of the network
// that is in the cache; tidy drops those that are of no use.
func newModule(t *testing.T, files map[string]string) module {
	t.Helper()
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(root + "/go.sum")
	if err != nil {
		t.Fatal(err)
	}
	m := module{t.TempDir()}
	m.write(t, "go.sum", string(sums))
	m.write(t, "go.mod", "module user.example\n\ngo 1.26\n\nrequire "+modulePath+" v0.0.0\n\nreplace "+
		modulePath+" => "+checkout+"\n")
	for name, text := range files {
		m.write(t, name, text)
	}
	m.run(t, "mod", "tidy")
	return m
}

func (m module) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs the go command there and returns what it prints.
func (m module) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	return string(out)
}

// sums are the modules that go.sum names, one for each line.
func (m module) sums(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	for line := range strings.Lines(string(text)) {
		modules = append(modules, strings.Fields(line)[0])
	}
	return modules
}

// requirements are the versions that a go.mod requires, by module.
func requirements(t *testing.T, dir string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]string{}
	inside := false // of a block of requirements
	for text := range strings.Lines(string(text)) {
		fields := strings.Fields(text)
		switch {
		case len(fields) == 2 && fields[0] == "require" && fields[1] == "(":
			inside = true
		case len(fields) > 0 && fields[0] == ")":
			inside = false
		case inside && len(fields) >= 2:
			required[fields[0]] = fields[1]
		case len(fields) >= 3 && fields[0] == "require":
			required[fields[1]] = fields[2]
		}
	}
	return required
}
