package companions_test

import (
	"os"
	"slices"
	"testing"

	"github.com/parleymcp/parley/internal/companions"
)

// check measures the middleware of one section of the document.
func check(t *testing.T, section string, all []companions.Companion) {
	t.Helper()
	document, err := os.ReadFile("../../docs/middleware.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := companions.Table(string(document), section)
	if err != nil {
		t.Fatal(err)
	}
	if err := companions.Check(t.Context(), rows, all); err != nil {
		t.Error(err)
	}
}

// works measures an application in which nothing stands in the way.
func works(t *testing.T, start companions.Start) {
	t.Helper()
	report, err := companions.Measure(t.Context(), start, nil)
	if err != nil || report.Verdict() != companions.Works {
		t.Errorf("got %v, %v", report, err)
	}
}

func TestTable(t *testing.T) {
	const document = "# Title\n\n## A\n\nText | with a bar.\n\n| Middleware | Verdict | Why |\n|---|:-:|---|\n" +
		"| `a` | works | It does. |\n| b | keep off: answers | It breaks. |\n\n## B\n\n| Middleware | Verdict | Why |\n|---|---|---|\n"
	rows, err := companions.Table(document, "A")
	want := []companions.Row{{"`a`", companions.Works, "It does."}, {"b", "keep off: answers", "It breaks."}}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("got %v, %v, want %v", rows, err, want)
	}
	for name, broken := range map[string]string{
		"no section": "# Title\n",
		"no table":   "\n## A\nText\n",
		"no rows":    "\n## A\n| Middleware | Verdict | Why |\n|---|---|---|\n## B\n| c | works | yes |\n",
		"twice":      "\n## A\n| a | works | yes |\n| a | works | yes |\n",
		"two cells":  "\n## A\n| a | works |\n",
		"no reason":  "\n## A\n| a | works | |\n",
	} {
		t.Run(name, func(t *testing.T) {
			if rows, err := companions.Table(broken, "A"); err == nil {
				t.Errorf("got %v, want an error", rows)
			}
		})
	}
}

// TestCheck breaks the table in each way that it can be wrong.
func TestCheck(t *testing.T) {
	t.Parallel()
	right := companions.Row{Name: "request id", Verdict: companions.Works, Why: "x"}
	measured := companions.Companion{Name: right.Name, Start: overStdlib(identifying), Shows: companions.Adds("X-Request-Id")}
	absent := measured
	absent.Start = overStdlib()
	for name, tt := range map[string]struct {
		rows []companions.Row
		all  []companions.Companion
		ok   bool
	}{
		"right":             {[]companions.Row{right}, []companions.Companion{measured}, true},
		"not measured":      {[]companions.Row{right, {"other", "works", "x"}}, []companions.Companion{measured}, false},
		"not in the table":  {nil, []companions.Companion{measured}, false},
		"another verdict":   {[]companions.Row{{right.Name, companions.Degrades, "x"}}, []companions.Companion{measured}, false},
		"middleware absent": {[]companions.Row{right}, []companions.Companion{absent}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := companions.Check(t.Context(), tt.rows, tt.all); (err == nil) != tt.ok {
				t.Errorf("got %v, want ok %v", err, tt.ok)
			}
		})
	}
}
