package jsonx

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Names of the token layer, so that no other package imports the library.
type (
	// Decoder reads tokens and values.
	Decoder = jsontext.Decoder
	// Kind is the first byte of a token: '{', '[', '"', '0', 't', 'f', 'n'.
	Kind = jsontext.Kind
	// Token is one lexical element.
	Token = jsontext.Token
	// Value is one whole value as it was spelled.
	Value = jsontext.Value
	// SyntacticError is bad JSON grammar, with its offset.
	SyntacticError = jsontext.SyntacticError
	// SemanticError is a value that does not fit its Go type.
	SemanticError = jsonv2.SemanticError
)

// ErrDuplicateName is in the chain of an error for a repeated member name.
var ErrDuplicateName = jsontext.ErrDuplicateName

var (
	// Wire types follow the v2 rules; invalid UTF-8 from a handler becomes
	// U+FFFD instead of losing the whole answer.
	encodeWire = jsonv2.JoinOptions(
		jsontext.AllowInvalidUTF8(true),
		jsonv2.Deterministic(true),
	)

	// User types keep the tags and omitempty of encoding/json, but a name
	// matches exactly and appears once, or what was validated and digested
	// would not be what is decoded.
	decodeUser = jsonv2.JoinOptions(
		jsonv1.DefaultOptionsV1(),
		jsonv2.MatchCaseInsensitiveNames(false),
		jsontext.AllowDuplicateNames(false),
		jsontext.AllowInvalidUTF8(false),
	)

	// The errors of encoding/json cost a pass of their own over the text.
	decodeUserOnce = jsonv2.JoinOptions(decodeUser, jsonv1.ReportErrorsWithLegacySemantics(false))

	decodeUserUnique = jsonv2.JoinOptions(decodeUserOnce, jsontext.AllowDuplicateNames(true))

	// Nil slices and maps are [] and {}: null breaks strict clients.
	encodeUser = jsonv2.JoinOptions(
		jsonv1.DefaultOptionsV1(),
		jsonv2.FormatNilSliceAsNull(false),
		jsonv2.FormatNilMapAsNull(false),
		jsontext.EscapeForHTML(false),
		jsontext.EscapeForJS(false),
		jsontext.AllowInvalidUTF8(true),
	)
)

// Marshal encodes a type of ours on one line, members sorted where a map has them.
func Marshal(v any) ([]byte, error) { return jsonv2.Marshal(v, encodeWire) }

// Unmarshal decodes into a type of ours. Unknown members are ignored.
func Unmarshal(data []byte, v any) error { return jsonv2.Unmarshal(data, v) }

// UnmarshalStrict is [Unmarshal] that refuses unknown members.
func UnmarshalStrict(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, jsonv2.RejectUnknownMembers(true))
}

// MarshalUser encodes a type of the application's.
func MarshalUser(v any) ([]byte, error) { return jsonv2.Marshal(v, encodeUser) }

// UnmarshalUser decodes into a type of the application's.
func UnmarshalUser(data []byte, v any) error { return jsonv2.Unmarshal(data, v, decodeUser) }

// UnmarshalUserOnce is [UnmarshalUser] in one pass. It refuses some types that
// UnmarshalUser takes, and may leave v half written then.
func UnmarshalUserOnce(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, decodeUserOnce)
}

// UnmarshalUserUnique is [UnmarshalUserOnce] of data that is known to repeat no
// member name, for types with a RawMessage: to see that again took an eighth of
// a call with a large one. Types with an any take twice as long this way.
func UnmarshalUserUnique(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, decodeUserUnique)
}

// AppendString appends s as a JSON string; invalid UTF-8 becomes U+FFFD.
func AppendString[Bytes ~[]byte | ~string](dst []byte, s Bytes) []byte {
	// The only error is invalid UTF-8, and the text is complete all the same.
	out, _ := jsontext.AppendQuote(dst, s)
	return out
}

// Unquote returns the text of a JSON string.
func Unquote(raw []byte) (string, error) {
	if n := len(raw); n >= 2 && raw[0] == '"' && raw[n-1] == '"' && plain(raw[1:n-1]) {
		return string(raw[1 : n-1]), nil // one copy: arguments may be a megabyte
	}
	out, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
	return string(out), err
}

// plain reports whether text stands in a JSON string as it is.
func plain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Compact returns raw without white space.
func Compact(raw json.RawMessage) (json.RawMessage, error) {
	v := Value(bytes.Clone(raw))
	if err := v.Compact(); err != nil {
		return nil, err
	}
	return json.RawMessage(v), nil
}

type pooled struct {
	dec *Decoder
	buf bytes.Buffer
}

var decoders = sync.Pool{New: func() any { return &pooled{dec: new(Decoder)} }}

// Walk runs f over the tokens of data with a reused decoder. Values that the
// decoder returns alias memory that is gone when f returns.
func Walk(data []byte, f func(*Decoder) error) error {
	p, _ := decoders.Get().(*pooled)
	p.buf = *bytes.NewBuffer(data)
	p.dec.Reset(&p.buf)
	err := f(p.dec)
	p.buf = bytes.Buffer{}
	p.dec.Reset(&p.buf) // or the pool would keep data alive
	decoders.Put(p)
	return err
}

// AppendBase64 appends data in standard base64, without quotes.
func AppendBase64(dst, data []byte) []byte { return base64.StdEncoding.AppendEncode(dst, data) }

// UnmarshalUserStrict is [UnmarshalUser] that refuses unknown members.
func UnmarshalUserStrict(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, decodeUser, jsonv2.RejectUnknownMembers(true))
}

// Members calls f with each member of an object, in order; value is as it was
// spelled and aliases raw. It reports whether raw is an object and nothing more;
// if not, f may have been called for some of it.
func Members(raw []byte, f func(name string, value []byte)) bool {
	return Walk(raw, func(d *Decoder) error {
		if d.PeekKind() != '{' {
			return errNoObject
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return err
			}
			member := name.String()
			value, err := d.ReadValue()
			if err != nil {
				return err
			}
			end := d.InputOffset()
			f(member, raw[end-int64(len(value)):end])
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
			return errNoObject // something follows
		}
		return nil
	}) == nil
}

var errNoObject = errors.New("parley: not a JSON object")
