package core_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
)

// M23: two calls have one digest exactly when a handler cannot tell them apart.
func TestM23CanonicalArguments(t *testing.T) {
	same := [][]string{
		{`{"a":1,"b":2}`, `{ "b":2 , "a":1 }`},
		{`{"a":1}`, `{"a":1.0}`, `{"a":1e0}`, `{"a":10e-1}`, `{"a":0.1E1}`, `{"a":1.000}`},
		{`{"a":0}`, `{"a":-0}`, `{"a":0.0}`, `{"a":0e999999999999999999999}`},
		{`{"a":100}`, `{"a":1e2}`, `{"a":1e+2}`, `{"a":1e0002}`},
		{`{"a":"é"}`, `{"a":"\u00e9"}`, `{"a":"\u00E9"}`},
		{`{"a":"/"}`, `{"a":"\/"}`},
		{`{"a":{"y":[1,2],"x":null}}`, `{"a":{"x":null,"y":[1.0,2]}}`},
	}
	different := []string{
		`{}`, `{"a":1}`, `{"a":"1"}`, `{"a":null}`, `{"A":1}`, `{"a":[1]}`, `{"a":true}`, `{"a":{}}`, `{"a":[]}`, `{"a":""}`,
		`{"a":9007199254740992}`, `{"a":9007199254740993}`, `{"a":1e400}`, `{"a":1e401}`, `{"a":-1}`, `{"a":[1,2]}`, `{"a":[2,1]}`,
		`{"a":1e99999999999999999999}`, `{"a":1e99999999999999999998}`,
	}
	seen := map[string]string{}
	for _, group := range same {
		first, err := core.CanonicalArguments(json.RawMessage(group[0]), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range group[1:] {
			got, err := core.CanonicalArguments(json.RawMessage(other), nil)
			if err != nil || !bytes.Equal(got, first) {
				t.Errorf("%s is %s, and %s is %s (%v)", group[0], first, other, got, err)
			}
		}
	}
	for _, text := range different {
		got, err := core.CanonicalArguments(json.RawMessage(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := seen[string(got)]; ok {
			t.Errorf("%s and %s have one form: %s", before, text, got)
		}
		seen[string(got)] = text
	}
	for _, text := range []string{`{"a":1,"a":1}`, `{"a":{"b":1,"b":2}}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `[]`, `1`, ``, `{"a":1`} {
		if got, err := core.CanonicalArguments(json.RawMessage(text), nil); err == nil {
			t.Errorf("%s was accepted as %s", text, got)
		}
	}
}

// The cost of canonical arguments must not grow with their depth.
func TestCanonicalArgumentsAreLinear(t *testing.T) {
	deep := func(depth int) string {
		return strings.Repeat(`{"z":0,"a":`, depth) + `"` + strings.Repeat("x", 100_000) + `"` + strings.Repeat("}", depth)
	}
	cost := func(depth int) uint64 {
		text := json.RawMessage(deep(depth))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := core.CanonicalArguments(text, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if flat, nested := cost(1), cost(100); nested > 8*flat {
		t.Fatalf("%d bytes allocated for depth 1, %d for depth 100", flat, nested)
	}
}

func FuzzCanonicalArguments(f *testing.F) {
	f.Add(`{"a":1.0,"b":{"c":[1e3,"x"]}}`, `{"b":{"c":[1000,"x"]},"a":1}`)
	f.Add(`{"a":-0.0}`, `{"a":0}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		ca, errA := core.CanonicalArguments(json.RawMessage(a), nil)
		if errA != nil {
			return
		}
		if again, err := core.CanonicalArguments(ca, nil); err != nil || !bytes.Equal(again, ca) {
			t.Fatalf("%s becomes %s becomes %s (%v)", a, ca, again, err)
		}
		cb, errB := core.CanonicalArguments(json.RawMessage(b), nil)
		if errB != nil {
			return
		}
		va, okA := decodeExact(a)
		vb, okB := decodeExact(b)
		if okA && okB && bytes.Equal(ca, cb) != reflect.DeepEqual(va, vb) {
			t.Fatalf("%s and %s: canonical %v, equal %v", a, b, bytes.Equal(ca, cb), reflect.DeepEqual(va, vb))
		}
	})
}

// decodeExact decodes with numbers as exact fractions, as another program
// would compare them.
func decodeExact(text string) (any, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	ok := true
	var exact func(any) any
	exact = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			if i := strings.IndexAny(string(v), "eE"); i >= 0 && len(v)-i > 4 {
				ok = false // a fraction of that size does not fit in memory
				return nil
			}
			r, _ := new(big.Rat).SetString(string(v))
			return r.String()
		case map[string]any:
			for k := range v {
				v[k] = exact(v[k])
			}
		case []any:
			for i := range v {
				v[i] = exact(v[i])
			}
		case string:
			return "string " + v
		}
		return v
	}
	v = exact(v)
	return v, ok
}
