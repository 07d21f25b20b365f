package headers_test

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

// A header is at most a megabyte with net/http; none of it may cost more than
// its length.
func TestLinear(t *testing.T) {
	for name, value := range map[string]string{
		"commas":   strings.Repeat(",", 1<<20),
		"ranges":   strings.Repeat("a/b;q=0.1,", 1<<20/10),
		"quotes":   strings.Repeat(`a/b;c="`, 1<<20/7),
		"params":   "application/json" + strings.Repeat(";a=b", 1<<20/4),
		"sentinel": "=?base64?" + strings.Repeat("A", 1<<20) + "?=",
		"digits":   strings.Repeat("9", 1<<20),
	} {
		start := time.Now()
		headers.Accept([]string{value})
		headers.JSONContentType([]string{value})
		headers.Identity([]string{value})
		_ = headers.Param(with(region, value), region, "integer", []byte("1"))
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
