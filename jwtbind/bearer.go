package jwtbind

import (
	"strings"

	"github.com/parleymcp/parley/core"
)

// maxToken is the length of a token in bytes beyond which nothing of it is
// read. Usual ones have one or two KiB.
const maxToken = 16 << 10

const (
	scheme        = "Bearer"
	authorization = "Authorization"

	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	tchar        = alphanumeric + "!#$%&'*+-.^_`|~" // RFC 9110, section 5.6.2
	token68      = alphanumeric + "-._~+/"          // RFC 9110, section 11.2
)

// bearer returns the token of the Authorization header (RFC 6750, section 2.1:
// the only way to send one that MCP 2026-07-28, basic/authorization, knows).
func bearer(h core.Header) (string, error) {
	values := h.Values(authorization)
	if len(values) == 0 {
		return "", ErrNoToken
	}
	if len(values) > 1 {
		return "", malformed("it was sent more than once")
	}
	if len(values[0]) > len(scheme)+1+maxToken {
		return "", errTooLong
	}
	name, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(name, scheme) {
		if name == "" || !madeOf(name, tchar) {
			return "", malformed("it has no scheme")
		}
		return "", &refusal{kind: ErrNoToken, reason: "the Authorization header is of another scheme"}
	}
	token = strings.TrimLeft(token, " ")
	if text := strings.TrimRight(token, "="); text == "" || !madeOf(text, token68) {
		return "", malformed("it is not one token behind Bearer and a space")
	}
	return token, nil
}

func madeOf(s, alphabet string) bool {
	for i := range len(s) {
		if strings.IndexByte(alphabet, s[i]) < 0 {
			return false
		}
	}
	return true
}
