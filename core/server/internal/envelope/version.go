package envelope

import "github.com/parleymcp/parley/core/protocol"

// Modern reports whether a version belongs to the stateless era: it compares as
// 2026-07-28 or later, or is not a date at all.
func Modern(version string) bool {
	return version >= protocol.FirstModern || !isDate(version)
}

// isDate reports whether s is spelled as a date; no calendar is asked.
func isDate(s string) bool {
	if len(s) != len("2006-01-02") {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 4 || i == 7:
			if c != '-' {
				return false
			}
		case c < '0' || c > '9':
			return false
		}
	}
	return true
}
