package headers

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	sentinelOpen  = "=?base64?"
	sentinelClose = "?="
)

var (
	// Strict, so that a value has one spelling only.
	sentinelBase64 = base64.StdEncoding.Strict()

	errBase64 = &Error{"", reasonBase64}
)

// Decode returns the text of =?base64?…?=, which must be canonical padded
// standard base64 of valid UTF-8, possibly empty. A value that does not have
// both ends of the sentinel, exactly so spelled, is literal.
func Decode(value string) (string, error) {
	if len(value) < len(sentinelOpen)+len(sentinelClose) ||
		!strings.HasPrefix(value, sentinelOpen) || !strings.HasSuffix(value, sentinelClose) {
		return value, nil
	}
	encoded := value[len(sentinelOpen) : len(value)-len(sentinelClose)]
	// The decoder skips line breaks, strict or not.
	if strings.ContainsAny(encoded, "\r\n") {
		return "", errBase64
	}
	text, err := sentinelBase64.DecodeString(encoded)
	if err != nil || !utf8.Valid(text) {
		return "", errBase64
	}
	return string(text), nil
}
