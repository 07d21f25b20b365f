package companions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Companion is a middleware in an application, and a row of a document.
type Companion struct {
	Name  string
	Start Start
	Shows func(Report) bool // that it was there; nil: its verdict does
	Also  Also              // nil: nothing
}

// Check measures companions, all at the same time, and returns what contradicts
// rows: another verdict, a middleware that is not measured or not in them. What
// does is measured again by itself: a machine that is busy with all of them can
// be too slow for a deadline.
func Check(ctx context.Context, rows []Row, all []Companion) error {
	var errs []error
	for _, row := range rows {
		if !slices.ContainsFunc(all, func(c Companion) bool { return c.Name == row.Name }) {
			errs = append(errs, fmt.Errorf("%s: nothing measures it", row.Name))
		}
	}
	measured := make([]error, len(all))
	var wg sync.WaitGroup
	for i, c := range all {
		wg.Go(func() { measured[i] = c.check(ctx, rows) })
	}
	wg.Wait()
	for i, c := range all {
		if measured[i] != nil {
			measured[i] = c.check(ctx, rows)
		}
	}
	return errors.Join(append(errs, measured...)...)
}

func (c Companion) check(ctx context.Context, rows []Row) error {
	report, err := Measure(ctx, c.Start, c.Also)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Name == c.Name })
	switch {
	case at < 0:
		return fmt.Errorf("%s: it is not in the table; measured: %v", c.Name, report)
	case rows[at].Verdict != report.Verdict():
		return fmt.Errorf("%s: the table says %q; measured: %v", c.Name, rows[at].Verdict, report)
	case c.Shows != nil && !c.Shows(report):
		return fmt.Errorf("%s: there is no sign of the middleware in %+v and %+v", c.Name, report.Answer, report.Event)
	}
	return nil
}

// Adds tells by a header of the answers that a middleware was there.
func Adds(header string) func(Report) bool {
	return func(r Report) bool {
		return len(r.Answer.Header[header]) > 0 && len(r.Event.Header[header]) > 0
	}
}

// Compresses tells that answers of both kinds were compressed.
func Compresses(r Report) bool { return r.Answer.Compressed && r.Event.Compressed }

// CompressesJSON tells that answers in JSON were, and no others.
func CompressesJSON(r Report) bool { return r.Answer.Compressed && !r.Event.Compressed }
