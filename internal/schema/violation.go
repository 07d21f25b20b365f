package schema

import "strconv"

// Violation is the first place where a value breaks a schema. It never holds
// anything of the value: no text, no number, no member name that the schema
// does not have ("*" stands for the name in a map).
//
// A nil *Violation means that the value conforms; compare it before it becomes
// an error.
type Violation struct {
	// Field is the place, as "a.b[2]", "" for the value as a whole and "[]" for
	// an element that cannot be told.
	Field string
	// Rule continues a sentence about the field: "must be at least 3".
	Rule string
}

// Error is for logs. What a client sees is composed of the fields.
func (v *Violation) Error() string {
	if v.Field == "" {
		return "parley: the value " + v.Rule
	}
	return "parley: " + v.Field + " " + v.Rule
}

func broken(rule string) *Violation { return &Violation{Rule: rule} }

// inside moves v into the member called name.
func (v *Violation) inside(name string) *Violation {
	v.Field = join(name, v.Field)
	return v
}

// at moves v into the element with index i.
func (v *Violation) at(i int) *Violation {
	v.Field = join("["+strconv.Itoa(i)+"]", v.Field)
	return v
}

func join(outer, inner string) string {
	if outer == "" || inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}
