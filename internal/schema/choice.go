package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Choice is one option of an enumeration: what is sent back, and what the user
// reads. An empty title is the value.
type Choice struct{ Value, Title string }

// NewSelection makes a form with one required string member, key, that is one
// of choices. title, which may be empty, is shown with it.
func NewSelection(key, title string, choices []Choice) (*Form, error) {
	if key == "" || !utf8.ValidString(key) {
		return nil, fmt.Errorf("parley: %q is no key of a selection; it must be UTF-8 and not empty", key)
	}
	n := &node{kind: textKind, title: title, maxLen: -1, maxItems: -1, form: true, dynamic: true}
	root := &node{
		kind: objectKind, form: true, required: 1,
		props: []property{{node: n, name: key, required: true}}, index: map[string]int{key: 0},
	}
	return (&Form{root: root}).WithChoices(key, choices)
}

// Unresolved returns the members tagged enum:"*" that have no choices yet, in
// the order of the fields. Until then every value of theirs is a violation.
func (f *Form) Unresolved() []string {
	var names []string
	for _, p := range f.root.props {
		if n := p.offering(); n.dynamic && n.choices == nil {
			names = append(names, p.name)
		}
	}
	return names
}

// WithChoices derives a form whose member called field, which must be tagged
// enum:"*", offers choices. They replace those it had.
func (f *Form) WithChoices(field string, choices []Choice) (*Form, error) {
	i, ok := f.root.index[field]
	if !ok || !f.root.props[i].offering().dynamic {
		return nil, fmt.Errorf("parley: %q takes no choices; allowed are the fields tagged enum:\"*\": %s", field, f.dynamicNames())
	}
	n := *f.root.props[i].node
	offering := &n
	if n.kind == listKind {
		item := *n.item
		n.item, offering = &item, &item
	}
	problem := offering.offer(choices)
	switch {
	case problem != "":
	case len(choices) == 0:
		problem = "there is none"
	case n.kind == listKind && n.minItems > len(choices):
		problem = "fewer than minItems"
	default:
		if v := n.checkInitial(); v != nil {
			problem = "the default " + v.Rule
		}
	}
	if problem != "" {
		return nil, fmt.Errorf("parley: choices of %q: %s", field, problem)
	}
	root := *f.root
	root.props = slices.Clone(root.props)
	root.props[i].node = &n
	return &Form{typ: f.typ, root: &root, text: root.text()}, nil
}

func (f *Form) dynamicNames() string {
	var names []string
	for _, p := range f.root.props {
		if p.offering().dynamic {
			names = append(names, p.name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
