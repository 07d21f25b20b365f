package schema

import (
	"strconv"

	"github.com/parleymcp/parley/internal/jsonx"
)

// text writes the schema that a plan is the check of, on one line.
func (n *node) text() []byte {
	w := writer{}
	n.write(&w)
	return w.buf
}

// writer appends JSON; commas come by themselves.
type writer struct{ buf []byte }

func (w *writer) separate() {
	if len(w.buf) == 0 {
		return
	}
	switch w.buf[len(w.buf)-1] {
	case '{', '[', ':':
	default:
		w.buf = append(w.buf, ',')
	}
}

func (w *writer) open(c byte) {
	w.separate()
	w.buf = append(w.buf, c)
}

func (w *writer) close(c byte) { w.buf = append(w.buf, c) }

func (w *writer) key(name string) {
	w.separate()
	w.buf = append(jsonx.AppendString(w.buf, name), ':')
}

func (w *writer) string(s string) {
	w.separate()
	w.buf = jsonx.AppendString(w.buf, s)
}

func (w *writer) raw(s string) {
	w.separate()
	w.buf = append(w.buf, s...)
}

// member writes a string that may be empty, and then is not written.
func (w *writer) member(name, value string) {
	if value != "" {
		w.key(name)
		w.string(value)
	}
}

func (w *writer) number(name, value string) {
	if value != "" {
		w.key(name)
		w.raw(value)
	}
}

func (w *writer) limits(minName string, least int, maxName string, most int) {
	if least > 0 {
		w.number(minName, strconv.Itoa(least))
	}
	if most >= 0 {
		w.number(maxName, strconv.Itoa(most))
	}
}

func (n *node) write(w *writer) {
	w.open('{')
	if name := n.typeName(); name != "" {
		w.key("type")
		if n.nullable {
			w.open('[')
			w.string(name)
			w.string("null")
			w.close(']')
		} else {
			w.string(name)
		}
	}
	w.member("title", n.title)
	w.member("description", n.description)
	n.writeDetails(w)
	if n.initial != nil {
		w.key("default")
		w.raw(string(n.initial))
	}
	w.member("x-mcp-header", n.header)
	w.close('}')
}

func (n *node) writeDetails(w *writer) {
	switch n.kind {
	case intKind, floatKind:
		w.number("minimum", n.min)
		w.number("maximum", n.max)
	case textKind:
		n.writeText(w)
	case listKind:
		w.key("items")
		if n.item.offers() {
			n.item.writeItems(w, n.form)
		} else {
			n.item.write(w)
		}
		w.limits("minItems", n.minItems, "maxItems", n.maxItems)
	case objectKind:
		n.writeObject(w)
	case mapKind:
		w.key("additionalProperties")
		n.item.write(w)
	case anyKind, boolKind:
	}
}

// offers reports whether n has a list of choices, however short.
func (n *node) offers() bool { return n.choices != nil || n.dynamic }

func (n *node) writeText(w *writer) {
	if n.offers() {
		n.writeChoices(w, "oneOf")
		return
	}
	w.member("format", n.format.String())
	if n.base64 {
		w.member("contentEncoding", "base64")
	}
	if n.pattern != nil {
		w.member("pattern", n.pattern.String())
	}
	w.limits("minLength", n.minLen, "maxLength", n.maxLen)
}

// writeChoices writes the plain keyword for choices without titles, else one
// const and title each; titled is oneOf for a string, and in forms anyOf for
// the items of a list (MCP 2026-07-28, TitledMultiSelectEnumSchema).
func (n *node) writeChoices(w *writer, titled string) {
	if !n.titled {
		w.key("enum")
		w.open('[')
		for _, c := range n.choices {
			w.string(c.Value)
		}
		if n.nullable {
			w.raw("null")
		}
		w.close(']')
		return
	}
	w.key(titled)
	w.open('[')
	for _, c := range n.choices {
		w.open('{')
		w.key("const")
		w.string(c.Value)
		w.key("title")
		w.string(c.Title)
		w.close('}')
	}
	if n.nullable {
		w.raw(`{"const":null}`)
	}
	w.close(']')
}

// writeItems writes the items of a list of choices. In a form, titled items
// have no type.
func (n *node) writeItems(w *writer, form bool) {
	if !form || !n.titled {
		n.write(w)
		return
	}
	w.open('{')
	n.writeChoices(w, "anyOf")
	w.close('}')
}

func (n *node) writeObject(w *writer) {
	w.key("properties")
	w.open('{')
	for _, p := range n.props {
		w.key(p.name)
		p.write(w)
	}
	w.close('}')
	if n.required == 0 && !n.form {
		return
	}
	w.key("required")
	w.open('[')
	for _, p := range n.props {
		if p.required {
			w.string(p.name)
		}
	}
	w.close(']')
}
