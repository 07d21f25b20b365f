package schema_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parleymcp/parley/internal/schema"
)

// oracle judges values by the text of a schema, with the library alone.
type oracle struct{ resolved *jsonschema.Resolved }

// newOracle takes a schema that a plan wrote, defaults included.
func newOracle(t testing.TB, text []byte) oracle {
	t.Helper()
	return resolveWith(t, text, &jsonschema.ResolveOptions{ValidateDefaults: true})
}

func resolveWith(t testing.TB, text []byte, options *jsonschema.ResolveOptions) oracle {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	resolved, err := s.Resolve(options)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return oracle{resolved}
}

// decodeExact decodes with integers of 64 bits as such. It fails for numbers
// that are no float64.
func decodeExact(value []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return exactly(v)
}

func exactly(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			if v[k], err = exactly(v[k]); err != nil {
				return nil, err
			}
		}
	case []any:
		for i := range v {
			if v[i], err = exactly(v[i]); err != nil {
				return nil, err
			}
		}
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return nil, err
		}
		if size := math.Abs(f); size > 1e-30 && size < 1e30 && len(v) < 400 {
			if r, ok := new(big.Rat).SetString(v.String()); ok && r.IsInt() {
				if n := r.Num(); n.IsInt64() {
					return n.Int64(), nil
				} else if n.IsUint64() {
					return n.Uint64(), nil
				}
			}
		}
		return f, nil
	}
	return v, nil
}

// stricter are the rules for which the text has no words; see the package
// documentation.
var stricter = []string{
	"must be at most 9223372036854775807", "must be at least -9223372036854775808", "must be at most 18446744073709551615",
	"must be a number that fits", "must be one e-mail address", "must be an absolute URI", "must be a date", "must be base64",
}

func isStricter(v *schema.Violation) bool {
	for _, rule := range stricter {
		if strings.HasPrefix(v.Rule, rule) {
			return true
		}
	}
	return false
}

// compare fails the test if the plan and the library disagree about value.
func (o oracle) compare(t *testing.T, text, value []byte, v *schema.Violation) {
	t.Helper()
	instance, err := decodeExact(value)
	if err != nil {
		return // a number that the library cannot have
	}
	verdict := o.resolved.Validate(instance)
	switch {
	case v == nil && verdict != nil:
		t.Fatalf("the plan is looser\nschema %s\nvalue  %s\nlibrary: %v", text, value, verdict)
	case v != nil && verdict == nil && !isStricter(v) && !roundsAway(v, value):
		t.Fatalf("the plan is stricter\nschema %s\nvalue  %s\nplan: %v", text, value, v)
	}
}

// roundsAway reports whether the disagreement may be the library's rounding of
// a long number to float64 before it compares.
func roundsAway(v *schema.Violation, value []byte) bool {
	if !strings.HasPrefix(v.Rule, "must be at ") && v.Rule != "must be an integer" && v.Rule != "must be an integer or null" {
		return false
	}
	digits, longest := 0, 0
	for _, c := range value {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c != '.':
			digits = 0
		}
		longest = max(longest, digits)
	}
	// Small exponents round to zero, which is an integer.
	return longest > 15 || bytes.ContainsAny(value, "eE") && bytes.Contains(value, []byte("-"))
}
