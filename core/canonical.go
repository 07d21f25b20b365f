package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

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
	var root canonical
	err := jsonx.Walk(args, func(d *jsonx.Decoder) error {
		var err error
		root, err = readCanonical(d)
		return err
	})
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, errors.New("parley: the arguments are no object")
	}
	if bound != nil {
		root.members = slices.DeleteFunc(root.members, func(m canonical) bool { return !slices.Contains(bound, m.name) })
	}
	return root.append(make([]byte, 0, len(args))), nil
}

// canonical is a value that can be spelled in one way only. It is read whole
// before it is spelled: sorting bytes level by level would copy deep values
// once for each level.
type canonical struct {
	name    string // of a member
	kind    byte
	scalar  []byte
	members []canonical // of an object, sorted, or an array
}

func readCanonical(d *jsonx.Decoder) (canonical, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return canonical{}, err
	}
	v := canonical{kind: byte(tok.Kind())}
	switch v.kind {
	case '"':
		v.scalar = jsonx.AppendString(nil, tok.String())
	case '0':
		v.scalar = appendNumber(nil, tok.String())
	case '{', '[':
		err = v.readMembers(d)
	default:
		v.scalar = []byte(tok.String())
	}
	return v, err
}

func (v *canonical) readMembers(d *jsonx.Decoder) error {
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		name := ""
		if v.kind == '{' {
			tok, err := d.ReadToken()
			if err != nil {
				return err
			}
			name = tok.String()
		}
		m, err := readCanonical(d)
		if err != nil {
			return err
		}
		m.name = name
		v.members = append(v.members, m)
	}
	if v.kind == '{' {
		slices.SortFunc(v.members, func(a, b canonical) int { return strings.Compare(a.name, b.name) })
	}
	_, err := d.ReadToken()
	return err
}

func (v *canonical) append(dst []byte) []byte {
	if v.kind != '{' && v.kind != '[' {
		return append(dst, v.scalar...)
	}
	dst = append(dst, v.kind)
	for i := range v.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v.kind == '{' {
			dst = append(jsonx.AppendString(dst, v.members[i].name), ':')
		}
		dst = v.members[i].append(dst)
	}
	return append(dst, v.kind+2) // '{' and '[' are two before their ends
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
