package envelope_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// Sixteen times the input takes sixteen times as long. What grows with the
// square takes sixteen times that, and seconds for a megabyte, so that a busy
// machine is not taken for it.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for name, build := range map[string]func(n int) string{
		"long string":     func(n int) string { return call(`"` + strings.Repeat("a", n) + `"`) },
		"escapes":         func(n int) string { return call(`"` + strings.Repeat(`\"`, n/2) + `"`) },
		"backslashes":     func(n int) string { return call(`"` + strings.Repeat(`\\`, n/2) + `"`) },
		"brackets inside": func(n int) string { return call(`"` + strings.Repeat(`[\"`, n/3) + `"`) },
		"members":         func(n int) string { return call(members(n / 10)) },
		"small objects":   func(n int) string { return call(`[` + strings.Repeat(`{"a":{}},`, n/9) + `1]`) },
		"too deep":        func(n int) string { return call(strings.Repeat(`[`, n)) },
		"broken at last":  func(n int) string { return call(`[` + strings.Repeat(`"a",`, n/4) + `]`) },
		"one surrogate":   func(n int) string { return call(`["\ud800"` + strings.Repeat(`,"a"`, n/4) + `]`) },
		"surrogates":      func(n int) string { return call(`"` + strings.Repeat(`\ud800`, n/6) + `"`) },
		"late repetition": func(n int) string { return call(members(n/10) + `,"arguments":1`) },
		"ids":             func(n int) string { return "{" + strings.Repeat(`"id":1,`, n/7) + `"id":2}` },
		"batch":           func(n int) string { return "[" + strings.Repeat("1,", n/2) + "1]" },
		"white space":     func(n int) string { return strings.Repeat(" ", n) + ping },
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) time.Duration {
				body := []byte(build(n))
				best := time.Hour
				for range 5 {
					begin := time.Now()
					_, _ = envelope.Parse(body)
					best = min(best, time.Since(begin))
				}
				return best
			}
			small, large := cost(64<<10), cost(1<<20)
			t.Logf("64 KiB %v, 1 MiB %v", small, large)
			if large > 60*small && large > 500*time.Millisecond {
				t.Errorf("64 KiB took %v, 1 MiB %v", small, large)
			}
		})
	}
}

func TestBoundedMemory(t *testing.T) {
	for name, body := range map[string]string{
		"members":    call(members(100_000)),
		"batch":      "[" + strings.Repeat("1,", 500_000) + "1]",
		"too deep":   call(strings.Repeat("[", 1_000_000)),
		"objects":    call("[" + strings.Repeat(`{"a":{}},`, 100_000) + "1]"),
		"surrogates": call(`"` + strings.Repeat(`\ud800`, 150_000) + `"`),
		"broken":     call(members(100_000) + "x"),
	} {
		data := []byte(body)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = envelope.Parse(data)
		runtime.ReadMemStats(&after)
		// A table of the member names is what it takes to find a repetition.
		if used := after.TotalAlloc - before.TotalAlloc; used > 32*uint64(len(data)) {
			t.Errorf("%s: %d bytes allocated for %d", name, used, len(data))
		}
	}
}
