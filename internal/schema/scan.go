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
	for {
		end := bytes.IndexByte(s.data[s.pos:], '"')
		if end < 0 {
			s.pos = len(s.data)
			break
		}
		end += s.pos
		first := end // of the backslashes before the quote, which is escaped by an odd number
		for first > s.pos && s.data[first-1] == '\\' {
			first--
		}
		s.pos = end + 1
		if (end-first)%2 == 0 {
			break
		}
	}
	quoted = s.data[start:s.pos]
	return quoted, bytes.IndexByte(quoted, '\\') >= 0
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

// skip steps over the value that comes next. Of an object or list only brackets
// and strings matter; to look at every number of a large one took a third of the
// time of its call.
func (s *scanner) skip() {
	if c := s.peek(); c != '{' && c != '[' {
		s.each(nil)
		return
	}
	for depth := 0; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				s.pos++
				return
			}
		case '"':
			s.skipText()
		}
	}
}

// skipText steps over the string that comes next, but for its last quote.
// Most are too short to search for it.
func (s *scanner) skipText() {
	end := min(s.pos+1+short, len(s.data))
	for i := s.pos + 1; i < end; i++ {
		switch s.data[i] {
		case '"':
			s.pos = i
			return
		case '\\':
			end = 0
		}
	}
	s.str()
	s.pos--
}

// short is how long a text is that is looked at byte by byte.
const short = 16

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
