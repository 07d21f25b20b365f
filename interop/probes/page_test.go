package probes_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parleymcp/parley/interop/probes"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadme holds the table that README.md has now against the suite: its
// rows, and marks that agree with what is confirmed. It measures nothing;
// make probes does.
func TestReadme(t *testing.T) {
	_, rest, ok := strings.Cut(read(t, "README.md"), probes.Begin)
	region, _, end := strings.Cut(rest, probes.End)
	if !ok || !end {
		t.Fatal("README.md has no region for the table")
	}
	mod := read(t, "interop/go.mod")
	for name, module := range map[string]string{"go-sdk": "github.com/modelcontextprotocol/go-sdk", "mcp-go": "github.com/mark3labs/mcp-go"} {
		version := regexp.MustCompile(regexp.QuoteMeta(module) + ` (v\S+)`).FindStringSubmatch(mod)
		if version == nil || !strings.Contains(region, name+" "+version[1]) {
			t.Errorf("%s was not measured at the version that interop/go.mod requires, %q", name, version)
		}
	}
	if !regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`).MatchString(region) {
		t.Error("the table has no date")
	}
	marks := marksOf(t, region)
	for _, p := range probes.All() {
		got, ok := marks[p.Short]
		if !ok {
			t.Errorf("the table has no row %q: run make probes", p.Short)
			continue
		}
		delete(marks, p.Short)
		if got[0] != "✓" {
			t.Errorf("%s: our own server has %q", p.Short, got[0])
		}
		for i, program := range []string{"go-sdk", "mcp-go"} {
			want := []string{"✓", "–"}
			if c, ok := probes.Confirmed(program, p.Row); ok && c.Left {
				want = []string{"○"}
			} else if ok {
				want = []string{"✗"}
			}
			if !slices.Contains(want, got[i+1]) {
				t.Errorf("%s, %s: the table has %q, what is confirmed is %q: run make probes", p.Short, program, got[i+1], want)
			}
		}
	}
	if len(marks) > 0 {
		t.Errorf("the table has rows without a probe: %v", marks)
	}
}

// marksOf are the marks of a table, by the row's name.
func marksOf(t *testing.T, region string) map[string][]string {
	t.Helper()
	const width = 4 // a name and three marks
	marks := map[string][]string{}
	lines := 0
	for line := range strings.Lines(region) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		if lines++; lines <= 2 { // the head
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells)%width != 0 {
			t.Fatalf("a line of the table has %d cells: %s", len(cells), line)
		}
		for group := range slices.Chunk(cells, width) {
			name := strings.TrimSpace(group[0])
			if name == "" {
				continue
			}
			for _, mark := range group[1:] {
				marks[name] = append(marks[name], strings.TrimSpace(mark))
			}
		}
	}
	return marks
}

// TestPage sees that docs/probes.md has every probe, and that every row of the
// list of faults has a probe or a reason for having none.
func TestPage(t *testing.T) {
	page := read(t, "docs/probes.md")
	rows := map[string]bool{}
	for _, p := range probes.All() {
		if rows[p.Row] {
			t.Errorf("%s has two probes", p.Row)
		}
		rows[p.Row] = true
		if !strings.Contains(page, fmt.Sprintf("\n## %s: %s\n", p.Row, p.Title)) {
			t.Errorf("docs/probes.md has no section %q: run make probes", p.Row+": "+p.Title)
		}
	}
	for _, h := range probes.Unseen {
		for row := range strings.SplitSeq(h.Rows, ", ") {
			if rows[row] {
				t.Errorf("%s has a probe and is said to have none", row)
			}
			rows[row] = true
		}
	}
	for kind, last := range map[string]int{"T": 35, "M": 24} {
		for n := 1; n <= last; n++ {
			if row := fmt.Sprint(kind, n); !rows[row] {
				t.Errorf("%s has no probe and no reason for having none", row)
			}
		}
	}
}

// TestCheck shows what keeps a table from being published.
func TestCheck(t *testing.T) {
	left := probes.Confirmations[0]
	bad := probes.Case{Sent: "x", Got: "y"}
	for name, tt := range map[string]struct {
		program string
		result  probes.Result
		ok      bool
	}{
		"ours passes":            {probes.Ours, probes.Result{Probe: probes.Probe{Row: "T1"}}, true},
		"ours fails":             {probes.Ours, probes.Result{Probe: probes.Probe{Row: "T1"}, Mark: probes.Failed, Cases: []probes.Case{bad}}, false},
		"ours cannot be told":    {probes.Ours, probes.Result{Probe: probes.Probe{Row: "T1"}, Mark: probes.Unknown}, false},
		"confirmed":              {left.Program, probes.Result{Probe: probes.Probe{Row: left.Row}, Mark: probes.Failed}, true},
		"nobody looked":          {left.Program, probes.Result{Probe: probes.Probe{Row: "T0"}, Mark: probes.Failed}, false},
		"confirmed, but it went": {left.Program, probes.Result{Probe: probes.Probe{Row: left.Row}}, false},
		"passes":                 {left.Program, probes.Result{Probe: probes.Probe{Row: "T0"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := probes.Check(tt.program, []probes.Result{tt.result}); (err == nil) != tt.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}
