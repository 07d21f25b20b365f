// Package report is what the programs of this module that measure write:
// medians, and files with a table and with JSON.
package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// Median is the middle of a list, 0 of none.
func Median(list []float64) float64 { return Percentile(list, 50) }

// Percentile is the value that so many percent of a list do not exceed, 0 of
// none.
func Percentile(list []float64, percent int) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)]
}

// Write writes name.md and name.json into a directory.
func Write(dir, name, table string, rows any) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	encoded, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".json"), encoded, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".md"), []byte(table), 0o600)
}
