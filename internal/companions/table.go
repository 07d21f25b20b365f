package companions

import (
	"fmt"
	"strings"
)

// Row is what a document says of a middleware.
type Row struct{ Name, Verdict, Why string }

// Table reads the table below the heading "## section" of a document: three
// columns, which are the fields of [Row].
func Table(markdown, section string) ([]Row, error) {
	_, after, ok := strings.Cut(markdown, "\n## "+section+"\n")
	if !ok {
		return nil, fmt.Errorf("there is no section %q", section)
	}
	body, _, _ := strings.Cut(after, "\n## ")
	var rows []Row
	seen := map[string]bool{}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s: %d cells in %q, want 3", section, len(cells), line)
		}
		row := Row{strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])}
		if row.Name == "Middleware" || strings.Trim(row.Name, "-:") == "" {
			continue
		}
		if seen[row.Name] || row.Name == "" || row.Verdict == "" || row.Why == "" {
			return nil, fmt.Errorf("%s: %q is there twice, or not whole", section, row.Name)
		}
		seen[row.Name] = true
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("section %q has no table", section)
	}
	return rows, nil
}
