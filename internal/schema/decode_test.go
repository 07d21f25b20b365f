package schema_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

func TestDecode(t *testing.T) {
	s := mustInput(t, in[order]())
	var got order
	v := s.Decode([]byte(`{"items":[{"sku":"\u0061b","count":3.0,"price":1e1}],"labels":{"x":1.20e1},"i64":1997.0,"u64":-0.0,`+
		`"raw":[1.0,-0],"any":{"n":1.0},"at":"2024-02-29T00:00:00Z","addr":"10.0.0.1","blob":"AAE=","note":"n","size":"s","x":2.0}`), &got)
	if v != nil {
		t.Fatal(v)
	}
	want := order{
		Items: []item{{SKU: "ab", Count: 3, Price: 10}}, Labels: map[string]int16{"x": 12}, I64: 1997,
		Raw: jsonx.RawMessage(`[1.0,-0]`), Any: map[string]any{"n": 1.0}, Note: new("n"), Size: "s",
		At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), Addr: netip.AddrFrom4([4]byte{10, 0, 0, 1}), Blob: []byte{0, 1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

// T5: from the bytes to the field nothing is rounded, however it is spelled.
func TestIntegersAreExact(t *testing.T) {
	type exact struct {
		I int64  `json:"i" minimum:"-9007199254740993" maximum:"9007199254740993"`
		U uint64 `json:"u"`
	}
	s := mustInput(t, in[exact]())
	for value, want := range map[string]exact{
		`{"i":9007199254740993,"u":18446744073709551615}`:                     {I: 9007199254740993, U: 18446744073709551615},
		`{"i":-9007199254740993.0,"u":18446744073709551615.00}`:               {I: -9007199254740993, U: 18446744073709551615},
		`{"i":9007199254740.993e3,"u":184467440737095516150e-1}`:              {I: 9007199254740993, U: 18446744073709551615},
		`{"i":-0,"u":0.00000000000000000001e20}`:                              {U: 1},
		`{"i":0e999999999999999999999,"u":10000000000000000000000000000e-28}`: {U: 1},
		`{"i":9007199254740992,"u":9007199254740993}`:                         {I: 9007199254740992, U: 9007199254740993},
		`{"i":1000000000000000000000e-20,"u":0.1E+1}`:                         {I: 10, U: 1},
	} {
		var got exact
		if v := s.Decode([]byte(value), &got); v != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", value, got, v, want)
		}
	}
	for _, value := range []string{
		`{"i":9007199254740994,"u":0}`, `{"i":-9007199254740994,"u":0}`, `{"i":9007199254740993.5,"u":0}`,
		`{"i":0,"u":18446744073709551616}`, `{"i":0,"u":1e20}`, `{"i":0,"u":-1}`, `{"i":1e-1,"u":0}`,
		`{"i":1e999999999999999999999,"u":0}`, `{"i":1e-999999999999999999999,"u":0}`,
	} {
		if s.Check([]byte(value)) == nil {
			t.Errorf("%s passes", value)
		}
	}
}

// What only the type's own method can know is a violation of its field.
func TestDecodeReportsWhatTheTypeRefuses(t *testing.T) {
	type host struct {
		Addr netip.Addr `json:"addr"`
	}
	type fleet struct {
		Hosts  []host                `json:"hosts,omitempty"`
		ByName map[string]netip.Addr `json:"byName,omitempty"`
		host
	}
	s := mustInput(t, in[fleet]())
	for value, field := range map[string]string{
		`{"addr":"x"}`: "addr",
		`{"addr":"::1","hosts":[{"addr":"::1"},{"addr":"x"}]}`: "hosts[1].addr",
		`{"addr":"::1","byName":{"secret":"x"}}`:               "byName.*",
	} {
		if v := s.Check([]byte(value)); v != nil {
			t.Errorf("%s: Check: %v", value, v)
		}
		v := s.Decode([]byte(value), new(fleet))
		if v == nil || v.Field != field || v.Rule != "has a value that is not accepted here" {
			t.Errorf("%s: got %+v, want field %s", value, v, field)
		}
	}
}

// A schema given by hand and the type it is decoded into may differ.
func TestDecodeOfAGivenSchema(t *testing.T) {
	s, err := schema.ParseInput([]byte(`{"type":"object","properties":{"n":{"type":"integer"},"list":{"type":"array","maxItems":3}}}`))
	if err != nil {
		t.Fatal(err)
	}
	type target struct {
		N    int8    `json:"n"`
		List []int64 `json:"list"`
	}
	var got target
	if v := s.Decode([]byte(`{"n":1e1,"list":[9007199254740993.0,-0,2.50e1]}`), &got); v != nil {
		t.Fatal(v)
	}
	if want := (target{N: 10, List: []int64{9007199254740993, 0, 25}}); !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v", got)
	}
	for value, field := range map[string]string{
		`{"n":300}`: "n", `{"list":[1,"x"]}`: "list[1]", `{"list":[1.5]}`: "list[0]", `{"n":"x"}`: "n", `{"list":[1,2,3,4]}`: "list",
	} {
		if v := s.Decode([]byte(value), new(target)); v == nil || v.Field != field {
			t.Errorf("%s: got %+v, want field %s", value, v, field)
		}
	}
}
