//go:build !race

package envelope_test

import (
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// The race detector empties pools at random, so it is kept out of this file.

func TestAllocations(t *testing.T) {
	small := []byte(smallCall)
	meta := parse(t, smallCall).Params.Meta
	for name, tc := range map[string]struct {
		limit float64
		run   func()
	}{
		"parse":        {1, func() { _, _ = envelope.Parse(small) }}, // the method's name
		"version":      {1, func() { _, _ = meta.Version() }},
		"meta problem": {0, func() { _ = meta.Problem() }},
		"log level":    {0, func() { _ = envelope.LogLevel([]byte(`"info"`)) }},
		"text":         {1, func() { _, _ = envelope.Text([]byte(`"some text of a name that is not tiny"`)) }},
	} {
		if got := testing.AllocsPerRun(200, tc.run); got > tc.limit {
			t.Errorf("%s: %v allocations, want at most %v", name, got, tc.limit)
		}
	}
}
