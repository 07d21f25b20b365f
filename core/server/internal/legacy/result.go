package legacy

import (
	"bytes"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Structure is how a tool's structured content goes to a client of an older
// revision, which knows nothing but objects there.
type Structure uint8

const (
	// AsItIs is for a schema that describes an object, and for none.
	AsItIs Structure = iota
	// Wrapped makes everything the member result of an object.
	Wrapped
	// LeftOut is for a schema that would not hold any more when it is wrapped,
	// since its references count from the root: the text has the value.
	LeftOut
)

// OutputSchema returns the schema as older revisions have it, nil for none, and
// what becomes of the content that it describes.
func OutputSchema(schema []byte) ([]byte, Structure) {
	if len(schema) == 0 || describesObject(schema) {
		return schema, AsItIs
	}
	if bytes.Contains(schema, []byte(`"$ref"`)) || bytes.Contains(schema, []byte(`"$dynamicRef"`)) {
		return nil, LeftOut
	}
	out := append([]byte(`{"type":"object","properties":{"result":`), schema...)
	return append(out, `},"required":["result"]}`...), Wrapped
}

func describesObject(schema []byte) bool {
	object := false
	jsonx.Members(schema, func(name string, value []byte) {
		object = object || name == "type" && string(value) == `"object"`
	})
	return object
}

// Structured returns the structured content of a result, nil for none.
func Structured(content []byte, s Structure) []byte {
	switch {
	case len(content) == 0 || s == LeftOut:
		return nil
	case s == AsItIs && content[0] == '{':
		return content
	}
	return append(append([]byte(`{"result":`), content...), '}')
}

// Content returns a part of a result as a revision knows it: before 2025-06-18
// a link is a text.
func Content(version string, c protocol.Content) protocol.Content {
	if c.Type != protocol.TypeResourceLink || version >= protocol.Version20250618 {
		return c
	}
	text := c.Name + ": " + c.URI
	if c.Title != "" {
		text = c.Title + ": " + c.URI
	}
	return protocol.Content{Type: protocol.TypeText, Text: text, Annotations: c.Annotations}
}
