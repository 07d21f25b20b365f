package readme_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPrograms builds the programs of README.md in a module that has nothing
// else, and counts what it costs: core, server and the adapter of net/http bring
// no framework and no JWT library, neither into the binary nor into go.mod.
func TestPrograms(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i, program := range programs(t) {
		files["program"+strconv.Itoa(i)+"/main.go"] = program
	}
	m := newModule(t, files)
	m.run(t, "build", "-o", t.TempDir(), "./...")

	linked := []string{ // with what is compiled into a program
		"github.com/go-json-experiment/json",
		"github.com/google/jsonschema-go",
		modulePath,
		"github.com/yosida95/uritemplate/v3",
	}
	slices.Sort(linked)
	required := slices.Sorted(maps.Keys(requirements(t, m.dir)))
	if !slices.Equal(required, linked) {
		t.Errorf("go.mod requires %q, want %q", required, linked)
	}
	listed := strings.Fields(m.run(t, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./..."))
	slices.Sort(listed)
	if listed = slices.Compact(listed); !slices.Equal(listed, linked) {
		t.Errorf("the programs link %q, want %q", listed, linked)
	}

	// Two lines for each of them but this one, which is replaced here, and two
	// for what the tests of the schema library import.
	wantSums := []string{
		"github.com/go-json-experiment/json",
		"github.com/google/go-cmp",
		"github.com/google/jsonschema-go",
		"github.com/yosida95/uritemplate/v3",
	}
	summed := m.sums(t)
	t.Logf("go.mod requires %d modules, this one among them; go.sum has %d lines without it", len(required), len(summed))
	if len(summed) != 2*len(wantSums) {
		t.Errorf("go.sum has %d lines, want %d", len(summed), 2*len(wantSums))
	}
	slices.Sort(summed)
	if summed = slices.Compact(summed); !slices.Equal(summed, wantSums) {
		t.Errorf("go.sum has %q, want %q", summed, wantSums)
	}
}
