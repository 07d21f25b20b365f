package headers_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/headers"
)

// with returns the headers that hold one name with the given values.
func with(name string, values ...string) http.Header { return http.Header{name: values} }

// refused fails unless err is the package's and names the header.
func refused(t *testing.T, err error, name, reason string) {
	t.Helper()
	refusal, ok := errors.AsType[*headers.Error](err)
	if !ok || refusal.Header != name || !strings.Contains(refusal.Reason, reason) || !strings.Contains(err.Error(), name) {
		t.Errorf("got %v, want one of %q with %q", err, name, reason)
	}
}

func TestSingle(t *testing.T) {
	for name, tc := range map[string]struct {
		values  []string
		want    string
		present bool
		reason  string
	}{
		"absent":            {},
		"plain":             {values: []string{"tools/call"}, want: "tools/call", present: true},
		"T9 empty":          {values: []string{""}, present: true},
		"only space":        {values: []string{" \t "}, present: true},
		"trimmed":           {values: []string{"\t  echo \t"}, want: "echo", present: true},
		"space inside":      {values: []string{"a b\tc"}, want: "a b\tc", present: true},
		"every fine byte":   {values: []string{"!\"#~}|AZaz09"}, want: "!\"#~}|AZaz09", present: true},
		"not a list":        {values: []string{"a, b"}, want: "a, b", present: true},
		"T10 repeated":      {values: []string{"a", "a"}, present: true, reason: "repeated"},
		"T10 repeated void": {values: []string{"", ""}, present: true, reason: "repeated"},
		"T10 control":       {values: []string{"a\x01b"}, present: true, reason: "bytes"},
		"T10 NUL":           {values: []string{"\x00"}, present: true, reason: "bytes"},
		"T10 DEL":           {values: []string{"a\x7f"}, present: true, reason: "bytes"},
		"T10 line feed":     {values: []string{"a\n"}, present: true, reason: "bytes"},
		"T10 return":        {values: []string{"\ra"}, present: true, reason: "bytes"},
		"T10 UTF-8":         {values: []string{"café"}, present: true, reason: "bytes"},
		"T10 Latin-1":       {values: []string{"caf\xe9"}, present: true, reason: "bytes"},
		"no-break space":    {values: []string{"\u00a0a"}, present: true, reason: "bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			got, present, err := headers.Single(with(headers.Method, tc.values...), headers.Method)
			if got != tc.want || present != tc.present {
				t.Errorf("got %q, %v, want %q, %v", got, present, tc.want, tc.present)
			}
			if tc.reason == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refused(t, err, headers.Method, tc.reason)
		})
	}
}

// The names must be in the form net/http stores, or a look-up finds nothing.
func TestNamesAreCanonical(t *testing.T) {
	for _, name := range []string{
		headers.ProtocolVersion, headers.Method, headers.Name, headers.SessionID,
		headers.ParamName("Region"), headers.ParamName("userId"), headers.ParamName("x_y~z"),
	} {
		if got := http.CanonicalHeaderKey(name); got != name {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := headers.ParamName("userId"); !strings.EqualFold(got, "mcp-param-userid") {
		t.Errorf("got %s", got)
	}
}

func TestDecoded(t *testing.T) {
	for name, tc := range map[string]struct {
		values  []string
		want    string
		present bool
		reason  string
	}{
		"absent":          {},
		"plain":           {values: []string{" echo "}, want: "echo", present: true},
		"T9 base64":       {values: []string{"=?base64?SGVsbG8=?="}, want: "Hello", present: true},
		"T9 spaces kept":  {values: []string{" =?base64?IGEg?= "}, want: " a ", present: true},
		"T9 non-ASCII":    {values: []string{"=?base64?Y2Fmw6k=?="}, want: "café", present: true},
		"broken":          {values: []string{"=?base64?SGVsbG8?="}, present: true, reason: "base64"},
		"repeated":        {values: []string{"a", "b"}, present: true, reason: "repeated"},
		"empty, sentinel": {values: []string{"=?base64??="}, present: true},
	} {
		t.Run(name, func(t *testing.T) {
			got, present, err := headers.Decoded(with(headers.Name, tc.values...), headers.Name)
			if got != tc.want || present != tc.present {
				t.Errorf("got %q, %v, want %q, %v", got, present, tc.want, tc.present)
			}
			if tc.reason == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refused(t, err, headers.Name, tc.reason)
		})
	}
}
