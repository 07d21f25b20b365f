package headers_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parleymcp/parley/core/server/internal/headers"
)

// encode is what a client does with a value that is no plain header.
func encode(s string) string {
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

func TestDecode(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "plain": "plain", "file:///a b": "file:///a b",
		"=?base64?SGVsbG8=?=": "Hello",
		"=?base64??=":         "",
		encode(encode("x")):   encode("x"), // once only

		// Literal: one end is missing or spelled otherwise.
		"SGVsbG8=": "SGVsbG8=", "=?base64?SGVsbG8=": "=?base64?SGVsbG8=", "SGVsbG8=?=": "SGVsbG8=?=",
		"=?base64?=": "=?base64?=", "=?base64?": "=?base64?", "?=": "?=",
		"=?BASE64?SGVsbG8=?=": "=?BASE64?SGVsbG8=?=", "=?Base64?SGVsbG8=?=": "=?Base64?SGVsbG8=?=",
		"=?utf-8?B?SGVsbG8=?=": "=?utf-8?B?SGVsbG8=?=", " =?base64?SGVsbG8=?=": " =?base64?SGVsbG8=?=",
		"x=?base64?SGVsbG8=?=": "x=?base64?SGVsbG8=?=", "=?base64?SGVsbG8=?=x": "=?base64?SGVsbG8=?=x",
	} {
		if got, err := headers.Decode(value); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", value, got, err, want)
		}
	}
	for name, inner := range map[string]string{
		"no padding": "SGVsbG8", "too much padding": "SGVsbG8==", "padding alone": "=", "padding inside": "SGVs=bG8",
		"other letters": "SGVs!!!bG8=", "URL alphabet": "-_-_", "trailing bits": "SGVsbG9=", "one letter": "S",
		"space": "SGVs bG8=", "leading space": " SGVsbG8=", "line feed": "SGVs\nbG8=", "return": "SGVsbG8=\r", "line end": "\r\n",
		"tab": "SGVs\tbG8=", "question mark": "?", "two values": "SGVsbG8=SGVsbG8=",
		"invalid UTF-8": "/w==", "cut UTF-8": "w6k=w6", "half a rune": "ww==", "UTF-8 surrogate": "7aCA",
	} {
		if got, err := headers.Decode("=?base64?" + inner + "?="); err == nil {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "Hello", "=?base64?SGVsbG8=?=", "=?base64?=", "=?base64?S\nGVsbG8=?=", "=?base64?/w==?=", "=?base64?SGVsbG9=?="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if utf8.ValidString(value) {
			if got, err := headers.Decode(encode(value)); err != nil || got != value {
				t.Fatalf("round trip of %q: %q, %v", value, got, err)
			}
		}
		got, err := headers.Decode(value)
		wrapped := strings.HasPrefix(value, "=?base64?") && strings.HasSuffix(value, "?=") && len(value) >= len("=?base64??=")
		switch {
		case !wrapped && (err != nil || got != value):
			t.Fatalf("literal %q: %q, %v", value, got, err)
		case wrapped && err == nil && encode(got) != value:
			t.Fatalf("%q is a second spelling of %q", value, got)
		case wrapped && err == nil && !utf8.ValidString(got):
			t.Fatalf("%q: invalid UTF-8", value)
		}
	})
}
