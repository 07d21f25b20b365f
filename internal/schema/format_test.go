package schema_test

import (
	"encoding/base64"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
)

type formatted struct {
	Email string    `json:"email,omitempty" format:"email"`
	URI   string    `json:"uri,omitempty" format:"uri"`
	Date  string    `json:"date,omitempty" format:"date"`
	Time  string    `json:"time,omitempty" format:"date-time"`
	At    time.Time `json:"at,omitzero"`
	Blob  []byte    `json:"blob,omitempty"`
}

func TestFormats(t *testing.T) {
	s := mustInput(t, in[formatted]())
	for name, tc := range map[string]struct{ good, bad []string }{
		"email": {
			good: []string{"a@b", "ada.lovelace+x@example.org", "é@example.org"},
			bad: []string{
				"", "a", "a@", "@b", "<a@b>", "Ada <a@b>", "a@b (Ada)", " a@b", "a@b ", "a@b, c@d", "a@b\nc", "mailto:a@b",
				"group: a@b;", "a b@c",
			},
		},
		"uri": {
			good: []string{"https://example.org", "http://[::1]:80/a?b=c#d", "mailto:a@b", "urn:isbn:0451450523", "file:///etc", "HTTPS://EXAMPLE.org/%20"},
			bad: []string{
				"", "example.org", "/a/b", "//host/a", "http://", "https:", "https:///a", "http://a b", "https://e.org/a b",
				"https://e.org/\u00e9", "https://e.org/<x>", "http://e.org/%zz", ":", "1http://a", "https://:80", "a:",
			},
		},
		"date": {
			good: []string{"2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2023-04-30"},
			bad: []string{
				"", "2023-02-29", "1900-02-29", "2024-02-30", "2024-13-01", "2024-00-01", "2024-01-00", "2023-04-31",
				"2024-1-01", "24-01-01", "2024/01/01", "2024-01-01T", " 2024-01-01", "+024-01-01", "2024-01-0a", "20240101",
			},
		},
		"time": {
			good: []string{"2024-02-29T00:00:00Z", "2024-02-29T23:59:59.999999999999+23:59", "2024-02-29T12:00:00-00:00", "2024-02-29T12:00:00.1Z"},
			bad: []string{
				"", "2024-02-29", "2024-02-29T00:00:00", "2024-02-29t00:00:00Z", "2024-02-29T00:00:00z", "2024-02-29 00:00:00Z",
				"2024-02-29T24:00:00Z", "2024-02-29T23:60:00Z", "2024-02-29T23:59:60Z", "2024-02-30T00:00:00Z", "2024-02-29T00:00:00.Z",
				"2024-02-29T00:00:00,5Z", "2024-02-29T0:00:00Z", "2024-02-29T00:00Z", "2024-02-29T00:00:00+24:00", "2024-02-29T00:00:00+01:60",
				"2024-02-29T00:00:00+0100", "2024-02-29T00:00:00+01", "2024-02-29T00:00:00ZZ", "2024-02-29T00:00:00.5",
			},
		},
		"blob": {
			good: []string{"", "AA==", "AAA=", "AAAA", "+/+/"},
			bad:  []string{"A", "AA", "AAA", "AA=", "A===", "====", "-_-_", "AA==AA==", "AAA\n", "AA A", "A=A="},
		},
	} {
		t.Run(name, func(t *testing.T) {
			names := []string{name}
			if name == "time" {
				names = append(names, "at")
			}
			for _, member := range names {
				for _, text := range tc.good {
					value := `{"` + member + `":` + quoted(text) + `}`
					if v := s.Decode([]byte(value), new(formatted)); v != nil {
						t.Errorf("%s: %v", value, v)
					}
				}
				for _, text := range tc.bad {
					value := `{"` + member + `":` + quoted(text) + `}`
					if v := s.Check([]byte(value)); v == nil || v.Field != member {
						t.Errorf("%s passes: %v", value, v)
					}
				}
			}
		})
	}
}

func quoted(s string) string { return string(jsonx.AppendString(nil, s)) }

var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// The hand-written readers accept what the standard library decodes, and of
// that only what the RFCs allow.
func FuzzFormats(f *testing.F) {
	for _, s := range []string{"2024-02-29", "2024-02-29T12:30:00.5+01:00", "AAE=", "0000-01-01T00:00:00Z"} {
		f.Add(s)
	}
	s := mustInput(f, reflect.TypeFor[formatted]())
	passes := func(member, text string) bool { return s.Check([]byte(`{"`+member+`":`+quoted(text)+`}`)) == nil }
	f.Fuzz(func(t *testing.T, text string) {
		_, err := time.Parse(time.DateOnly, text)
		if got := passes("date", text); got != (err == nil) {
			t.Errorf("date %q: %v, time.Parse: %v", text, got, err)
		}
		var at time.Time
		if err = at.UnmarshalText([]byte(text)); err == nil && !rfc3339.MatchString(text) {
			err = errors.New("looser than RFC 3339")
		}
		if got := passes("at", text); got != (err == nil) || got != passes("time", text) {
			t.Errorf("date-time %q: %v, time.Time: %v", text, got, err)
		}
		_, err = base64.StdEncoding.DecodeString(text)
		if got := passes("blob", text); got != (err == nil && !strings.ContainsAny(text, "\r\n")) {
			t.Errorf("base64 %q: %v, encoding/base64: %v", text, got, err)
		}
	})
}
