// Package schema is the JSON Schema machinery: of tool arguments, structured
// results, prompt arguments and elicitation forms.
//
// A [Schema] is the text that clients see and the check behind it. One made of
// a Go type ([ForInput], [ForOutput]) is a plan: the text is written from the
// plan, and the plan checks a value in one walk over its bytes, without
// decoding it. One given as JSON ([ParseInput], [ParseOutput]) is sent as it is
// and checked by github.com/google/jsonschema-go, which only this package
// imports, and which is the oracle that the plan is tested against.
//
// A [Form] is the narrower schema of an elicitation with the reading of its
// answers (MCP 2026-07-28, client/elicitation).
//
// # What a plan checks beyond its text
//
// A value that passes the check of an inferred schema decodes into the type.
// So a plan is stricter than the text where JSON Schema has no words, or none
// that clients read alike: 64-bit integers out of range, floating-point numbers
// out of range, the formats, base64. It is never looser. The one exception are
// types with UnmarshalText, which alone knows what it takes: [Schema.Decode]
// reports what it refuses.
//
// What does not live here: JSON itself (internal/jsonx), the shape of messages
// (core/protocol), and what becomes of a violation (core).
package schema
