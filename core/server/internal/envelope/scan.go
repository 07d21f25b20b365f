package envelope

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/parleymcp/parley/internal/jsonx"
)

// scanner steps over JSON and accepts nothing but what a message may be: valid
// by RFC 8259 and in UTF-8, no name twice in an object, no lone surrogate, no
// more than MaxDepth levels. It says no without a reason; then the decoder is
// asked.
//
// The decoder, which keeps what it needs to say where an error is, takes
// 17 100 instructions for a small call; this takes 8 000, and half the time of
// the decoder for long texts and deep arguments. A fuzz test holds the two
// together.
type scanner struct {
	data  []byte
	pos   int
	depth int
	names [][]byte // of the objects that are open, outermost first
	most  int      // names that there were at once
}

// few is up to how many names of an object are compared with each other.
const few = 16

// scanners keep their lists of names, which would be one more allocation.
var scanners = sync.Pool{New: func() any { return &scanner{names: make([][]byte, 0, 2*few)} }}

// scan runs f with a scanner of data.
func scan(data []byte, f func(*scanner) bool) bool {
	s, _ := scanners.Get().(*scanner)
	s.data = data
	ok := f(s)
	if cap(s.names) <= MaxDepth*few {
		clear(s.names[:s.most]) // or the pool would keep data alive
		*s = scanner{names: s.names[:0]}
		scanners.Put(s)
	}
	return ok
}

// peek skips white space and returns the byte that comes next, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// value steps over the value that comes next, and is false if there is none.
func (s *scanner) value() bool {
	switch c := s.peek(); c {
	case '"':
		_, ok := s.str()
		return ok
	case '{':
		return s.members(nil)
	case '[':
		return s.list()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		return s.number()
	}
}

// raw is value, and returns it as it is spelled.
func (s *scanner) raw() ([]byte, bool) {
	s.peek()
	start := s.pos
	ok := s.value()
	return s.data[start:s.pos:s.pos], ok
}

func (s *scanner) word(w string) bool {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(w)) {
		return false
	}
	s.pos += len(w)
	return true
}

func (s *scanner) number() bool {
	if s.at('-') {
		s.pos++
	}
	if s.at('0') {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.at('.') {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) list() bool {
	if s.depth++; s.depth > MaxDepth {
		return false
	}
	s.pos++
	if s.peek() != ']' {
		for {
			if !s.value() {
				return false
			}
			if s.peek() != ',' {
				break
			}
			s.pos++
		}
	}
	s.depth--
	return s.closed(']')
}

// closed steps over the end of an object or list.
func (s *scanner) closed(end byte) bool {
	if s.peek() != end {
		return false
	}
	s.pos++
	return true
}

// members steps over the object that comes next. f reads the value of each
// name; nil steps over it.
func (s *scanner) members(f func(name []byte) bool) bool {
	if s.depth++; s.depth > MaxDepth || s.peek() != '{' {
		return false
	}
	s.pos++
	object := names{from: len(s.names)}
	if s.peek() != '}' {
		for {
			name, ok := s.name()
			if !ok || !object.add(s, name) {
				return false
			}
			if f == nil {
				ok = s.value()
			} else {
				ok = f(name)
			}
			if !ok {
				return false
			}
			if s.peek() != ',' {
				break
			}
			s.pos++
		}
	}
	s.names = s.names[:object.from]
	s.depth--
	return s.closed('}') && (object.many == nil || object.distinct())
}

// name steps over a member's name and the colon, and returns its text.
func (s *scanner) name() ([]byte, bool) {
	if s.peek() != '"' {
		return nil, false
	}
	start := s.pos
	// A plain name, as nearly all are, in one step: by way of str it took 600 more
	// of the 24 000 instructions of a small call.
	if end := special(s.data, start+1); end < len(s.data) && s.data[end] == '"' {
		s.pos = end + 1
		return s.data[start+1 : end], s.closed(':')
	}
	escaped, ok := s.str()
	if !ok {
		return nil, false
	}
	text := s.data[start+1 : s.pos-1]
	if escaped {
		unquoted, err := jsonx.Unquote(s.data[start:s.pos])
		if err != nil {
			return nil, false
		}
		text = []byte(unquoted)
	}
	return text, s.closed(':')
}

// names are those of one object, to find one that comes twice.
type names struct {
	from int      // where the first few begin in the scanner's list
	many []uint64 // hashes of all of them, once they are many
}

var seed = maphash.MakeSeed()

// add is false for a name that is there already, as far as that is known.
func (n *names) add(s *scanner, name []byte) bool {
	known := s.names[n.from:]
	if len(known) < few {
		for _, other := range known {
			if string(other) == string(name) {
				return false
			}
		}
		s.names = append(s.names, name)
		s.most = max(s.most, len(s.names))
		return true
	}
	if n.many == nil {
		n.many = make([]uint64, 0, 4*few)
		for _, other := range known {
			n.many = append(n.many, maphash.Bytes(seed, other))
		}
	}
	n.many = append(n.many, maphash.Bytes(seed, name))
	return true
}

// distinct reports that no name came twice. Two with the same hash are for the
// decoder to tell apart.
func (n *names) distinct() bool {
	slices.Sort(n.many)
	for i := 1; i < len(n.many); i++ {
		if n.many[i] == n.many[i-1] {
			return false
		}
	}
	return true
}
