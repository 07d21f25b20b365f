package headers_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/headers"
)

var region = headers.ParamName("Region")

func TestParam(t *testing.T) {
	const absent = "\x00" // stands for no header
	for name, tc := range map[string]struct {
		typ, arg, header string
		reason           string
	}{
		"string":                {"string", `"Hello"`, "Hello", ""},
		"string, base64":        {"string", `"Hello"`, "=?base64?SGVsbG8=?=", ""},
		"looks like base64":     {"string", `"SGVsbG8="`, "SGVsbG8=", ""},
		"half a sentinel":       {"string", `"=?base64?SGVsbG8="`, "=?base64?SGVsbG8=", ""},
		"sentinel itself":       {"string", `"=?base64?YQ==?="`, encode("=?base64?YQ==?="), ""},
		"escapes":               {"string", `"\u0048el\u006co"`, "Hello", ""},
		"non-ASCII":             {"string", `"caf\u00e9"`, encode("café"), ""},
		"T9 empty":              {"string", `""`, "", ""},
		"T9 empty, sentinel":    {"string", `""`, "=?base64??=", ""},
		"trimmed":               {"string", `"a"`, "  a\t", ""},
		"T9 spaces, base64":     {"string", `" a "`, encode(" a "), ""},
		"spaces were trimmed":   {"string", `" a "`, " a ", "differs"},
		"string, other":         {"string", `"Hello"`, "World", "differs"},
		"string, other case":    {"string", `"Hello"`, "hello", "differs"},
		"string, missing":       {"string", `"Hello"`, absent, "missing"},
		"empty, missing":        {"string", `""`, absent, "missing"},
		"string, no padding":    {"string", `"Hello"`, "=?base64?SGVsbG8?=", "base64"},
		"string, bad letters":   {"string", `"Hello"`, "=?base64?SGVs!!!bG8=?=", "base64"},
		"T10 control character": {"string", `"a"`, "a\x01", "bytes"},
		"string of digits":      {"string", `"5"`, "5.0", "differs"},

		"integer":               {"integer", `5`, "5", ""},
		"negative":              {"integer", `-5`, "-5", ""},
		"zero":                  {"integer", `0`, "-0", ""},
		"plus sign":             {"integer", `5`, "+5", ""},
		"zero fraction":         {"integer", `5`, "5.000", ""},
		"fraction in the body":  {"integer", `5.00`, "5", ""},
		"exponent in the body":  {"integer", `5e2`, "500", ""},
		"negative exponent":     {"integer", `500E-2`, "5", ""},
		"leading zeros":         {"integer", `5`, "005", ""},
		"largest":               {"integer", `9007199254740991`, "9007199254740991", ""},
		"smallest":              {"integer", `-9007199254740991`, "-9007199254740991.0", ""},
		"integer, base64":       {"integer", `5`, encode("5"), ""},
		"integer, other":        {"integer", `5`, "6", "differs"},
		"integer, sign":         {"integer", `5`, "-5", "differs"},
		"integer, missing":      {"integer", `0`, absent, "missing"},
		"integer, empty":        {"integer", `0`, "", "differs"},
		"exponent":              {"integer", `500`, "5e2", "differs"},
		"fraction":              {"integer", `5`, "5.01", "differs"},
		"bare point":            {"integer", `5`, "5.", "differs"},
		"no digits before":      {"integer", `0`, ".0", "differs"},
		"hexadecimal":           {"integer", `5`, "0x5", "differs"},
		"underscore":            {"integer", `50`, "5_0", "differs"},
		"sign alone":            {"integer", `0`, "-", "differs"},
		"two signs":             {"integer", `5`, "--5", "differs"},
		"space inside":          {"integer", `5`, "+ 5", "differs"},
		"Arabic digits":         {"integer", `5`, encode("٥"), "differs"},
		"beyond, in the header": {"integer", `9007199254740991`, "9007199254740993", "differs"},
		"wraps around":          {"integer", `0`, "18446744073709551616", "differs"},
		"T5 no rounding":        {"integer", `9007199254740990`, "9007199254740991", "differs"},

		"true":             {"boolean", `true`, "true", ""},
		"false":            {"boolean", `false`, "false", ""},
		"boolean, other":   {"boolean", `true`, "false", "differs"},
		"boolean, case":    {"boolean", `true`, "True", "differs"},
		"boolean, digit":   {"boolean", `true`, "1", "differs"},
		"boolean, empty":   {"boolean", `false`, "", "differs"},
		"boolean, missing": {"boolean", `false`, absent, "missing"},

		"absent, none":       {"string", ``, absent, ""},
		"null, none":         {"string", `null`, absent, ""},
		"absent, but header": {"string", ``, "a", "argument is absent"},
		"absent, but empty":  {"string", ``, "", "argument is absent"},
		"null, but header":   {"integer", `null`, "0", "argument is absent"},
		"null, but null":     {"string", `null`, "null", "argument is absent"},

		"other type, number":   {"string", `5`, "six", ""},
		"other type, string":   {"integer", `"5"`, "6", ""},
		"other type, object":   {"boolean", `{}`, "true", ""},
		"other type, list":     {"string", `["a"]`, absent, ""},
		"other type, text":     {"boolean", `"true"`, "false", ""},
		"other type, broken":   {"integer", `"5"`, "=?base64?!?=", ""},
		"no integer":           {"integer", `5.5`, "5", ""},
		"no integer, exponent": {"integer", `5e-1`, "0", ""},
		"beyond":               {"integer", `9007199254740992`, "1", ""},
		"beyond, below":        {"integer", `-9007199254740992`, absent, ""},
		"far beyond":           {"integer", `1e400`, "1", ""},
		"overflowing exponent": {"integer", `1e99999999999999999999`, "1", ""},
		"exponent that wraps":  {"integer", `5e18446744073709551618`, "500", ""},
		"wraps, other header":  {"integer", `5e18446744073709551618`, "1", ""},
		"zero, huge exponent":  {"integer", `0e99999999999999999999`, "0", ""},
		"tiny":                 {"integer", `1e-99999999999999999999`, "0", ""},
		"many digits":          {"integer", `123456789012345678901234567890`, "1", ""},
		"many zeros":           {"integer", `1` + strings.Repeat("0", 1000) + `e-1000`, "1", ""},
		"long zero fraction":   {"integer", `1.` + strings.Repeat("0", 1000), "1", ""},
		"type of no mirror":    {"number", `1`, "2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := with(region, tc.header)
			if tc.header == absent {
				h = http.Header{}
			}
			var arg []byte
			if tc.arg != "" {
				arg = []byte(tc.arg)
			}
			err := headers.Param(h, region, tc.typ, arg)
			if tc.reason == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refused(t, err, region, tc.reason)
		})
	}
}

// T10: repeated is refused even if every value is right.
func TestParamRepeated(t *testing.T) {
	h := with(region, "a", "a")
	refused(t, headers.Param(h, region, "string", []byte(`"a"`)), region, "repeated")
	refused(t, headers.Param(h, region, "string", nil), region, "argument is absent")
}

// FuzzParamInteger holds the comparison against exact arithmetic.
func FuzzParamInteger(f *testing.F) {
	for _, seed := range [][2]string{{"5", "5.0"}, {"-0", "0"}, {"1e2", "100"}, {"10.50e1", "105"}, {"9007199254740992", "1"}, {"1E-2", "0"}} {
		f.Add(seed[0], seed[1])
	}
	grammar := regexp.MustCompile(`^[+-]?[0-9]+(\.0+)?$`)
	number := regexp.MustCompile(`^-?[0-9].*$`)
	exponent := regexp.MustCompile(`[eE][+-]?[0-9]{4,}$`)
	limit := new(big.Rat).SetInt64(1<<53 - 1)
	f.Fuzz(func(t *testing.T, arg, header string) {
		arg = strings.TrimRight(arg, " \t\r\n")
		if !json.Valid([]byte(arg)) || !number.MatchString(arg) || exponent.MatchString(arg) || strings.Contains(header, "=?base64?") {
			t.Skip("no JSON number, one too large for the oracle, or a text for FuzzDecode")
		}
		want, _ := new(big.Rat).SetString(arg)
		skipped := !want.IsInt() || new(big.Rat).Abs(want).Cmp(limit) > 0
		equal := false
		if value := strings.Trim(header, " \t"); grammar.MatchString(value) {
			got, _ := new(big.Rat).SetString(value)
			equal = got.Cmp(want) == 0
		}
		err := headers.Param(with(region, header), region, "integer", []byte(arg))
		if (err == nil) != (skipped || equal) {
			t.Fatalf("%s against %q: %v; skipped %v, equal %v", arg, header, err, skipped, equal)
		}
	})
}
