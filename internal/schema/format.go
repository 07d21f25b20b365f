package schema

import (
	"net/mail"
	"net/url"
)

// format is a value of the keyword of the same name.
type format uint8

const (
	noFormat format = iota
	emailFormat
	uriFormat
	dateFormat
	dateTimeFormat
)

const formatNames = "email, uri, date, date-time"

var formats = map[string]format{
	"email": emailFormat, "uri": uriFormat, "date": dateFormat, "date-time": dateTimeFormat,
}

func (f format) String() string {
	for name, g := range formats {
		if g == f {
			return name
		}
	}
	return ""
}

func (f format) rule() string {
	switch f {
	case emailFormat:
		return "must be one e-mail address"
	case uriFormat:
		return "must be an absolute URI"
	case dateFormat:
		return "must be a date such as 2026-07-28"
	case dateTimeFormat:
		return "must be a date and time with time zone, such as 2026-07-28T12:00:00Z"
	case noFormat:
	}
	return ""
}

func (f format) valid(text []byte) bool {
	switch f {
	case emailFormat:
		return isEmail(string(text))
	case uriFormat:
		return isURI(string(text))
	case dateFormat:
		return isDate(text)
	case dateTimeFormat:
		return isDateTime(text)
	case noFormat:
	}
	return true
}

// isEmail accepts a bare address: a display name, a comment or angle brackets
// would make the parsed address differ from the text.
func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s
}

func isURI(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c >= 0x7f:
			return false
		case c == '<' || c == '>' || c == '"' || c == '{' || c == '}' || c == '|' || c == '\\' || c == '^' || c == '`':
			return false // RFC 3986 has no place for them, but url.Parse does
		}
	}
	u, err := url.Parse(s)
	if err != nil || !u.IsAbs() {
		return false
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Hostname() != ""
	}
	return u.Opaque != "" || u.Host != "" || u.Path != ""
}

// number reads width digits at s[at:], or returns -1.
func number(s []byte, at, width int) int {
	if at+width > len(s) {
		return -1
	}
	n := 0
	for _, c := range s[at : at+width] {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// isDate accepts full-date of RFC 3339: a day that the calendar has.
func isDate(s []byte) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return false
	}
	year, month, day := number(s, 0, 4), number(s, 5, 2), number(s, 8, 2)
	if year < 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days = 29
	}
	return day <= days
}

// isDateTime accepts date-time of RFC 3339 as far as time.Time does: an upper
// case T and Z, and no leap second.
func isDateTime(s []byte) bool {
	const date, seconds = len("2006-01-02"), len("2006-01-02T15:04:05")
	if len(s) <= seconds || !isDate(s[:date]) || s[date] != 'T' || s[date+3] != ':' || s[date+6] != ':' {
		return false
	}
	if !clock(number(s, date+1, 2), number(s, date+4, 2)) || !clock(0, number(s, date+7, 2)) {
		return false
	}
	s = s[seconds:]
	if s[0] == '.' {
		n := 1
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 1 {
			return false
		}
		s = s[n:]
	}
	if string(s) == "Z" {
		return true
	}
	return len(s) == len("+07:00") && (s[0] == '+' || s[0] == '-') && s[3] == ':' &&
		clock(number(s, 1, 2), number(s, 4, 2))
}

func clock(hour, minute int) bool {
	return hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59
}

// isBase64 accepts the standard alphabet with padding (RFC 4648, section 4).
func isBase64(s []byte) bool {
	if len(s)%4 != 0 {
		return false
	}
	for range 2 {
		if len(s) > 0 && s[len(s)-1] == '=' {
			s = s[:len(s)-1]
		}
	}
	for _, c := range s {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
		default:
			return false
		}
	}
	return true
}
