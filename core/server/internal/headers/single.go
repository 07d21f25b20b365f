package headers

import (
	"net/textproto"
	"strings"
)

// Names of headers in the form in which net/http stores them, which saves it
// from building that form on every look-up.
const (
	ProtocolVersion = "Mcp-Protocol-Version"
	Method          = "Mcp-Method"
	Name            = "Mcp-Name"
	SessionID       = "Mcp-Session-Id"
	LastEventID     = "Last-Event-Id"
)

// ParamName returns the header that carries the argument annotated with
// x-mcp-header, in the same form.
func ParamName(annotation string) string {
	return textproto.CanonicalMIMEHeaderKey("Mcp-Param-" + annotation)
}

// Getter looks headers up by name, case aside. An http.Header is one.
type Getter interface {
	Get(name string) string
	Values(name string) []string
}

// Error is a header that breaks a rule or differs from the body: −32020.
type Error struct {
	Header string // its name; empty from [Decode], which does not know it
	Reason string // a fixed text, continues the name
}

// Error implements error.
func (e *Error) Error() string { return "parley: header " + e.Header + " " + e.Reason }

const (
	reasonRepeated = "is repeated"
	reasonBytes    = "has bytes outside printable ASCII"
	reasonBase64   = "is not valid base64 of UTF-8"
	reasonMissing  = "is missing"
	reasonSurplus  = "is set, but the argument is absent"
	reasonDiffers  = "differs from the body"
)

// Single returns the value of a header that may be there once, without spaces
// and tabs around it. An empty value is present. Every error is an [*Error].
func Single(h Getter, name string) (value string, present bool, err error) {
	values := h.Values(name)
	switch len(values) {
	case 0:
		return "", false, nil
	case 1:
	default:
		return "", true, &Error{name, reasonRepeated}
	}
	value = strings.Trim(values[0], " \t")
	for i := range len(value) {
		if c := value[i]; (c < 0x20 || c > 0x7e) && c != '\t' {
			return "", true, &Error{name, reasonBytes}
		}
	}
	return value, true, nil
}

// Decoded is [Single] with the sentinel decoded, for Mcp-Name and Mcp-Param-*.
func Decoded(h Getter, name string) (value string, present bool, err error) {
	value, present, err = Single(h, name)
	if err != nil {
		return "", present, err
	}
	if value, err = Decode(value); err != nil {
		return "", true, &Error{name, reasonBase64}
	}
	return value, present, nil
}
