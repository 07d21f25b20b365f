package core

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// CheckIcon says everything that is wrong with an icon: its src must be an
// absolute https or http URL or a data URI, its theme light, dark or empty.
func CheckIcon(icon Icon) error {
	var problems []string
	u, err := url.Parse(icon.Src)
	web := err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
	if !web && (err != nil || u.Scheme != "data" || u.Opaque == "") {
		problems = append(problems, fmt.Sprintf("the icon src %.60q must be an https, http or data URI", icon.Src))
	}
	if icon.Theme != "" && icon.Theme != "light" && icon.Theme != "dark" {
		problems = append(problems, fmt.Sprintf("the icon theme %q must be light or dark", icon.Theme))
	}
	if problems == nil {
		return nil
	}
	return errors.New(strings.Join(problems, "; "))
}

// checkMetaKey says what is wrong with a key for _meta: an optional prefix of
// dot-separated labels and a slash, then a name. Prefixes whose second label is
// mcp or modelcontextprotocol are the specification's (MCP 2026-07-28, basic:
// _meta).
func checkMetaKey(key string) error {
	prefix, name, found := strings.Cut(key, "/")
	if !found {
		prefix, name = "", key
	} else {
		labels := strings.Split(prefix, ".")
		for _, label := range labels {
			if !metaLabel(label) {
				return fmt.Errorf("the _meta key %q has the label %q, allowed are letters, digits and inner hyphens, a letter first", key, label)
			}
		}
		if len(labels) > 1 && (labels[1] == "mcp" || labels[1] == "modelcontextprotocol") {
			return fmt.Errorf("the _meta key %q has a prefix that is reserved for the specification", key)
		}
	}
	if !metaName(name) || prefix == "" && name == "" {
		return fmt.Errorf("the _meta key %q has the name %q, allowed are letters, digits and inner . _ -", key, name)
	}
	return nil
}

func metaLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || !isDigit(c) && (c != '-' || i == len(s)-1)) {
			return false
		}
	}
	return s != ""
}

func metaName(s string) bool {
	for i := range len(s) {
		c := s[i]
		inner := i > 0 && i < len(s)-1
		if !isLetter(c) && !isDigit(c) && (!inner || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// maxToolName is the longest name of a tool, in characters.
const maxToolName = 128

// checkToolName says what is wrong with the name of a tool (MCP 2026-07-28,
// server/tools: tool names).
func checkToolName(name string) error {
	ok := name != "" && len(name) <= maxToolName
	for i := range len(name) {
		c := name[i]
		ok = ok && (isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.')
	}
	if !ok {
		return fmt.Errorf("the tool name %.150q must have 1 to %d characters, allowed are A–Z, a–z, 0–9 and . _ -", name, maxToolName)
	}
	return nil
}

// checkText says what is wrong with the name of a prompt, resource or state.
func checkText(what, name string) error {
	if strings.TrimSpace(name) == "" || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '�' }) {
		return fmt.Errorf("the %s %q must not be blank and have no control characters", what, name)
	}
	return nil
}
