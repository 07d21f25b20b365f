package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/parleymcp/parley/internal/jsonx"
)

// failingKeywords are those that the library's errors start with.
var failingKeywords = []string{
	"type", "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"minLength", "maxLength", "pattern", "anyOf", "oneOf", "not", "contains", "minContains", "maxContains",
	"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required", "dependentRequired",
}

// rule words the failure from the schema alone. The name, if any, is of the
// member that is missing from value.
func (f *failure) rule(value any, found bool) (name, rule string) {
	if f.schema == nil {
		return "", isRefused
	}
	switch f.keyword {
	case "required":
		return f.required(value, found)
	case "type", "enum", "const", "not", "anyOf", "oneOf":
		return "", f.ruleOfValue()
	case "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return "", f.ruleOfNumber()
	case "minLength", "maxLength", "pattern":
		return "", f.ruleOfText()
	case "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems":
		return "", f.ruleOfList()
	case "minProperties", "maxProperties", "dependentRequired", "additionalProperties":
		return "", f.ruleOfObject()
	}
	return "", isRefused
}

func (f *failure) required(value any, found bool) (name, rule string) {
	if object, ok := value.(map[string]any); ok && found {
		for _, name := range f.schema.Required {
			if _, ok := object[name]; !ok {
				return name, isRequired
			}
		}
	}
	return "", "must have the members: " + strings.Join(f.schema.Required, ", ")
}

func (f *failure) ruleOfValue() string {
	s := f.schema
	switch f.keyword {
	case "type":
		names := s.Types
		if s.Type != "" {
			names = []string{s.Type}
		}
		var rules []string
		for _, name := range names {
			rules = append(rules, strings.TrimPrefix(typeRules[name], "must be "))
		}
		return "must be " + strings.Join(rules, " or ")
	case "enum":
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = literalText(v)
		}
		return oneOf(values)
	case "const":
		return oneOf([]string{literalText(*s.Const)})
	case "not":
		if reflect.ValueOf(*s.Not).IsZero() { // how false is written
			return "must not be there"
		}
		return "must not be what the schema excludes"
	case "anyOf":
		return "must match one of the alternatives in the schema"
	}
	return "must match exactly one of the alternatives in the schema"
}

// literalText is a value of the schema as a rule shows it: strings bare.
func literalText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := jsonx.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

func (f *failure) ruleOfNumber() string {
	s := f.schema
	switch f.keyword {
	case "multipleOf":
		return "must be a multiple of " + floatText(s.MultipleOf)
	case "minimum":
		return "must be at least " + floatText(s.Minimum)
	case "maximum":
		return "must be at most " + floatText(s.Maximum)
	case "exclusiveMinimum":
		return "must be greater than " + floatText(s.ExclusiveMinimum)
	}
	return "must be less than " + floatText(s.ExclusiveMaximum)
}

func floatText(f *float64) string { return literalText(*f) }

func (f *failure) ruleOfText() string {
	s := f.schema
	switch f.keyword {
	case "minLength":
		return fmt.Sprintf("must be at least %s long", count(*s.MinLength, "character"))
	case "maxLength":
		return fmt.Sprintf("must be at most %s long", count(*s.MaxLength, "character"))
	}
	return "must match the pattern " + s.Pattern
}

func (f *failure) ruleOfList() string {
	s := f.schema
	switch f.keyword {
	case "minItems":
		return "must have at least " + count(*s.MinItems, "item")
	case "maxItems":
		return "must have at most " + count(*s.MaxItems, "item")
	case "uniqueItems":
		return "must have no item twice"
	case "minContains":
		return "must have at least " + count(*s.MinContains, "item") + " of the kind that the schema asks for"
	case "maxContains":
		return "must have at most " + count(*s.MaxContains, "item") + " of the kind that the schema asks for"
	}
	return "must have an item of the kind that the schema asks for"
}

func (f *failure) ruleOfObject() string {
	s := f.schema
	switch f.keyword {
	case "minProperties":
		return "must have at least " + count(*s.MinProperties, "member")
	case "maxProperties":
		return "must have at most " + count(*s.MaxProperties, "member")
	case "dependentRequired":
		return "must have the members that its others need"
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	if list := strings.Join(names, ", "); len(s.PatternProperties) == 0 && list != "" && len(list) <= maxListed {
		return "must have no members but: " + list
	}
	return "must have no members but those in the schema"
}
