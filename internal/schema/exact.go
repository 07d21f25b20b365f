package schema

import (
	"math"
	"strconv"

	"github.com/parleymcp/parley/internal/jsonx"
)

// exact decodes the value that comes next for the library: integers of up to 64
// bits as such, since it would compare a rounded float64, other numbers as
// float64.
func (s *scanner) exact() any {
	switch c := s.peek(); c {
	case '{':
		object := map[string]any{}
		s.pos++
		for s.more('}') {
			quoted, _ := s.name()
			name, _ := jsonx.Unquote(quoted)
			object[name] = s.exact()
		}
		return object
	case '[':
		list := []any{}
		s.pos++
		for s.more(']') {
			list = append(list, s.exact())
		}
		return list
	case '"':
		quoted, _ := s.str()
		text, _ := jsonx.Unquote(quoted)
		return text
	case 't', 'f':
		s.skip()
		return c == 't'
	case 'n', 0:
		s.skip()
		return nil
	}
	return exactNumber(s.literal())
}

func exactNumber(raw []byte) any {
	v, how := parseInteger(raw)
	switch {
	case how != plainInteger && how != otherInteger:
		f, _ := strconv.ParseFloat(string(raw), 64) // out of range is infinite, which check refuses
		return f
	case !v.neg && v.abs > math.MaxInt64:
		return v.abs
	}
	if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
		return n
	}
	return -float64(v.abs)
}
