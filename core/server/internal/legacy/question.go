package legacy

import (
	"crypto/rand"
	"encoding/json"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Question returns the params of a request to a client of a revision. What that
// revision cannot say at all has been refused before, by the gate of core.
func Question(version, method string, params []byte) []byte {
	switch older := version < protocol.Version20251125; {
	case older && method == protocol.MethodCreateMessage:
		return rewrite(params, func(out *object, name string, value []byte) {
			if name == "messages" {
				value = single(value)
			}
			out.add(name, value)
		})
	case method != protocol.MethodElicit:
		return params
	case older:
		return rewrite(params, func(out *object, name string, value []byte) {
			switch name {
			case "mode":
			case "requestedSchema":
				out.add(name, form(value))
			default:
				out.add(name, value)
			}
		})
	}
	return identified(params)
}

// single is a list of sampling messages as 2025-06-18 has them: a message has
// one block of content, so one with several becomes several of the same role.
func single(messages []byte) []byte {
	var in []struct {
		Role    json.RawMessage `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if jsonx.Unmarshal(messages, &in) != nil {
		return messages
	}
	out := []byte{'['}
	for _, m := range in {
		blocks := []json.RawMessage{m.Content}
		if len(m.Content) > 0 && m.Content[0] == '[' && jsonx.Unmarshal(m.Content, &blocks) != nil {
			return messages
		}
		for _, block := range blocks {
			if len(out) > 1 {
				out = append(out, ',')
			}
			one := object("{")
			if m.Role != nil {
				one.add("role", m.Role)
			}
			if block != nil {
				one.add("content", block)
			}
			out = append(append(out, one...), '}')
		}
	}
	return append(out, ']')
}

// identified adds the id that an elicitation by URL needs (MCP 2025-11-25,
// client/elicitation).
func identified(params []byte) []byte {
	const member = "elicitationId"
	url, has := false, false
	whole := jsonx.Members(params, func(name string, value []byte) {
		url = url || name == "mode" && string(value) == `"url"`
		has = has || name == member
	})
	if !whole || !url || has {
		return params
	}
	out := rewrite(params, (*object).add)
	return append(append(append(out[:len(out)-1], `,"`+member+`":"`...), rand.Text()...), `"}`...)
}

// form is a requested schema as 2025-06-18 has it: choices with titles are two
// lists, and only booleans have a default.
func form(schema []byte) []byte {
	return rewrite(schema, func(out *object, name string, value []byte) {
		if name == "properties" {
			value = rewrite(value, func(out *object, name string, value []byte) { out.add(name, field(value)) })
		}
		out.add(name, value)
	})
}

// choice is one of a list of choices with titles.
type choice struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

func field(property []byte) []byte {
	boolean, titled := false, false
	var choices []choice
	jsonx.Members(property, func(name string, value []byte) {
		boolean = boolean || name == "type" && string(value) == `"boolean"`
		titled = titled || name == "oneOf" && jsonx.Unmarshal(value, &choices) == nil
	})
	return rewrite(property, func(out *object, name string, value []byte) {
		switch {
		case name == "default" && !boolean:
		case titled && name == "oneOf":
			values, titles := make([]string, len(choices)), make([]string, len(choices))
			for i, c := range choices {
				values[i], titles[i] = c.Const, c.Title
			}
			out.encode("enum", values)
			out.encode("enumNames", titles)
		case titled && (name == "enum" || name == "enumNames"): // would be there twice
		default:
			out.add(name, value)
		}
	})
}

// object is a JSON object that is being written, in the order of its members.
type object []byte

func (o *object) add(name string, value []byte) {
	if len(*o) > 1 {
		*o = append(*o, ',')
	}
	*o = append(append(jsonx.AppendString(*o, name), ':'), value...)
}

func (o *object) encode(name string, value []string) {
	raw, _ := jsonx.Marshal(value) // strings always encode
	o.add(name, raw)
}

// rewrite hands each member of an object to f, which adds what becomes of it.
// What is no object stays as it is.
func rewrite(raw []byte, f func(out *object, name string, value []byte)) []byte {
	out := append(make(object, 0, len(raw)+64), '{')
	if !jsonx.Members(raw, func(name string, value []byte) { f(&out, name, value) }) {
		return raw
	}
	return append(out, '}')
}
