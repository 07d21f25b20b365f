//go:build !race

package envelope_test

// The race detector empties pools at random and makes everything slow, so it is
// kept out of this file.

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// The worst of these takes 0.1 s at the default limit of a body. What grows with
// the square of the length would take minutes, so that even a very busy machine
// is not taken for it.
func TestLinear(t *testing.T) {
	const limit = 5 * time.Second
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
		body := []byte(build(4 << 20))
		begin := time.Now()
		_, _ = parsed(body)
		if took := time.Since(begin); took > limit {
			t.Errorf("%s: %v", name, took)
		}
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
		_, _ = parsed(data)
		runtime.ReadMemStats(&after)
		// A table of the member names is what it takes to find a repetition.
		if used := after.TotalAlloc - before.TotalAlloc; used > 32*uint64(len(data)) {
			t.Errorf("%s: %d bytes allocated for %d", name, used, len(data))
		}
	}
}

func TestAllocations(t *testing.T) {
	small, m := []byte(smallCall), new(envelope.Message)
	meta := parse(t, smallCall).Params.Meta
	for name, tc := range map[string]struct {
		limit float64
		run   func()
	}{
		"parse":        {0, func() { *m = envelope.Message{}; _ = m.Parse(small) }},
		"version":      {0, func() { _, _ = meta.Version() }},
		"meta problem": {0, func() { _ = meta.Problem() }},
		"log level":    {0, func() { _ = envelope.LogLevel([]byte(`"info"`)) }},
		"text":         {1, func() { _, _ = envelope.Text([]byte(`"some text of a name that is not tiny"`)) }},
	} {
		if got := testing.AllocsPerRun(200, tc.run); got > tc.limit {
			t.Errorf("%s: %v allocations, want at most %v", name, got, tc.limit)
		}
	}
}
