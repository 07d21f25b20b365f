package schema

import (
	"fmt"
	"regexp"
	"sync"
	"unicode/utf8"

	"github.com/parleymcp/parley/internal/jsonx"
)

type kind uint8

const (
	anyKind kind = iota
	boolKind
	intKind
	floatKind
	textKind
	listKind
	objectKind
	mapKind
)

// node is one place of a plan: what the text of the schema says about it, and
// the limits of its Go type.
type node struct {
	kind     kind
	nullable bool // null conforms as well

	title, description string
	initial            []byte // the default, as JSON
	header             string // x-mcp-header

	min, max string // as written in the text; empty: not there

	lo, hi integer // intKind: always set

	bits        int      // floatKind, and anyKind whose numbers become float64: 64; 0: any number
	least, most *decimal // floatKind

	minLen, maxLen int // textKind; maxLen < 0: no limit
	pattern        *regexp.Regexp
	format         format
	base64         bool
	own            bool // the Go type parses the text itself
	choices        []Choice
	titled         bool // choices have titles of their own
	dynamic        bool // choices come with each call

	item               *node // listKind, mapKind
	minItems, maxItems int   // maxItems < 0: no limit
	fixed              bool  // the Go type is an array

	spelled bool // at the root: keeps says that something is spelled, and nothing free

	props    []property // objectKind
	index    map[string]int
	required int
	form     bool // null is absent, and the list of required members always written
}

// keeps reports whether something below n takes JSON as it is spelled, and
// whether something is an any.
func (n *node) keeps() (spelled, free bool) {
	if n.kind == anyKind {
		return n.bits == 0, n.bits != 0
	}
	if n.item != nil {
		spelled, free = n.item.keeps()
	}
	for _, p := range n.props {
		s, f := p.keeps()
		spelled, free = spelled || s, free || f
	}
	return spelled, free
}

type property struct {
	*node
	name     string
	required bool
}

// checker is one walk of a plan over a value.
type checker struct {
	scanner
	decoding bool   // note the integers that encoding/json would not read
	edits    []edit // how they are written plainly
}

func (n *node) check(c *checker) *Violation {
	next := c.peek()
	if next == 'n' && n.nullable {
		c.skip()
		return nil
	}
	switch n.kind {
	case anyKind:
		return n.checkAny(c)
	case boolKind:
		if next == 't' || next == 'f' {
			c.skip()
			return nil
		}
	case intKind:
		if next == '-' || next >= '0' && next <= '9' {
			return n.checkInteger(c)
		}
	case floatKind:
		if next == '-' || next >= '0' && next <= '9' {
			return n.checkFloat(c.literal())
		}
	case textKind:
		if next == '"' {
			return n.checkText(c)
		}
	case listKind:
		if next == '[' {
			return n.checkList(c)
		}
	case objectKind:
		if next == '{' {
			return n.checkObject(c)
		}
	case mapKind:
		if next == '{' {
			return n.checkMap(c)
		}
	}
	return broken(n.typeRule())
}

func (n *node) checkAny(c *checker) *Violation {
	if n.bits == 0 {
		c.skip()
		return nil
	}
	if !c.each(func(raw []byte) bool { return finite(raw, 64) }) {
		return broken(tooLarge)
	}
	return nil
}

func (n *node) checkInteger(c *checker) *Violation {
	from := c.pos
	v, how := parseInteger(c.literal())
	if how == fraction {
		return broken(n.typeRule())
	}
	oversize := how == oversizeInteger
	if oversize && v.neg || !oversize && v.compare(n.lo) < 0 {
		return broken("must be at least " + n.lo.String())
	}
	if oversize || v.compare(n.hi) > 0 {
		return broken("must be at most " + n.hi.String())
	}
	if how == otherInteger && c.decoding {
		c.edits = append(c.edits, edit{from: from, to: c.pos, text: v.append(nil)})
	}
	return nil
}

func (n *node) checkFloat(raw []byte) *Violation {
	if n.least != nil || n.most != nil {
		d := parseDecimal(raw)
		if n.least != nil && d.compare(n.least) < 0 {
			return broken("must be at least " + n.min)
		}
		if n.most != nil && d.compare(n.most) > 0 {
			return broken("must be at most " + n.max)
		}
	}
	if !finite(raw, n.bits) {
		return broken(tooLarge)
	}
	return nil
}

func (n *node) checkText(c *checker) *Violation {
	quoted, escaped := c.str()
	if n.free() {
		return nil
	}
	if escaped {
		return n.checkEscaped(quoted)
	}
	return n.checkCharacters(unquoted(quoted))
}

// free reports whether any text at all conforms.
func (n *node) free() bool {
	return n.minLen == 0 && n.maxLen < 0 && n.pattern == nil && n.format == noFormat &&
		!n.base64 && n.choices == nil && !n.dynamic
}

// unquoted takes the quotes off a string without escapes.
func unquoted(quoted []byte) []byte {
	if len(quoted) < 2 {
		return nil
	}
	return quoted[1 : len(quoted)-1]
}

func (n *node) checkEscaped(quoted []byte) *Violation {
	text := unescape(quoted)
	defer release(text)
	return n.checkCharacters(*text)
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxPooled keeps one large string from being held for ever.
const maxPooled = 64 << 10

// unescape returns the text of a string with escapes, in a buffer to release.
func unescape(quoted []byte) *[]byte {
	buf, _ := buffers.Get().(*[]byte)
	*buf, _ = jsonx.AppendUnquote((*buf)[:0], quoted)
	return buf
}

func release(buf *[]byte) {
	if cap(*buf) <= maxPooled {
		buffers.Put(buf)
	}
}

func (n *node) checkCharacters(text []byte) *Violation {
	if n.choices != nil || n.dynamic {
		for i := range n.choices {
			if n.choices[i].Value == string(text) {
				return nil
			}
		}
		return broken(n.choiceRule())
	}
	// A character has at least one byte and at most four.
	if n.maxLen >= 0 && len(text) > n.maxLen && utf8.RuneCount(text) > n.maxLen {
		return broken(fmt.Sprintf("must be at most %s long", count(n.maxLen, "character")))
	}
	if n.minLen > 0 && len(text) < n.minLen*utf8.UTFMax && utf8.RuneCount(text) < n.minLen {
		return broken(fmt.Sprintf("must be at least %s long", count(n.minLen, "character")))
	}
	if !n.format.valid(text) {
		return broken(n.format.rule())
	}
	if n.base64 && !isBase64(text) {
		return broken("must be base64 with padding")
	}
	if n.pattern != nil && !n.pattern.Match(text) {
		return broken("must match the pattern " + n.pattern.String())
	}
	return nil
}

func (n *node) checkList(c *checker) *Violation {
	c.pos++
	items := 0
	for ; c.more(']'); items++ {
		if v := n.item.check(c); v != nil {
			return v.at(items)
		}
	}
	switch {
	case n.fixed && items != n.minItems:
		return broken("must have exactly " + count(n.minItems, "item"))
	case items < n.minItems:
		return broken("must have at least " + count(n.minItems, "item"))
	case n.maxItems >= 0 && items > n.maxItems:
		return broken("must have at most " + count(n.maxItems, "item"))
	}
	return nil
}

func (n *node) checkMap(c *checker) *Violation {
	c.pos++
	for c.more('}') {
		c.name()
		if v := n.item.check(c); v != nil {
			return v.inside("*")
		}
	}
	return nil
}

func (n *node) checkObject(c *checker) *Violation {
	start := c.pos
	c.pos++
	seen, next := 0, 0
	for c.more('}') {
		i := n.find(c, next)
		if i < 0 {
			c.skip()
			continue
		}
		next = i + 1
		p := &n.props[i]
		if n.form && c.peek() == 'n' {
			c.skip()
			continue
		}
		if p.required {
			seen++
		}
		if v := p.check(c); v != nil {
			return v.inside(p.name)
		}
	}
	if seen < n.required {
		return n.missing(c.data, start)
	}
	return nil
}

// find reads a member's name and returns its property, -1 for none. Members
// mostly come in the order of the schema, hence next.
func (n *node) find(c *checker, next int) int {
	quoted, escaped := c.name()
	name := unquoted(quoted)
	if escaped {
		buf := unescape(quoted)
		defer release(buf)
		name = *buf
	}
	if next < len(n.props) && n.props[next].name == string(name) {
		return next
	}
	if i, ok := n.index[string(name)]; ok {
		return i
	}
	return -1
}

// missing walks the object at data[start] once more to name the first required
// member that is not there.
func (n *node) missing(data []byte, start int) *Violation {
	there := make([]bool, len(n.props))
	c := checker{scanner: scanner{data: data, pos: start + 1}}
	for c.more('}') {
		i := n.find(&c, 0)
		if i >= 0 {
			there[i] = !n.form || c.peek() != 'n'
		}
		c.skip()
	}
	for i := range n.props {
		if n.props[i].required && !there[i] {
			return broken(isRequired).inside(n.props[i].name)
		}
	}
	return nil
}
