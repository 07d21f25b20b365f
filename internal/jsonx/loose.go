package jsonx

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// WalkLoose is [Walk] over text that Walk refused, to learn what is wrong with
// it or what can still be read from it: lone surrogates and invalid UTF-8 pass,
// and repeated member names too when duplicates says so. Nothing that is acted
// on may come from it.
func WalkLoose(data []byte, duplicates bool, f func(*Decoder) error) error {
	return f(jsontext.NewDecoder(bytes.NewBuffer(data),
		jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(duplicates)))
}
