package bench_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parleymcp/parley/interop/report"
)

// row is one contestant at one call.
type row struct {
	Call       string  `json:"call"`
	Framework  string  `json:"framework"`
	Contestant string  `json:"contestant"`
	Nanos      float64 `json:"ns"`          // median, less raw
	RawNanos   float64 `json:"rawNs"`       // median of raw, which was taken off
	Bytes      float64 `json:"bytes"`       // a call, less raw
	Allocs     float64 `json:"allocations"` // a call, less raw

	// Of a contestant, less raw, to this library, less raw: medians of the
	// ratios of each round.
	Ratio float64 `json:"ratio"`
}

var rows []row

// reporting writes the table when the benchmarks have run, where
// PARLEY_BENCH_OUT names a directory.
type reporting struct{ m *testing.M }

func (r reporting) Run() int {
	code := r.m.Run()
	dir := os.Getenv("PARLEY_BENCH_OUT")
	if dir == "" || len(rows) == 0 {
		return code
	}
	if err := writeTable(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func writeTable(dir string) error {
	var out strings.Builder
	out.WriteString("In process, GOMAXPROCS=1, processor time, everything less *raw* on the same framework. Times parley: the contestant's " +
		"time by this library's, median of the ratios of each round.\n\n" +
		"| call | framework | contestant | µs | KB | allocations | times parley |\n|---|---|---|---:|---:|---:|---:|\n")
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.Call, b.Call) })
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s | %s | %s | %.2f | %.1f | %.0f | %.2f |\n",
			r.Call, r.Framework, r.Contestant, r.Nanos/1000, r.Bytes/1000, r.Allocs, r.Ratio)
	}
	return report.Write(dir, "bench", out.String(), rows)
}
