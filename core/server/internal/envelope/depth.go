package envelope

import "bytes"

// MaxDepth is how many objects and arrays may stand inside each other in a
// body, the outermost included.
const MaxDepth = 128

// deeper reports whether data nests deeper than limit. For text that is not
// JSON the answer means nothing.
//
// The decoder has no such limit of its own, and reading token by token to count
// would cost far more than this scan, which most bodies do not even need.
func deeper(data []byte, limit int) bool {
	if bytes.Count(data, []byte{'{'})+bytes.Count(data, []byte{'['}) <= limit {
		return false
	}
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if depth++; depth > limit {
				return true
			}
		case '}', ']':
			depth--
		case '"':
			i = stringEnd(data, i)
		}
	}
	return false
}

// stringEnd returns the index of the quote that ends the string at data[start],
// or that of the last byte.
func stringEnd(data []byte, start int) int {
	for i := start + 1; ; i++ {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return len(data) - 1
		}
		i += n
		first := i
		for data[first-1] == '\\' {
			first--
		}
		if (i-first)%2 == 0 {
			return i
		}
	}
}
