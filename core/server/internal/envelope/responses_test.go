package envelope_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

func TestInputResponses(t *testing.T) {
	got, err := envelope.InputResponses([]byte(`{ "a" : {"action":"decline", "content":null}, "b\u0063":12345, "":null }`))
	if err != nil {
		t.Fatal(err)
	}
	// Nothing is looked at, null entries included: an entry is judged when it is read.
	want := map[string]string{"a": `{"action":"decline", "content":null}`, "bc": `12345`, "": `null`}
	if len(got) != len(want) {
		t.Errorf("got %q", got)
	}
	for key, value := range want {
		if string(got[key]) != value {
			t.Errorf("%q: got %s, want %s", key, got[key], value)
		}
	}
	for _, absent := range [][]byte{nil, []byte("null")} {
		if got, err := envelope.InputResponses(absent); got != nil || err != nil {
			t.Errorf("%q: %v, %v", absent, got, err)
		}
	}
}

func TestInputResponsesLimits(t *testing.T) {
	entries := func(n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf(`"k%d":{}`, i))
		}
		return "{" + strings.Join(out, ",") + "}"
	}
	deep := func(n int) string {
		return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	size := func(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }
	for name, tc := range map[string]struct{ raw, reason string }{
		"empty":           {raw: `{}`},
		"64 entries":      {raw: entries(64)},
		"65 entries":      {raw: entries(65), reason: "too many"},
		"100 000 entries": {raw: entries(20_000), reason: "too many"},
		"256 KiB":         {raw: size(256 << 10)},
		"a byte more":     {raw: size(256<<10 + 1), reason: "too large"},
		"depth 16":        {raw: deep(16)},
		"depth 17":        {raw: deep(17), reason: "too deeply"},
		"depth 10 000":    {raw: deep(10_000), reason: "too deeply"},
		"wide":            {raw: `{"a":[` + strings.Repeat("{},", 1000) + `{}]}`},
		"key of 128":      {raw: `{"` + strings.Repeat("k", 128) + `":1}`},
		"key of 129":      {raw: `{"` + strings.Repeat("k", 129) + `":1}`, reason: "key"},
		"128 escapes":     {raw: `{"` + strings.Repeat(`\u006b`, 128) + `":1}`},
		"bytes count":     {raw: `{"` + strings.Repeat("é", 65) + `":1}`, reason: "key"},
		"prototype":       {raw: `{"__proto__":{"a":1},"constructor":{}}`},
		"list":            {raw: `[]`, reason: "must be an object"},
		"text":            {raw: `"{}"`, reason: "must be an object"},
		"number":          {raw: `12345`, reason: "must be an object"},
		"false":           {raw: `false`, reason: "must be an object"},
		"repeated":        {raw: `{"a":1,"\u0061":2}`, reason: "must be an object"},
		"surrogate":       {raw: `{"a":"\ud800"}`, reason: "must be an object"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := envelope.InputResponses([]byte(tc.raw))
			if tc.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != nil || code(t, err) != -32602 || !strings.Contains(err.Error(), tc.reason) {
				t.Fatalf("%d entries, %v, want %q", len(got), err, tc.reason)
			}
		})
	}
}
