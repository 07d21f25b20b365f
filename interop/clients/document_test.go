package clients_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/clients.md")

const document = "../../docs/clients.md"

// TestDocument holds docs/clients.md to the tables that the other tests use.
func TestDocument(t *testing.T) {
	want := intro + agreed() + "\n## What the clients cannot do, or get wrong\n\n" + limitations()
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/clients.md is not what the tables say: go test ./clients -run TestDocument -update")
	}
}

// TestLimitsAreUsed finds a row that names what there is not.
func TestLimitsAreUsed(t *testing.T) {
	for i, l := range limits {
		c := slices.IndexFunc(clients, func(c client) bool { return c.name == l.client })
		if c < 0 {
			t.Errorf("row %d is of no client: %q", i+1, l.client)
			continue
		}
		for _, name := range l.scenarios {
			if scenarioOf(name).name == "" {
				t.Errorf("row %d is of no scenario: %q", i+1, name)
			}
			for _, e := range clients[c].eras() {
				if wanted := scenarioOf(name).wanted(e); l.in(e) && l.got != nil && slices.Equal(l.got, wanted) {
					t.Errorf("row %d is what should come of %q in %v", i+1, name, e)
				}
				if first, ok := limitOf(l.client, e, name); l.in(e) && (!ok || first.why != l.why) {
					t.Errorf("row %d is behind another that is of %q in %v as well", i+1, name, e)
				}
			}
		}
	}
}

// scenarioOf is the scenario of a name, or an empty one.
func scenarioOf(name string) scenario {
	for _, sc := range scenarios {
		if sc.name == name {
			return sc
		}
	}
	return scenario{}
}

const intro = `# Other people's clients

The tests in ` + "`interop/clients`" + ` have these clients call ` + "`examples/everything` and `examples/bank`" + ` on net/http, Chi, Gin and
Fiber, one server for all revisions, and a second one without sessions. Each does the same, and what comes of it is
compared word by word. They negotiate 2026-07-28 by themselves; older revisions they are told to speak.

This file is written by the tests: ` + "`go test ./clients -run TestDocument -update`" + ` in ` + "`interop`" + `.

## What was run

✓: in all revisions that the client speaks, as it should. A number: see that row below.

`

// agreed is a table of clients and scenarios.
func agreed() string {
	var out strings.Builder
	cells := func(first string, cell func(client) string) {
		fmt.Fprintf(&out, "| %s |", first)
		for _, c := range clients {
			fmt.Fprintf(&out, " %s |", cell(c))
		}
		out.WriteString("\n")
	}
	cells("", func(c client) string { return "`" + c.name + "`" })
	cells("---", func(client) string { return "---" })
	cells("*revisions*", func(c client) string { return strings.Join(c.speaks, ", ") })
	for _, sc := range scenarios {
		cells(sc.name, func(c client) string {
			var rows []string
			for i, l := range limits {
				if l.client == c.name && slices.Contains(l.scenarios, sc.name) && slices.ContainsFunc(c.eras(), l.in) {
					rows = append(rows, strconv.Itoa(i+1))
				}
			}
			if rows == nil {
				return "✓"
			}
			return strings.Join(rows, ", ")
		})
	}
	return out.String()
}

// limitations is the table of limits.
func limitations() string {
	var out strings.Builder
	out.WriteString("Of what is seen only the lines that should not be there. Where there is none, something is missing, or there was no\nway to try.\n\n")
	out.WriteString("| | client | revisions | scenarios | why | what is seen |\n|---|---|---|---|---|---|\n")
	for i, l := range limits {
		c := clients[slices.IndexFunc(clients, func(c client) bool { return c.name == l.client })]
		where := "all"
		if l.only != nil {
			var eras []string
			for _, e := range c.eras() {
				if l.in(e) {
					eras = append(eras, e.String())
				}
			}
			where = strings.Join(eras, ", ")
		}
		why := l.why
		if l.reproduce != "" {
			why += " To reproduce: " + l.reproduce
		}
		fmt.Fprintf(&out, "| %d | `%s` | %s | %s | %s | %s |\n", i+1, l.client, where, strings.Join(l.scenarios, "; "), why, cell(l.unexpected()))
	}
	return out.String()
}

// unexpected are the lines of what is seen that no scenario of the row wants.
func (l limit) unexpected() []string {
	return slices.DeleteFunc(slices.Clone(l.got), func(line string) bool {
		return slices.ContainsFunc(scenarios, func(sc scenario) bool {
			return slices.Contains(l.scenarios, sc.name) && slices.Contains(sc.want, line)
		})
	})
}

// cell is lines in a cell of a table.
func cell(lines []string) string {
	var quoted []string
	for _, line := range lines {
		quoted = append(quoted, "`"+strings.ReplaceAll(line, "|", `\|`)+"`")
	}
	return strings.Join(quoted, "<br>")
}
