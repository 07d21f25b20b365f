package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/parleymcp/parley/core"
)

// schemaTools have input schemas of special kinds.
var schemaTools = []core.Feature{
	must(core.NewRawTool(core.ToolDefinition{
		Name:        "json_schema_2020_12_tool",
		Description: "Has a schema with keywords of JSON Schema 2020-12.",
		InputSchema: json.RawMessage(contactSchema),
	}, func(_ context.Context, _ *core.Event, args json.RawMessage) (*core.ToolResult, error) {
		return &core.ToolResult{Content: []core.Content{core.Text("Called with " + string(args))}}, nil
	})),
	core.NewTool("test_x_mcp_header", "Has an argument that is mirrored into a header.",
		func(_ context.Context, _ *core.Event, in mirrored) (string, error) {
			return fmt.Sprintf("Region %q, level %d.", in.Region, in.Level), nil
		}),
}

type mirrored struct {
	Region string `json:"region,omitempty" header:"Region" description:"A region"`
	Level  int    `json:"level,omitempty" description:"A level"`
}

const contactSchema = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {
		"address": {
			"$anchor": "addressDef",
			"type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}
	},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// must is for a definition that is a constant of the program.
func must[F core.Feature](f F, err error) F {
	if err != nil {
		panic(err)
	}
	return f
}
