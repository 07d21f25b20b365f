package schema

import (
	"fmt"
	"strings"
)

// Header is an x-mcp-header annotation: the argument that the client mirrors
// into the HTTP header Mcp-Param-Name (MCP 2026-07-28, basic/transports).
type Header struct {
	// Name is the annotation: an RFC 9110 token, unique without case.
	Name string
	// Path is the argument's place: member names from the root.
	Path []string
	// Type is "string", "integer" or "boolean".
	Type string
}

// headerSet collects annotations and refuses those that clash.
type headerSet struct{ list []Header }

func (s *headerSet) finish(problems *[]error) {
	seen := map[string]string{}
	for _, h := range s.list {
		field := strings.Join(h.Path, ".")
		folded := strings.ToLower(h.Name)
		if other, ok := seen[folded]; ok {
			*problems = append(*problems, fmt.Errorf("parley: property %s has the header %q, which is taken by %s; names differ in more than case", field, h.Name, other))
		}
		seen[folded] = field
	}
}

// headerProblem says what is wrong with an annotation, "" for nothing. typ is
// the property's only type, or empty.
func headerProblem(name, typ string, aside bool) string {
	switch {
	case aside:
		return "is not reached through properties alone, where a header annotation would be ambiguous"
	case typ != "string" && typ != "integer" && typ != "boolean":
		return "has a header annotation; only one type of string, integer, boolean may have one"
	case !isToken(name):
		return fmt.Sprintf("has the header %q; a name has letters, digits and !#$%%&'*+-.^_`|~ (RFC 9110, section 5.6.2)", name)
	}
	return ""
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') &&
			strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}
