//go:build !race

package headers_test

// The race detector makes everything slow, so it is kept out of this file.

import (
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server/internal/headers"
)

func TestAllocations(t *testing.T) {
	h := with(headers.Method, "tools/call")
	h[headers.Name] = []string{"echo"}
	h[region] = []string{"eu-west-1"}
	h["Mcp-Param-Size"] = []string{"10.0"}
	accept := []string{"application/json, text/event-stream;q=0.9"}
	contentType := []string{"application/json; charset=utf-8"}
	encoding := []string{"identity"}
	var getter headers.Getter = h
	text, size, flag := []byte(`"eu-west-1"`), []byte(`1e1`), []byte(`true`)
	for name, run := range map[string]func() bool{
		"single":       func() bool { v, ok, err := headers.Single(getter, headers.Method); return ok && err == nil && v != "" },
		"decoded":      func() bool { v, ok, err := headers.Decoded(getter, headers.Name); return ok && err == nil && v != "" },
		"absent":       func() bool { _, ok, err := headers.Single(getter, headers.SessionID); return !ok && err == nil },
		"string":       func() bool { return headers.Param(getter, region, "string", text) == nil },
		"integer":      func() bool { return headers.Param(getter, "Mcp-Param-Size", "integer", size) == nil },
		"none":         func() bool { return headers.Param(getter, "Mcp-Param-Flag", "boolean", nil) == nil },
		"other type":   func() bool { return headers.Param(getter, "Mcp-Param-Flag", "string", flag) == nil },
		"accept":       func() bool { j, s := headers.Accept(accept); return j && s },
		"content type": func() bool { return headers.JSONContentType(contentType) },
		"encoding":     func() bool { return headers.Identity(encoding) },
	} {
		if !run() {
			t.Errorf("%s: wrong answer", name)
		}
		if got := testing.AllocsPerRun(100, func() { run() }); got > 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

// Four times what net/http lets through takes some ten milliseconds. What grows
// with the square of the length would take minutes, so that even a very busy
// machine is not taken for it.
func TestLinear(t *testing.T) {
	const limit = 5 * time.Second
	for name, build := range map[string]func(n int) string{
		"commas":   func(n int) string { return strings.Repeat(",", n) },
		"ranges":   func(n int) string { return strings.Repeat("a/b;q=0.1,", n/10) },
		"quotes":   func(n int) string { return strings.Repeat(`a/b;c="`, n/7) },
		"params":   func(n int) string { return "application/json" + strings.Repeat(";a=b", n/4) },
		"sentinel": func(n int) string { return "=?base64?" + strings.Repeat("A", n) + "?=" },
		"digits":   func(n int) string { return strings.Repeat("9", n) },
	} {
		values := []string{build(4 << 20)}
		begin := time.Now()
		headers.Accept(values)
		headers.JSONContentType(values)
		headers.Identity(values)
		_ = headers.Param(with(region, values...), region, "integer", []byte("1"))
		if took := time.Since(begin); took > limit {
			t.Errorf("%s: %v", name, took)
		}
	}
}
