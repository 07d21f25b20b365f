package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// requestDigest names the call that sealed state belongs to: method, target
// and the arguments as they were received. bound restricts it to some
// arguments; nil means all of them.
func requestDigest(c *Call, bound []string) ([32]byte, error) {
	args := c.Arguments
	if args == nil {
		args = json.RawMessage("{}") // a call without arguments and one with none are the same call
	}
	canonical, err := canonicalArguments(args, bound)
	if err != nil {
		return [32]byte{}, err
	}
	return seal.Digest([]byte("request"), []byte(c.Method), []byte(c.Target), canonical), nil
}

// canonicalArguments spells arguments so that two calls have the same bytes
// exactly when a handler cannot tell them apart: members sorted, numbers by
// value and exact. A repeated member, invalid UTF-8 and a lone surrogate are
// errors.
func canonicalArguments(args json.RawMessage, bound []string) ([]byte, error) {
	var out []byte
	err := jsonx.Walk(args, func(d *jsonx.Decoder) error {
		if d.PeekKind() != '{' {
			return errors.New("parley: the arguments are no object")
		}
		var err error
		out, err = appendCanonical(nil, d, func(name string) bool { return bound == nil || slices.Contains(bound, name) })
		return err
	})
	return out, err
}

// appendCanonical appends the next value of d. keep says which members of an
// object at this level count; nil means all.
func appendCanonical(dst []byte, d *jsonx.Decoder, keep func(string) bool) ([]byte, error) {
	switch d.PeekKind() {
	case '{':
		return appendObject(dst, d, keep)
	case '[':
		return appendArray(dst, d)
	}
	tok, err := d.ReadToken()
	if err != nil {
		return dst, err
	}
	switch tok.Kind() {
	case '"':
		return jsonx.AppendString(dst, tok.String()), nil
	case '0':
		return appendNumber(dst, tok.String()), nil
	}
	return append(dst, tok.String()...), nil
}

func appendObject(dst []byte, d *jsonx.Decoder, keep func(string) bool) ([]byte, error) {
	if _, err := d.ReadToken(); err != nil {
		return dst, err
	}
	type member struct {
		name  string
		value []byte
	}
	var list []member
	for d.PeekKind() != '}' {
		tok, err := d.ReadToken()
		if err != nil {
			return dst, err
		}
		name := tok.String()
		value, err := appendCanonical(nil, d, nil)
		if err != nil {
			return dst, err
		}
		if keep == nil || keep(name) {
			list = append(list, member{name, value})
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return dst, err
	}
	slices.SortFunc(list, func(a, b member) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, m.name), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}'), nil
}

func appendArray(dst []byte, d *jsonx.Decoder) ([]byte, error) {
	if _, err := d.ReadToken(); err != nil {
		return dst, err
	}
	dst = append(dst, '[')
	for i := 0; d.PeekKind() != ']'; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendCanonical(dst, d, nil); err != nil {
			return dst, err
		}
	}
	_, err := d.ReadToken()
	return append(dst, ']'), err
}

// maxExponent is the longest exponent that is computed with, in digits; a
// longer one is kept as it is spelled.
const maxExponent = 15

// appendNumber spells a JSON number as digits without leading or trailing
// zeros and an exponent of ten, so that 1, 1.0 and 1e0 are one number and 2^53
// and 2^53+1 are two.
func appendNumber(dst []byte, number string) []byte {
	s := number
	negative := s[0] == '-'
	if negative {
		s = s[1:]
	}
	exponent := ""
	if i := bytes.IndexAny([]byte(s), "eE"); i >= 0 {
		s, exponent = s[:i], s[i+1:]
	}
	digits := make([]byte, 0, len(s))
	fraction := 0
	if i := bytes.IndexByte([]byte(s), '.'); i >= 0 {
		fraction = len(s) - i - 1
		digits = append(append(digits, s[:i]...), s[i+1:]...)
	} else {
		digits = append(digits, s...)
	}
	trimmed := bytes.TrimRight(digits, "0")
	scale := len(digits) - len(trimmed) - fraction
	trimmed = bytes.TrimLeft(trimmed, "0")
	if len(trimmed) == 0 {
		return append(dst, '0')
	}
	if len(exponent) > maxExponent {
		return append(dst, number...)
	}
	shift := 0
	if exponent != "" {
		shift, _ = strconv.Atoi(exponent) // a JSON exponent of at most 15 characters is a number
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = append(append(dst, trimmed...), 'e')
	return strconv.AppendInt(dst, int64(scale+shift), 10)
}
