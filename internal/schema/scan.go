package schema

import "bytes"

// scanner steps over JSON that is known to be valid, so it looks for the ends
// of things only. On other text it gives wrong answers, but it always gets to
// the end and never reads beyond it.
type scanner struct {
	data []byte
	pos  int
}

// peek skips white space and returns the byte that comes next, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// more reports whether the object or list that was entered has another member,
// and stands before it; else it leaves.
func (s *scanner) more(end byte) bool {
	c := s.peek()
	if c == ',' {
		s.pos++
		c = s.peek()
	}
	switch c {
	case 0:
		return false
	case end:
		s.pos++
		return false
	}
	return true
}

// str steps over the string that comes next and returns it with its quotes,
// and whether it has escapes.
func (s *scanner) str() (quoted []byte, escaped bool) {
	start := s.pos
	s.pos++
	end := bytes.IndexByte(s.data[s.pos:], '"')
	if end < 0 {
		s.pos = len(s.data)
		return s.data[start:], false
	}
	first := bytes.IndexByte(s.data[s.pos:s.pos+end], '\\')
	if first < 0 {
		s.pos += end + 1
		return s.data[start:s.pos], false
	}
	for s.pos += first; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			return s.data[start:s.pos], true
		}
	}
	s.pos = len(s.data)
	return s.data[start:], true
}

// name steps over a member's name and the colon behind it.
func (s *scanner) name() (quoted []byte, escaped bool) {
	if s.peek() != '"' {
		s.skip()
		return nil, false
	}
	quoted, escaped = s.str()
	if s.peek() == ':' {
		s.pos++
	}
	return quoted, escaped
}

// literal steps over a number, true, false or null.
func (s *scanner) literal() []byte {
	start := s.pos
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ',', ']', '}', ' ', '\t', '\n', '\r', ':', '"', '[', '{':
			if s.pos == start { // no literal at all: step on all the same
				s.pos++
			}
			return s.data[start:s.pos]
		}
		s.pos++
	}
	return s.data[start:]
}

// skip steps over the value that comes next.
func (s *scanner) skip() { s.each(nil) }

// each steps over the value that comes next and calls f, if given, for every
// number in it, until f returns false.
func (s *scanner) each(f func(number []byte) bool) bool {
	for depth := 0; ; {
		switch c := s.peek(); c {
		case 0:
			return true
		case '"':
			s.str()
		case '{', '[':
			depth++
			s.pos++
		case '}', ']':
			depth--
			s.pos++
		case ',', ':':
			s.pos++
		default:
			raw := s.literal()
			if f != nil && (c == '-' || c >= '0' && c <= '9') && !f(raw) {
				return false
			}
		}
		if depth <= 0 {
			return true
		}
	}
}

// edit replaces data[from:to].
type edit struct {
	from, to int
	text     []byte
}

// apply returns src with the edits, which are in order; src itself is not
// written to.
func apply(src []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return src
	}
	out := make([]byte, 0, len(src)+16*len(edits))
	last := 0
	for _, e := range edits {
		out = append(out, src[last:e.from]...)
		out = append(out, e.text...)
		last = e.to
	}
	return append(out, src[last:]...)
}
