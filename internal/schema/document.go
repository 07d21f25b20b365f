package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parleymcp/parley/internal/jsonx"
)

const (
	// maxSize is the cap on a given schema, in bytes.
	maxSize = 256 << 10
	// maxNesting is the cap on its JSON: two levels for each of its own, and some
	// for the values in it.
	maxNesting = 4 * maxDepth
)

const (
	draft2020 = "https://json-schema.org/draft/2020-12/schema"
	draft07   = "http://json-schema.org/draft-07/schema#"
)

// dialects maps what $schema may be to the spelling that the library knows.
var dialects = map[string]string{
	draft2020: draft2020, draft2020 + "#": draft2020,
	draft07: draft07, "http://json-schema.org/draft-07/schema": draft07,
	"https://json-schema.org/draft-07/schema#": draft07, "https://json-schema.org/draft-07/schema": draft07,
}

// document is a schema given as JSON. Subschemas are known by their JSON
// pointers from the root.
type document struct {
	text     jsonx.RawMessage
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
	headers  headerSet

	use      use
	dialect  string
	places   map[string]*jsonschema.Schema
	anchors  map[string]string    // name → pointer
	refs     map[string][]string  // pointer → what it refers to
	inPlace  map[string][]string  // pointer → subschemas that look at the same value
	descents map[string][]descent // pointer → subschemas that look at its parts
	growth   growth
	edits    []edit

	scanner
	problems []error
}

func parseDocument(raw []byte, u use) (*document, error) {
	d := &document{
		use: u, root: &jsonschema.Schema{}, dialect: draft2020,
		places: map[string]*jsonschema.Schema{}, anchors: map[string]string{},
		refs: map[string][]string{}, inPlace: map[string][]string{}, descents: map[string][]descent{},
	}
	if err := d.load(raw); err != nil {
		return nil, err
	}
	d.subschema(d.root, place{})
	d.headers.finish(&d.problems)
	if u == forInput && d.root.Type != "object" {
		d.problem("", `the root must have "type": "object"`)
	}
	if len(d.problems) == 0 {
		d.resolve()
	}
	if len(d.problems) == 0 {
		d.measure()
	}
	if len(d.problems) > 0 {
		return nil, errors.Join(d.problems...)
	}
	d.text = apply(d.data, d.edits)
	return d, nil
}

// load puts raw on one line and decodes it.
func (d *document) load(raw []byte) error {
	if len(raw) > maxSize {
		return fmt.Errorf("parley: the schema has %d bytes; at most %d are allowed", len(raw), maxSize)
	}
	if !jsonx.Value(raw).IsValid() {
		return errors.New("parley: the schema is not valid JSON, or repeats a member name")
	}
	if nesting(raw) > maxNesting {
		return fmt.Errorf("parley: the schema nests deeper than %d", maxNesting)
	}
	text, err := jsonx.Compact(raw)
	if err != nil {
		return fmt.Errorf("parley: the schema is not valid JSON: %w", err)
	}
	d.data = text
	if d.peek() != '{' {
		return errors.New("parley: the schema is not a JSON object")
	}
	if err := d.root.UnmarshalJSON(text); err != nil {
		return fmt.Errorf("parley: the schema has a keyword with a wrong value: %w", err)
	}
	if dialect, ok := dialects[d.root.Schema]; ok {
		d.dialect = dialect
	}
	return nil
}

// nesting is the depth of valid JSON.
func nesting(raw []byte) int {
	depth, deepest := 0, 0
	s := scanner{data: raw}
	for c := s.peek(); c != 0; c = s.peek() {
		switch c {
		case '"':
			s.str()
			continue
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
		s.pos++
	}
	return deepest
}

// problem reports what is wrong at pointer, the place of a subschema.
func (d *document) problem(pointer, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if pointer != "" {
		text = "at " + pointer + ": " + text
	}
	err := fmt.Errorf("parley: schema: %s", text)
	if !slices.ContainsFunc(d.problems, func(p error) bool { return p.Error() == err.Error() }) {
		d.problems = append(d.problems, err)
	}
}

// resolve has the library compile the schema. It is given one of the spellings
// of $schema that it knows, and no $id: all references are within the document.
func (d *document) resolve() {
	d.root.ID, d.root.Schema = "", d.dialect
	resolved, err := d.root.Resolve(nil)
	if err != nil {
		d.problem("", "it cannot be compiled: %v", err)
		return
	}
	d.resolved = resolved
}

// escapePointer makes a name a token of a JSON pointer.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func unescapePointer(token string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}
