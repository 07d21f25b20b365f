package wireschema

import (
	"embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:embed testdata/schema-*.json
var sources embed.FS

// schemas are resolved once. Each definition is a property of its root, since
// the library validates against roots only.
var schemas = map[string]func() (*jsonschema.Resolved, error){
	"2026-07-28": sync.OnceValues(func() (*jsonschema.Resolved, error) { return resolve("2026-07-28") }),
	"2025-11-25": sync.OnceValues(func() (*jsonschema.Resolved, error) { return resolve("2025-11-25") }),
	"2025-06-18": sync.OnceValues(func() (*jsonschema.Resolved, error) { return resolve("2025-06-18") }),
	"2025-03-26": sync.OnceValues(func() (*jsonschema.Resolved, error) { return resolve("2025-03-26") }),
}

func resolve(version string) (*jsonschema.Resolved, error) {
	source, err := sources.ReadFile("testdata/schema-" + version + ".json")
	if err != nil {
		return nil, err
	}
	root := new(jsonschema.Schema)
	if err := json.Unmarshal(source, root); err != nil {
		return nil, err
	}
	definitions, at := root.Defs, "#/$defs/"
	if definitions == nil {
		definitions, at = root.Definitions, "#/definitions/"
	}
	root.Properties = make(map[string]*jsonschema.Schema, len(definitions))
	for name := range definitions {
		root.Properties[name] = &jsonschema.Schema{Ref: at + name}
	}
	root.AdditionalProperties = &jsonschema.Schema{Not: new(jsonschema.Schema)} // a name that is no definition
	return root.Resolve(nil)
}

// schemaOf holds a value against a definition of a revision.
func schemaOf(version, name string, value any) error {
	get, known := schemas[version]
	if !known {
		return fmt.Errorf("no schema of %q", version)
	}
	s, err := get()
	if err != nil {
		return err
	}
	if err := s.Validate(map[string]any{name: value}); err != nil {
		return fmt.Errorf("%s of %s: %w", name, version, err)
	}
	return nil
}
