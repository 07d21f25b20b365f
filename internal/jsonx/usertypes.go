package jsonx

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// RawMessage is encoding/json's, for packages that must not import it.
type RawMessage = json.RawMessage

// Number is encoding/json's. The library behind this package takes it for a
// string, which is why types with one are refused where schemas are made.
type Number = json.Number

var (
	jsonMethods = []reflect.Type{
		reflect.TypeFor[json.Marshaler](),
		reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[jsonv2.MarshalerTo](),
		reflect.TypeFor[jsonv2.UnmarshalerFrom](),
	}
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// OwnJSON reports whether t or a pointer to it has JSON methods of its own.
func OwnJSON(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	for _, m := range jsonMethods {
		if t.Implements(m) || p.Implements(m) {
			return true
		}
	}
	return false
}

// OwnText reports whether t itself has MarshalText, whether a pointer to it
// has, and whether a pointer to it has UnmarshalText.
func OwnText(t reflect.Type) (marshals, pointerMarshals, unmarshals bool) {
	p := reflect.PointerTo(t)
	return t.Implements(textMarshaler), p.Implements(textMarshaler), p.Implements(textUnmarshaler)
}

// Where decodes data into v as [UnmarshalUser] does and returns the JSON
// pointer (RFC 6901) of the value that did not fit, or "" where none is known.
// It is for failures only: the plain way has no pointer in its errors.
func Where(data []byte, v any) string {
	err := UnmarshalUserOnce(data, v)
	if e, ok := errors.AsType[*SemanticError](err); ok {
		return string(e.JSONPointer)
	}
	return ""
}

// AppendUnquote appends the text of a JSON string, quotes included in raw.
func AppendUnquote(dst, raw []byte) ([]byte, error) { return jsontext.AppendUnquote(dst, raw) }
