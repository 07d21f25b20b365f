package schema

import "slices"

// The library has no limit of its own on the time that a check takes. What a
// schema alone makes dear is refused when it is given; what a value makes dear,
// when it is checked.
const (
	// maxChecks is how many subschemas may look at one and the same value.
	maxChecks = 1 << 12
	// maxWork bounds, for recursive schemas, the bytes of a value times how often
	// the library may go over them.
	maxWork = 32 << 20
)

// descent is a subschema that looks at a part of the value.
type descent struct{ keyword, key, child string }

// measure refuses what would never end, a subschema that leads back to itself
// without going into a member or an element, and what would take for ever.
func (d *document) measure() {
	const open = -1
	costs := map[string]int{}
	var cost func(pointer string) int
	cost = func(pointer string) int {
		if c, ok := costs[pointer]; ok {
			if c == open {
				d.problem(pointer, "it refers to itself without going into a property or an item")
				return 0
			}
			return c
		}
		costs[pointer] = open
		sum := 1
		for _, next := range d.applied(pointer) {
			sum += cost(next)
		}
		costs[pointer] = min(sum, maxChecks+1)
		return costs[pointer]
	}
	for pointer := range d.places {
		if cost(pointer) > maxChecks {
			d.problem("", "more than %d subschemas apply to one value", maxChecks)
		}
	}
	if len(d.problems) == 0 {
		d.growth = d.measureGrowth()
	}
}

// applied returns the subschemas that look at the same value as the one at
// pointer because it says so: its own, and those it refers to.
func (d *document) applied(pointer string) []string {
	out := slices.Clone(d.inPlace[pointer])
	for _, ref := range d.refs[pointer] {
		if target, ok := d.target(ref); ok {
			out = append(out, target)
		}
	}
	return out
}

// growth says how dear a deep value can get.
type growth struct {
	recursive bool
	// factor is how often one part of a value can be looked at for each time that
	// the whole is: two alternatives that both recurse into the same member make
	// it 2, and the cost 2 to the power of the depth.
	factor int
}

func (g growth) affordable(value []byte) bool {
	if !g.recursive {
		return true
	}
	// A failure is wrapped once a level in an error that quotes the value, so that
	// even a factor of 1 costs the depth.
	depth := nesting(value)
	work := len(value) * depth
	if g.factor > 1 {
		work = len(value)
		for range depth {
			if work > maxWork {
				break
			}
			work *= g.factor
		}
	}
	return work <= maxWork
}

func (d *document) measureGrowth() growth {
	g := growth{factor: 1}
	reached := map[string]map[string]bool{}
	for pointer := range d.places {
		reached[pointer] = d.reachable(pointer)
	}
	for pointer := range d.places {
		if !reached[pointer][pointer] {
			continue
		}
		g.recursive = true
		g.factor = max(g.factor, d.fanOut(pointer, func(child string) bool {
			return child == pointer || reached[child][pointer]
		}))
	}
	return g
}

// reachable returns where the check can get from pointer.
func (d *document) reachable(pointer string) map[string]bool {
	seen := map[string]bool{}
	todo := []string{pointer}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		out := d.applied(next)
		for _, descent := range d.descents[next] {
			if descent.intoParts() {
				out = append(out, descent.child)
			}
		}
		for _, p := range out {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return seen
}

// intoParts tells the keywords that apply from those that only keep schemas, or
// look at names.
func (c descent) intoParts() bool {
	switch c.keyword {
	case "$defs", "definitions", "contentSchema", "propertyNames":
		return false
	}
	return true
}

// fanOut is how many schemas that lead back look at one part of a value, when
// the schema at pointer looks at the whole.
func (d *document) fanOut(pointer string, leadsBack func(child string) bool) int {
	var (
		named  = map[string]int{} // property → how many
		others = map[string]int{} // property → of these, how many do not look at any other
		list   int
		member int
	)
	var visit func(pointer string)
	visit = func(pointer string) {
		additional := 0
		for _, c := range d.descents[pointer] {
			if !c.intoParts() || !leadsBack(c.child) {
				continue
			}
			switch c.keyword {
			case "properties":
				named[c.key]++
			case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
				list++
			case "additionalProperties":
				additional++
				member++
			default: // patternProperties, unevaluatedProperties
				member++
			}
		}
		if additional > 0 { // it leaves out the properties of the same schema
			for _, c := range d.descents[pointer] {
				if c.keyword == "properties" {
					others[c.key] += additional
				}
			}
		}
		for _, next := range d.applied(pointer) {
			visit(next)
		}
	}
	visit(pointer)
	most := max(list, member)
	for name, n := range named {
		most = max(most, n+member-others[name])
	}
	return most
}
