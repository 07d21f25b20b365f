package schema

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parleymcp/parley/internal/jsonx"
)

// tags applies the struct tags of f to its node. They share one vocabulary in
// arguments, results and forms.
func (b *builder) tags(n *node, s spot, f field) {
	r := tagReader{builder: b, n: n, s: s, tag: f.Tag}
	n.title, n.description = f.Tag.Get("title"), f.Tag.Get("description")
	r.choices()
	r.bounds()
	r.lengths()
	r.items()
	r.pattern()
	r.format()
	r.header()
	r.initial() // last: it must conform to all the others
}

type tagReader struct {
	*builder
	n   *node
	s   spot
	tag reflect.StructTag
}

// get returns a tag, and false if it is not there or, which it reports, means
// nothing on this field.
func (r *tagReader) get(name string, allowed bool, on string) (string, bool) {
	value, ok := r.tag.Lookup(name)
	if ok && !allowed {
		r.problem(r.s, "has the tag %s:%q, which only %s can have", name, value, on)
		return "", false
	}
	return value, ok
}

func (r *tagReader) bad(name, value, allowed string) {
	r.problem(r.s, "has the tag %s:%q; %s", name, value, allowed)
}

// offering is the node that has the choices: the field's own or its items'.
func (n *node) offering() *node {
	if n.kind == listKind && !n.fixed && n.item.kind == textKind {
		return n.item
	}
	return n
}

func (r *tagReader) choices() {
	n := r.n.offering()
	plain := n.kind == textKind && n.format == noFormat && !n.base64
	list, ok := r.get("enum", plain, "a string or a slice of strings")
	titles, titled := r.get("enumTitles", ok, "a field with enum")
	switch {
	case !ok:
		return
	case list == "*" && r.use != forForm:
		r.bad("enum", list, "choices that come with each call are for forms")
		return
	case list == "*":
		n.dynamic = true
		if titled {
			r.bad("enumTitles", titles, `enum:"*" gets its titles with its choices`)
		}
		return
	}
	var choices []Choice
	for value := range strings.SplitSeq(list, ",") {
		choices = append(choices, Choice{Value: strings.TrimSpace(value)})
	}
	if titled {
		parts := strings.Split(titles, ",")
		if len(parts) != len(choices) {
			r.bad("enumTitles", titles, "it needs "+count(len(choices), "title")+", as many as enum has values")
			return
		}
		for i, title := range parts {
			choices[i].Title = strings.TrimSpace(title)
		}
	}
	if problem := n.offer(choices); problem != "" {
		r.bad("enum", list, problem)
	}
}

// offer makes choices those of n, or says why it cannot.
func (n *node) offer(choices []Choice) string {
	seen := make(map[string]bool, len(choices))
	n.titled = false
	for _, c := range choices {
		switch {
		case c.Value == "":
			return "a choice has no value"
		case !utf8.ValidString(c.Value):
			return "the value of a choice is not UTF-8"
		case seen[c.Value]:
			return "the value " + strconv.Quote(c.Value) + " appears twice"
		}
		seen[c.Value] = true
		n.titled = n.titled || c.Title != ""
	}
	n.choices = make([]Choice, len(choices))
	copy(n.choices, choices)
	for i := range n.choices {
		if n.choices[i].Title == "" {
			n.choices[i].Title = n.choices[i].Value
		}
	}
	return ""
}

func (r *tagReader) bounds() {
	isNumber := r.n.kind == intKind || r.n.kind == floatKind
	least, hasLeast := r.get("minimum", isNumber, "a number")
	most, hasMost := r.get("maximum", isNumber, "a number")
	if r.n.kind == intKind {
		lo, hi := r.n.lo, r.n.hi
		if hasLeast && r.integer("minimum", least, lo, hi) {
			r.n.lo, _ = parseInteger([]byte(least))
			r.n.min = least
		}
		if hasMost && r.integer("maximum", most, lo, hi) {
			r.n.hi, _ = parseInteger([]byte(most))
			r.n.max = most
		}
		if r.n.lo.compare(r.n.hi) > 0 {
			r.bad("minimum", least, "it is greater than the maximum "+strconv.Quote(most))
		}
		return
	}
	if hasLeast && r.float("minimum", least) {
		r.n.least, r.n.min = new(parseDecimal([]byte(least))), least
	}
	if hasMost && r.float("maximum", most) {
		r.n.most, r.n.max = new(parseDecimal([]byte(most))), most
	}
	if r.n.least != nil && r.n.most != nil && r.n.least.compare(r.n.most) > 0 {
		r.bad("minimum", least, "it is greater than the maximum "+strconv.Quote(most))
	}
}

func (r *tagReader) integer(name, text string, lo, hi integer) bool {
	v, how := integer{}, fraction
	if isNumber(text) {
		v, how = parseInteger([]byte(text))
	}
	if how == plainInteger && v.compare(lo) >= 0 && v.compare(hi) <= 0 {
		return true
	}
	r.bad(name, text, "it must be an integer from "+lo.String()+" to "+hi.String())
	return false
}

func (r *tagReader) float(name, text string) bool {
	if isNumber(text) && finite([]byte(text), r.n.bits) {
		return true
	}
	r.bad(name, text, "it must be a number of "+strconv.Itoa(r.n.bits)+" bits, as JSON writes one")
	return false
}

// isNumber reports whether s is exactly one JSON number.
func isNumber(s string) bool {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') || strings.ContainsAny(s, " \t\r\n") {
		return false
	}
	return jsonx.Value(s).IsValid()
}

func (r *tagReader) lengths() {
	ok := r.measured()
	const on = "a string without enum"
	r.limits("minLength", "maxLength", ok, on, &r.n.minLen, &r.n.maxLen)
}

// measured reports whether the field is a text of which more than its type is
// to be said.
func (r *tagReader) measured() bool {
	n := r.n
	return n.kind == textKind && !n.base64 && !n.offers() && r.goType() != timeType
}

func (r *tagReader) goType() reflect.Type {
	t := r.s.t
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func (r *tagReader) items() {
	const on = "a slice"
	r.limits("minItems", "maxItems", r.n.kind == listKind && !r.n.fixed, on, &r.n.minItems, &r.n.maxItems)
	if n := r.n.offering(); n != r.n && n.choices != nil && r.n.minItems > len(n.choices) {
		r.bad("minItems", strconv.Itoa(r.n.minItems), "there are only "+count(len(n.choices), "choice"))
	}
}

func (r *tagReader) limits(minName, maxName string, allowed bool, on string, least, most *int) {
	if text, ok := r.get(minName, allowed, on); ok {
		r.size(minName, text, least)
	}
	if text, ok := r.get(maxName, allowed, on); ok {
		r.size(maxName, text, most)
	}
	if *most >= 0 && *least > *most {
		r.bad(minName, strconv.Itoa(*least), "it is greater than "+maxName+" "+strconv.Itoa(*most))
	}
}

func (r *tagReader) size(name, text string, to *int) {
	v, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		r.bad(name, text, "it must be an integer from 0 to 2147483647")
		return
	}
	*to = int(v)
}

func (r *tagReader) pattern() {
	text, ok := r.get("pattern", r.measured() && r.use != forForm, "a string argument without enum")
	if !ok {
		return
	}
	re, err := regexp.Compile(text)
	if err != nil {
		r.bad("pattern", text, "it must be a regular expression: "+err.Error())
		return
	}
	r.n.pattern = re
}

func (r *tagReader) format() {
	text, ok := r.get("format", r.measured(), "a string without enum")
	if !ok {
		return
	}
	f, known := formats[text]
	if !known {
		r.bad("format", text, "allowed are "+formatNames)
		return
	}
	r.n.format = f
}

func (r *tagReader) header() {
	name, ok := r.tag.Lookup("header")
	switch {
	case !ok || r.use == forOutput: // a type may serve both ways
		return
	case r.use == forForm:
		r.bad("header", name, "only tool arguments are mirrored into headers")
		return
	}
	if problem := headerProblem(name, r.n.typeName(), r.s.aside); problem != "" {
		r.problem(r.s, "%s", problem)
		return
	}
	r.n.header = name
	r.headers.list = append(r.headers.list, Header{Name: name, Path: r.s.names, Type: r.n.typeName()})
}

func (r *tagReader) initial() {
	n := r.n
	list := n.kind == listKind && !n.fixed && n.item.kind == textKind && !n.item.own
	allowed := n.kind == boolKind || n.kind == intKind || n.kind == floatKind || n.kind == textKind && !n.own || list
	text, ok := r.get("default", allowed, "a boolean, a number, a string or a slice of strings")
	if !ok {
		return
	}
	n.initial = []byte(text)
	switch {
	case n.kind == textKind:
		n.initial = jsonx.AppendString(nil, text)
	case list:
		w := writer{}
		w.open('[')
		for part := range strings.SplitSeq(text, ",") {
			if text != "" {
				w.string(strings.TrimSpace(part))
			}
		}
		w.close(']')
		n.initial = w.buf
	case n.kind == boolKind:
		if text != "true" && text != "false" {
			r.bad("default", text, "it must be true or false")
			n.initial = nil
			return
		}
	case !isNumber(text):
		r.bad("default", text, n.typeRule())
		n.initial = nil
		return
	}
	if v := n.checkInitial(); v != nil {
		r.bad("default", text, "it "+v.Rule)
	}
}

// checkInitial holds the default to the field's rules, as far as they are known
// before the choices are.
func (n *node) checkInitial() *Violation {
	if n.initial == nil || n.offering().dynamic && n.offering().choices == nil {
		return nil
	}
	return n.check(&checker{scanner: scanner{data: n.initial}})
}
