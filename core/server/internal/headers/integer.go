package headers

const (
	maxInteger  = 1<<53 - 1 // what every client can hold exactly
	maxExponent = 1 << 40   // beyond the length of any body, and no overflow
)

// integer returns the value of a decimal text that is an integer within
// ±(2^53−1). JSON numbers have an exponent and no plus sign, headers the other
// way round.
func integer[T ~string | ~[]byte](s T, isJSON bool) (int64, bool) {
	i, negative := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+' && !isJSON) {
		negative = s[0] == '-'
		i++
	}
	start := i
	whole := digits(s, &i)
	if whole == 0 {
		return 0, false
	}
	fraction := 0
	if i < len(s) && s[i] == '.' {
		i++
		if fraction = digits(s, &i); fraction == 0 {
			return 0, false
		}
	}
	mantissa := s[start:i]
	exponent := 0
	if isJSON && i < len(s) && s[i]|0x20 == 'e' {
		i++
		exponent = readExponent(s, &i)
	}
	if i != len(s) {
		return 0, false
	}
	n, ok := scale(mantissa, whole+exponent)
	if negative {
		n = -n
	}
	return n, ok
}

// digits moves i over digits and returns how many there were.
func digits[T ~string | ~[]byte](s T, i *int) int {
	start := *i
	for *i < len(s) && s[*i] >= '0' && s[*i] <= '9' {
		*i++
	}
	return *i - start
}

// readExponent reads what follows the letter, which the grammar of JSON has
// already been held against.
func readExponent[T ~string | ~[]byte](s T, i *int) int {
	negative := *i < len(s) && s[*i] == '-'
	if *i < len(s) && (s[*i] == '-' || s[*i] == '+') {
		*i++
	}
	exponent := 0
	for ; *i < len(s) && s[*i] >= '0' && s[*i] <= '9'; *i++ {
		exponent = min(exponent*10+int(s[*i]-'0'), maxExponent)
	}
	if negative {
		return -exponent
	}
	return exponent
}

// scale returns the integer whose first digits are those of mantissa and whose
// last is the one at place; digits after that must be zero.
func scale[T ~string | ~[]byte](mantissa T, place int) (int64, bool) {
	var n int64
	seen := 0
	for i := range len(mantissa) {
		c := mantissa[i]
		if c == '.' {
			continue
		}
		if seen++; seen > place {
			if c != '0' {
				return 0, false
			}
			continue
		}
		if n = n*10 + int64(c-'0'); n > maxInteger {
			return 0, false
		}
	}
	for ; seen < place && n != 0; seen++ {
		if n *= 10; n > maxInteger {
			return 0, false
		}
	}
	return n, true
}
