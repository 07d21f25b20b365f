package envelope

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// str steps over the string that comes next.
func (s *scanner) str() (escaped, ok bool) {
	for i := s.pos + 1; ; {
		// One that is special is often followed by another.
		if i < len(s.data) && !isSpecial(s.data[i]) {
			i = special(s.data, i+1)
		}
		if i == len(s.data) {
			return escaped, false
		}
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			return escaped, true
		case c == '\\':
			n := escape(s.data[i:])
			if n == 0 {
				return true, false
			}
			escaped = true
			i += n
		case c < ' ':
			return escaped, false
		case c >= 0xc2 && c < 0xe0 && i+1 < len(s.data) && s.data[i+1]&0xc0 == 0x80:
			i += 2 // most accents; the general way takes twice as long
		default:
			r, n := utf8.DecodeRune(s.data[i:])
			if r == utf8.RuneError && n < 2 {
				return escaped, false
			}
			i += n
		}
	}
}

// special returns the index of the first byte from i on that is not printable
// ASCII, or ends or escapes something in a string; the length where there is
// none. It looks at eight bytes at a time: long texts are mostly plain.
func special(data []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for ; i+8 <= len(data); i += 8 {
		v := binary.LittleEndian.Uint64(data[i:])
		// A byte's high bit is set if it is no ASCII, below a space, a quote or a
		// backslash. A borrow reaches only bytes behind the first of these.
		found := (v | (v - ' '*ones) | ((v ^ '"'*ones) - ones) | ((v ^ '\\'*ones) - ones)) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(data); i++ {
		if isSpecial(data[i]) {
			break
		}
	}
	return i
}

func isSpecial(c byte) bool {
	return c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\'
}

// escape is the length of the escape that data begins with, 0 if it is none or
// half a surrogate pair.
func escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
	default:
		return 0
	}
	first, ok := unit(data)
	switch {
	case !ok, first >= 0xdc00 && first < 0xe000:
		return 0
	case first < 0xd800 || first >= 0xe000:
		return 6
	}
	second, ok := unit(data[6:])
	if !ok || second < 0xdc00 || second >= 0xe000 {
		return 0
	}
	return 12
}

// unit reads the four digits of an escape by number.
func unit(data []byte) (v uint16, ok bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	a, b, c, d := digits[data[2]], digits[data[3]], digits[data[4]], digits[data[5]]
	if a|b|c|d > 0xf {
		return 0, false
	}
	return uint16(a)<<12 | uint16(b)<<8 | uint16(c)<<4 | uint16(d), true
}

// digits are the values of hexadecimal digits; 0xff is none. To compare in place
// of looking up was 3 % of a call with a megabyte of accents.
var digits = func() (table [256]uint8) {
	for c := range table {
		table[c] = 0xff
	}
	for v := range uint8(10) {
		table['0'+v] = v
	}
	for v := range uint8(6) {
		table['a'+v], table['A'+v] = 10+v, 10+v
	}
	return table
}()
