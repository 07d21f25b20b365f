package bench_test

import (
	"testing"

	"github.com/parleymcp/parley/interop/contest"
	"github.com/parleymcp/parley/interop/report"
)

// BenchmarkGrowth is what more of something costs this library on net/http, each
// figure less raw, by turns: sixteen times the arguments, and a thousand times
// the tools.
func BenchmarkGrowth(b *testing.B) {
	for _, tc := range []struct {
		name       string
		less, more contest.Call
		most       float64 // times as much
		rounds     int     // at least; a bar of 5 % needs many
	}{
		{"ten thousand tools", contest.Small(), contest.Among(), 1.05, 100},
		{"ascii", contest.Sized("ascii", 64<<10), contest.Sized("ascii", 1<<20), 20, 0},
		{"accents", contest.Sized("accents", 64<<10), contest.Sized("accents", 1<<20), 20, 0},
		{"tree", contest.Sized("tree", 64<<10), contest.Sized("tree", 1<<20), 20, 0},
		{"raw", contest.Sized("raw", 64<<10), contest.Sized("raw", 1<<20), 20, 0},
	} {
		b.Run(tc.name, func(b *testing.B) {
			alone(b)
			less, more := aboveRaw(b, &tc.less), aboveRaw(b, &tc.more)
			var ratios []float64
			round := func() { ratios = append(ratios, more()/less()) }
			for b.Loop() {
				round()
			}
			for b.N > 1 && len(ratios) < tc.rounds {
				round()
			}
			ratio := report.Median(ratios)
			b.ReportMetric(ratio, "times")
			b.ReportMetric(tc.most, "most")
			if b.N > 1 && ratio > tc.most {
				b.Errorf("%.2f times as much; the bar is %.2f", ratio, tc.most)
			}
		})
	}
}

// aboveRaw returns a function that measures a turn of a call, less raw.
func aboveRaw(b *testing.B, c *contest.Call) func() float64 {
	b.Helper()
	var drivers [2]*contest.Driver
	var lengths [2]int
	for i, name := range []string{contest.Parley, contest.Raw} {
		e, _ := contest.Contestant(name, "net/http", c)
		drivers[i] = contest.NewDriver(e, c)
		if err := drivers[i].Check(); err != nil {
			b.Fatal(err)
		}
		lengths[i] = turnOf(b, drivers[i])
	}
	return func() float64 { return timed(b, drivers[0], lengths[0]) - timed(b, drivers[1], lengths[1]) }
}
