package bench_test

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"github.com/parleymcp/parley/interop/contest"
	_ "github.com/parleymcp/parley/interop/contest/peers"
	"github.com/parleymcp/parley/interop/report"
)

// bar is what design.md section 4 asks of a call on net/http, each figure less
// raw; 0: nothing.
type bar struct {
	plain, mcpGo, goSDK float64 // at most so many times plain; at least so many times less than the others
	allocs, bytes       float64 // at most
}

// BenchmarkCall runs everybody who can answer a call, by turns. A round is a
// turn of each; the figures are medians over rounds, of which there are always
// enough. Everybody collects his own garbage, and nobody that of who came before
// him: turns begin after a collection, and are long enough for some. It fails
// where the bar is missed, unless it ran once to see that it runs
// (-benchtime=1x).
func BenchmarkCall(b *testing.B) {
	for _, tc := range []struct {
		name string
		call func() contest.Call // made when its turn comes: megabytes that lie about are looked through by every collection
		bar  bar
	}{
		{"small", contest.Small, bar{0.60, 15, 30, 16, 3000}},
		{"ten fields", contest.Ten, bar{0.75, 12, 25, 24, 4000}},
		{"structured result", contest.Structured, bar{}},
		{"ascii 64 KiB", sizedCall("ascii", 64<<10), bar{}},
		{"ascii 1024 KiB", sizedCall("ascii", 1<<20), bar{plain: 0.60, bytes: 2.5 * (1 << 20)}},
		{"accents 64 KiB", sizedCall("accents", 64<<10), bar{}},
		{"accents 1024 KiB", sizedCall("accents", 1<<20), bar{plain: 0.90}},
		{"tree 64 KiB", sizedCall("tree", 64<<10), bar{}},
		{"tree 1024 KiB", sizedCall("tree", 1<<20), bar{plain: 1.25}},
		{"raw 64 KiB", sizedCall("raw", 64<<10), bar{}},
		{"raw 1024 KiB", sizedCall("raw", 1<<20), bar{plain: 1.05}},
		{"tools/list of 10", func() contest.Call { return contest.List(10) }, bar{}},
		{"tools/list of 1000", func() contest.Call { return contest.List(1000) }, bar{}},
		{"interim result with state", contest.Interim, bar{}},
		{"retry with state", contest.Retry, bar{}},
		{"third round of a flow", contest.ThirdRound, bar{}},
		{"legacy small", contest.Legacy, bar{}},
		{"small among 10 000 tools", contest.Among, bar{}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			call := tc.call()
			for _, framework := range contest.Frameworks {
				b.Run(framework, func(b *testing.B) { compare(b, &call, framework, tc.bar) })
			}
		})
	}
}

func sizedCall(kind string, size int) func() contest.Call {
	return func() contest.Call { return contest.Sized(kind, size) }
}

const leastRounds = 25

// side is a contestant during a comparison.
type side struct {
	name   string
	driver *contest.Driver
	turn   int       // calls
	times  []float64 // of a call, by round
	bytes  float64
	allocs float64
}

func compare(b *testing.B, c *contest.Call, framework string, want bar) {
	alone(b)
	var sides []*side
	for _, name := range []string{contest.Raw, contest.Parley, contest.Plain, contest.MCPGo, contest.GoSDK} {
		e, ok := contest.Contestant(name, framework, c)
		if !ok {
			continue
		}
		s := &side{name: name, driver: contest.NewDriver(e, c)}
		if err := s.driver.Check(); err != nil {
			b.Logf("%s does not take part: %v", name, err)
			continue
		}
		s.bytes, s.allocs = allocated(b, s.driver)
		sides = append(sides, s)
	}
	for _, s := range sides {
		s.turn = turnOf(b, s.driver)
	}
	round := func() {
		for _, s := range sides {
			runtime.GC()
			s.times = append(s.times, timed(b, s.driver, s.turn))
		}
	}
	for b.Loop() {
		round()
	}
	for b.N > 1 && len(sides[0].times) < leastRounds {
		round()
	}
	judge(b, c, framework, sides, want)
}

// turnOf is how many calls take long enough for some collections, and for
// processor time, which is counted in milliseconds.
func turnOf(b *testing.B, d *contest.Driver) int {
	const enough = 20 * time.Millisecond
	for turn := 1; ; turn *= 2 {
		if time.Duration(timed(b, d, turn)*float64(turn)) >= enough {
			return turn
		}
	}
}

// alone makes the figures those of one core.
func alone(b *testing.B) {
	b.Helper()
	before := runtime.GOMAXPROCS(1)
	b.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// timed is the processor time of one call in nanoseconds. The process does
// nothing else, so on a machine that does nothing else either it is the time by
// the clock; on a busy one it is still that of the call.
func timed(b *testing.B, d *contest.Driver, turn int) float64 {
	start := processorTime(b)
	for range turn {
		if err := d.Serve(); err != nil {
			b.Fatal(err)
		}
	}
	return float64(processorTime(b)-start) / float64(turn)
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// allocated is what one call allocates, in bytes and in number.
func allocated(b testing.TB, d *contest.Driver) (bytes, count float64) {
	const calls = 50
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		if err := d.Serve(); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / calls, float64(after.Mallocs-before.Mallocs) / calls
}

func judge(b *testing.B, c *contest.Call, framework string, sides []*side, want bar) {
	raw, ours := sides[0], sides[1]
	for _, s := range sides[1:] {
		var ratios, nanos []float64
		for i := range s.times {
			ratios = append(ratios, (s.times[i]-raw.times[i])/(ours.times[i]-raw.times[i]))
			nanos = append(nanos, s.times[i]-raw.times[i])
		}
		r := row{
			Call: c.Name, Framework: framework, Contestant: s.name,
			Nanos: report.Median(nanos), RawNanos: report.Median(raw.times),
			Bytes: s.bytes - raw.bytes, Allocs: s.allocs - raw.allocs, Ratio: report.Median(ratios),
		}
		rows = append(rows, r)
		b.ReportMetric(r.Nanos, s.name+"-ns")
		if s != ours {
			b.ReportMetric(r.Ratio, s.name+"/parley")
		}
		if framework == "net/http" && b.N > 1 {
			want.hold(b, r)
		}
	}
	b.ReportMetric(ours.bytes-raw.bytes, "B")
	b.ReportMetric(ours.allocs-raw.allocs, "allocs")
}

func (want bar) hold(b *testing.B, r row) {
	b.Helper()
	switch r.Contestant {
	case contest.Parley:
		if want.allocs > 0 && r.Allocs > want.allocs || want.bytes > 0 && r.Bytes > want.bytes {
			b.Errorf("%.1f allocations and %.0f bytes; the bar is %.0f and %.0f", r.Allocs, r.Bytes, want.allocs, want.bytes)
		}
	case contest.Plain:
		if want.plain > 0 && 1/r.Ratio > want.plain {
			b.Errorf("%.2f of plain; the bar is %.2f", 1/r.Ratio, want.plain)
		}
	case contest.MCPGo:
		if r.Ratio < want.mcpGo {
			b.Errorf("mcp-go takes %.1f times as long; the bar is %.0f", r.Ratio, want.mcpGo)
		}
	case contest.GoSDK:
		if r.Ratio < want.goSDK {
			b.Errorf("go-sdk takes %.1f times as long; the bar is %.0f", r.Ratio, want.goSDK)
		}
	}
}
