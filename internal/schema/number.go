package schema

import (
	"bytes"
	"cmp"
	"math/big"
	"strconv"
)

// decimal is a JSON number without loss: 0.d1d2… × 10^exp, where the digits are
// head and then tail, with no zero at either end.
type decimal struct {
	neg        bool
	head, tail []byte
	exp        int
}

// maxExponent is where exponents saturate: beyond it numbers compare as equal
// in size, which no bound that anybody writes can tell.
const maxExponent = 1 << 30

func parseDecimal(raw []byte) decimal {
	var d decimal
	if len(raw) > 0 && raw[0] == '-' {
		d.neg, raw = true, raw[1:]
	}
	exp := 0
	for i, c := range raw {
		if c == 'e' || c == 'E' {
			exp = exponent(raw[i+1:])
			raw = raw[:i]
			break
		}
	}
	head, tail := raw, []byte(nil)
	if i := bytes.IndexByte(raw, '.'); i >= 0 {
		head, tail = raw[:i], raw[i+1:]
	}
	head = bytes.TrimLeft(head, "0")
	tail = bytes.TrimRight(tail, "0")
	d.exp = len(head)
	if len(head) == 0 {
		zeros := len(tail)
		tail = bytes.TrimLeft(tail, "0")
		d.exp = len(tail) - zeros
	}
	if len(tail) == 0 {
		head = bytes.TrimRight(head, "0")
	}
	d.head, d.tail = head, tail
	if d.digits() == 0 {
		return decimal{}
	}
	d.exp += exp
	return d
}

func exponent(raw []byte) int {
	neg, n := false, 0
	for _, c := range raw {
		switch {
		case c == '-':
			neg = true
		case c >= '0' && c <= '9' && n < maxExponent:
			n = min(n*10+int(c-'0'), maxExponent)
		}
	}
	if neg {
		return -n
	}
	return n
}

func (d *decimal) digits() int { return len(d.head) + len(d.tail) }

func (d *decimal) digit(i int) byte {
	switch {
	case i < len(d.head):
		return d.head[i]
	case i < d.digits():
		return d.tail[i-len(d.head)]
	}
	return '0'
}

func (d *decimal) sign() int {
	switch {
	case d.digits() == 0:
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (d *decimal) whole() bool { return d.digits() <= d.exp || d.digits() == 0 }

func (d *decimal) compare(o *decimal) int {
	sign := d.sign()
	if c := cmp.Compare(sign, o.sign()); c != 0 || sign == 0 {
		return c
	}
	return sign * d.compareSize(o)
}

// compareSize compares what is left without the signs.
func (d *decimal) compareSize(o *decimal) int {
	if d.digits() == 0 || o.digits() == 0 {
		return cmp.Compare(d.digits(), o.digits())
	}
	if c := cmp.Compare(d.exp, o.exp); c != 0 {
		return c
	}
	for i := range max(d.digits(), o.digits()) {
		if c := cmp.Compare(d.digit(i), o.digit(i)); c != 0 {
			return c
		}
	}
	return 0
}

// The sizes from which on a number rounds to infinity: half a unit of the last
// place above the largest value, which ties to even, that is upwards.
var (
	infinite64 = roundsToInfinity(1024, 970)
	infinite32 = roundsToInfinity(128, 103)
)

func roundsToInfinity(power, half uint) decimal {
	n := new(big.Int).Lsh(big.NewInt(1), power)
	n.Sub(n, new(big.Int).Lsh(big.NewInt(1), half))
	return parseDecimal([]byte(n.String()))
}

// finite reports whether raw is a number of the given floating-point size.
func finite(raw []byte, bits int) bool {
	if len(raw) < 38 && bytes.IndexByte(raw, 'e') < 0 && bytes.IndexByte(raw, 'E') < 0 {
		return true
	}
	d := parseDecimal(raw)
	if bits == 32 {
		return d.compareSize(&infinite32) < 0
	}
	return d.compareSize(&infinite64) < 0
}

// integer is a whole number of 64 bits and a sign. Zero has none.
type integer struct {
	neg bool
	abs uint64
}

func (i integer) compare(o integer) int {
	switch {
	case i.neg && !o.neg:
		return -1
	case o.neg && !i.neg:
		return 1
	case i.neg:
		return cmp.Compare(o.abs, i.abs)
	}
	return cmp.Compare(i.abs, o.abs)
}

func (i integer) append(dst []byte) []byte {
	if i.neg {
		dst = append(dst, '-')
	}
	return strconv.AppendUint(dst, i.abs, 10)
}

func (i integer) String() string { return string(i.append(nil)) }

// spelling says how a number is written and whether it is an integer.
type spelling uint8

const (
	plainInteger    spelling = iota // as encoding/json reads one
	otherInteger                    // 3.0, 1e2, -0
	oversizeInteger                 // beyond 64 bits
	fraction
)

func parseInteger(raw []byte) (integer, spelling) {
	digits := raw
	neg := len(raw) > 0 && raw[0] == '-'
	if neg {
		digits = raw[1:]
	}
	if len(digits) > 18 { // may not fit
		return parseOddInteger(raw)
	}
	var n uint64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return parseOddInteger(raw)
		}
		n = n*10 + uint64(c-'0')
	}
	if neg && n == 0 {
		return integer{}, otherInteger
	}
	return integer{neg: neg, abs: n}, plainInteger
}

func parseOddInteger(raw []byte) (integer, spelling) {
	d := parseDecimal(raw)
	if !d.whole() {
		return integer{}, fraction
	}
	if d.exp > 20 {
		return integer{neg: d.neg}, oversizeInteger
	}
	var n uint64
	for i := range d.exp {
		digit := uint64(d.digit(i) - '0')
		if n > (1<<64-1-digit)/10 {
			return integer{neg: d.neg}, oversizeInteger
		}
		n = n*10 + digit
	}
	how := plainInteger
	if bytes.ContainsAny(raw, ".eE") || n == 0 && len(raw) > 1 {
		how = otherInteger
	}
	return integer{neg: d.neg && n != 0, abs: n}, how
}
