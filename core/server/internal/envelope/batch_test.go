package envelope_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

const (
	ping     = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	notice   = `{"jsonrpc":"2.0","method":"notifications/x"}`
	answer   = `{"jsonrpc":"2.0","id":1,"result":{}}`
	start    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	modern   = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	undated  = `{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"draft"}}}`
	untyped  = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":5}}}`
	dated    = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}`
	badParam = `{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":"\ud800"}}`
)

func TestBatchRanges(t *testing.T) {
	m := parse(t, ` [ `+ping+` , 5, "x\ud800" ,[ ] ] `)
	want := []string{ping, `5`, `"x\ud800"`, `[ ]`}
	got := make([]string, 0, len(want))
	for _, element := range m.Batch {
		got = append(got, string(element))
	}
	if m.Kind != envelope.Batch || m.ID != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("kind %d, id %s, %q", m.Kind, m.ID, got)
	}
}

func TestBatchLimits(t *testing.T) {
	many := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(ping+",", n), ",") + "]" }
	for name, tc := range map[string]struct {
		body string
		code int
	}{
		"empty":             {`[]`, -32600},
		"empty with space":  {`[ ]`, -32600},
		"at the limit":      {many(envelope.MaxBatch), 0},
		"over the limit":    {many(envelope.MaxBatch + 1), -32600},
		"a million numbers": {"[" + strings.Repeat("1,", 1_000_000) + "1]", -32600},
		"over, then broken": {strings.TrimSuffix(many(envelope.MaxBatch+1), "]"), -32700},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parsed([]byte(tc.body))
			if code(t, err) != tc.code {
				t.Fatalf("got %v, want %d", err, tc.code)
			}
			if err != nil && (m.Batch != nil || m.ID != nil) {
				t.Errorf("%d elements, id %s", len(m.Batch), m.ID)
			}
		})
	}
}

func TestElements(t *testing.T) {
	for name, tc := range map[string]struct {
		elements []string
		whole    int
		each     []int // codes
	}{
		"calls":                   {elements: []string{ping, notice, dated}, each: []int{0, 0, 0}},
		"answers":                 {elements: []string{answer, answer}, each: []int{0, 0}},
		"broken ones stand alone": {elements: []string{`5`, ping, badParam, `{"id":3}`, `[` + ping + `]`, `[]`}, each: []int{-32600, 0, -32602, -32600, -32600, -32600}},
		"initialize":              {elements: []string{ping, start}, whole: -32600},
		"call and answer":         {elements: []string{ping, answer}, whole: -32600},
		"answer and notice":       {elements: []string{answer, notice}, whole: -32600},
		"modern":                  {elements: []string{ping, modern}, whole: -32600},
		"version is no date":      {elements: []string{undated}, whole: -32600},
		"version is no text":      {elements: []string{untyped}, whole: -32600},
	} {
		t.Run(name, func(t *testing.T) {
			m := parse(t, "["+strings.Join(tc.elements, ",")+"]")
			elements, err := m.Elements()
			if code(t, err) != tc.whole {
				t.Fatalf("got %v, want %d", err, tc.whole)
			}
			if len(elements) != len(tc.each) {
				t.Fatalf("%d elements, want %d", len(elements), len(tc.each))
			}
			for i, e := range elements {
				if code(t, e.Err) != tc.each[i] {
					t.Errorf("element %d: %v, want %d", i, e.Err, tc.each[i])
				}
				alone, _ := parsed([]byte(tc.elements[i]))
				if alone.Kind != envelope.Batch && !reflect.DeepEqual(e.Message, alone) {
					t.Errorf("element %d: got %+v, want %+v", i, e.Message, alone)
				}
				if e.Kind == envelope.Batch {
					t.Errorf("element %d is a batch", i)
				}
			}
		})
	}
}

func TestModern(t *testing.T) {
	for version, want := range map[string]bool{
		"2026-07-28": true, "2026-07-29": true, "2027-01-01": true, "9999-99-99": true,
		"": true, "draft": true, "2025": true, "2025-11-2": true, "2025-11-25x": true, "2025/11/25": true, "2025-11-2x": true, "1.0": true,
		"2025-11-25": false, "2024-11-05": false, "2026-07-27": false, "0000-00-00": false,
	} {
		if envelope.Modern(version) != want {
			t.Errorf("%q: %v", version, !want)
		}
	}
}
