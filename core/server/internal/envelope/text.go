package envelope

import (
	"bytes"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Text returns the text of a JSON string. It is false for every other value,
// nil included, and for a string with a lone surrogate. raw is a range of what
// [Parse] returned.
func Text(raw []byte) (string, bool) {
	text, ok := unquoted(raw)
	return string(text), ok
}

// usual are texts that nearly every request has; they need no copies.
var usual = []string{protocol.MethodToolsCall, protocol.Version20260728}

// TextLike is [Text], and like itself where that is the text: no copy is made of
// what a header repeats.
func TextLike(raw []byte, like string) (string, bool) {
	text, ok := unquoted(raw)
	if string(text) == like {
		return like, ok
	}
	return string(text), ok
}

// usualText is [Text] for methods and versions.
func usualText(raw []byte) (string, bool) {
	text, ok := unquoted(raw)
	for _, known := range usual {
		if string(text) == known {
			return known, ok
		}
	}
	return string(text), ok
}

// unquoted is [Text] without the copy: most strings have no escapes.
func unquoted(raw []byte) ([]byte, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return nil, false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], true
	}
	text, err := jsonx.Unquote(raw)
	return []byte(text), err == nil
}

// isID reports whether raw is an id: a string, or an integer as -?digits.
func isID(raw []byte) bool { return isString(raw) || isInteger(raw) }

func isString(raw []byte) bool {
	_, ok := unquoted(raw)
	return ok
}

// isInteger tells 7 from 7.0 and 7e0; raw is JSON, so that a number is
// everything that starts like one.
func isInteger(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') &&
		!bytes.ContainsAny(raw, ".eE")
}

func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
