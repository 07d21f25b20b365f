package headers

import (
	"bytes"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Param compares a header Mcp-Param-* with the argument it mirrors. name is
// from [ParamName], typ the type that the schema declares: string, integer or
// boolean. arg is the argument as raw JSON; nil and null are an absent one, for
// which the header must not be there either.
//
// Integers are compared by value. An argument of another type, or an integer
// beyond ±(2^53−1), is not compared at all: its header could not be told right
// from wrong, and it fails as an argument. Every error is an [*Error].
func Param(h Getter, name, typ string, arg []byte) error {
	if arg == nil || string(arg) == "null" {
		if len(h.Values(name)) > 0 {
			return &Error{name, reasonSurplus}
		}
		return nil
	}
	var equal func(string) bool
	switch typ {
	case "string":
		text, ok := unquoted(arg)
		if !ok {
			return nil
		}
		equal = func(value string) bool { return value == string(text) }
	case "integer":
		want, ok := integer(arg, true)
		if !ok {
			return nil
		}
		equal = func(value string) bool {
			got, ok := integer(value, false)
			return ok && got == want
		}
	case "boolean":
		if arg[0] != 't' && arg[0] != 'f' {
			return nil
		}
		equal = func(value string) bool { return value == string(arg) }
	default:
		return nil
	}
	value, present, err := Decoded(h, name)
	switch {
	case err != nil:
		return err
	case !present:
		return &Error{name, reasonMissing}
	case !equal(value):
		return &Error{name, reasonDiffers}
	}
	return nil
}

// unquoted returns the text of a JSON string, without a copy when it has no
// escapes.
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
