package schema

import (
	"strconv"
	"strings"
)

const (
	isRequired = "is required"
	isRefused  = "has a value that is not accepted here"
	tooLarge   = "must be a number that fits a floating-point number"

	// maxListed is how long a list of allowed values may get in a rule, in bytes.
	maxListed = 400
)

// typeRules are the texts for the types of JSON Schema.
var typeRules = map[string]string{
	"string": "must be a string", "number": "must be a number", "integer": "must be an integer",
	"boolean": "must be true or false", "array": "must be a list", "object": "must be an object",
	"null": "must be null",
}

func (n *node) typeRule() string {
	rule := typeRules[n.typeName()]
	if n.nullable {
		rule += " or null"
	}
	return rule
}

func (n *node) typeName() string {
	switch n.kind {
	case boolKind:
		return "boolean"
	case intKind:
		return "integer"
	case floatKind:
		return "number"
	case textKind:
		return "string"
	case listKind:
		return "array"
	case objectKind, mapKind:
		return "object"
	case anyKind:
	}
	return ""
}

func (n *node) choiceRule() string {
	values := make([]string, len(n.choices))
	for i, c := range n.choices {
		values[i] = c.Value
	}
	return oneOf(values)
}

// oneOf lists what is allowed, all of which the client was sent with the schema.
func oneOf(values []string) string {
	if list := strings.Join(values, ", "); len(list) > 0 && len(list) <= maxListed {
		return "must be one of: " + list
	}
	return "must be one of the values that the schema lists"
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
