package companions_test

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/parleymcp/parley/internal/companions"
)

// companion is a middleware in an application, and a row of docs/middleware.md.
type companion struct {
	name  string
	start companions.Start
	shows func(companions.Report) bool // that it was there; nil: its verdict does
	also  companions.Also              // nil: nothing
}

// hold measures all middleware of a section, and compares with what the
// document says.
func hold(t *testing.T, section string, all []companion) {
	t.Helper()
	document, err := os.ReadFile("../../docs/middleware.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := companions.Table(string(document), section)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if !slices.ContainsFunc(all, func(c companion) bool { return c.name == row.Name }) {
			t.Errorf("%s: %q is in the document and not measured", section, row.Name)
		}
	}
	reports, errs := make([]companions.Report, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, c := range all {
		var also []companions.Also
		if c.also != nil {
			also = append(also, c.also)
		}
		wg.Go(func() { reports[i], errs[i] = companions.Measure(t.Context(), c.start, also...) })
	}
	wg.Wait()
	for i, c := range all {
		t.Run(c.name, func(t *testing.T) {
			if errs[i] != nil {
				t.Error(errs[i])
			}
			said := "nothing"
			if at := slices.IndexFunc(rows, func(r companions.Row) bool { return r.Name == c.name }); at >= 0 {
				said = rows[at].Verdict
			}
			if reports[i].Verdict() != said {
				t.Errorf("the document says %q, measured was %v", said, reports[i])
			}
			if c.shows != nil && !c.shows(reports[i]) {
				t.Errorf("the middleware was not there: %+v", reports[i])
			}
		})
	}
}

// with tells by a header of the answers that a middleware was there.
func with(header string) func(companions.Report) bool {
	return func(r companions.Report) bool {
		return len(r.Answer.Header[header]) > 0 && len(r.Event.Header[header]) > 0
	}
}

func compressed(r companions.Report) bool { return r.Answer.Compressed && r.Event.Compressed }

// compressedJSON is for those that leave event streams alone.
func compressedJSON(r companions.Report) bool { return r.Answer.Compressed && !r.Event.Compressed }
