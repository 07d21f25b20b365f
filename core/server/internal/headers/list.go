package headers

import "strings"

// cut returns what stands before and after the first sep outside quotes.
func cut(s string, sep byte) (before, after string, found bool) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == sep && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func trim(s string) string { return strings.Trim(s, " \t") }

// fold reports whether s is the ASCII text t, case aside. strings.EqualFold
// alone would take the long s for an s.
func fold(s, t string) bool { return len(s) == len(t) && strings.EqualFold(s, t) }

// isToken reports whether s is a token (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}
