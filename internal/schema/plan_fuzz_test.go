package schema_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

type small struct {
	N  int8               `json:"n" minimum:"-3" maximum:"100"`
	U  uint16             `json:"u,omitempty"`
	F  float64            `json:"f,omitempty" minimum:"-0.25" maximum:"1e3"`
	S  string             `json:"s,omitempty" minLength:"1" maxLength:"3"`
	P  string             `json:"p,omitempty" pattern:"^a.*\"?$"`
	E  *string            `json:"e" enum:"a,b,é"`
	T  []string           `json:"t,omitempty" enum:"x,y" enumTitles:"X,Y" minItems:"1" maxItems:"2"`
	B  bool               `json:"b,omitempty"`
	L  []struct{ A *int } `json:"l,omitempty" maxItems:"3"`
	M  map[string][2]bool `json:"m,omitempty"`
	D  struct{ X, Y int } `json:"d,omitzero"`
	An any                `json:"an,omitempty"`
}

type exotic struct {
	I  int64            `json:"i,omitempty"`
	U  uint64           `json:"u,omitempty"`
	F  float32          `json:"f,omitempty"`
	At time.Time        `json:"at,omitzero"`
	B  []byte           `json:"b,omitempty"`
	R  jsonx.RawMessage `json:"r,omitempty"`
	E  string           `json:"e,omitempty" format:"email"`
	W  string           `json:"w,omitempty" format:"uri"`
	D  string           `json:"d,omitempty" format:"date"`
	A  []any            `json:"a,omitempty"`
	Q  int64            `json:"q,omitempty" minimum:"-9007199254740992" maximum:"9007199254740992"`
	base
}

type nullable struct {
	I *int8            `json:"i"`
	S *string          `json:"s" enum:"a,b" enumTitles:"A,B"`
	L []*float64       `json:"l"`
	M map[string]*base `json:"m"`
	B *[]bool          `json:"b"`
	T *time.Time       `json:"t"`
}

var planSeeds = []string{
	`{}`, `null`, `[]`, `"x"`, `0`, `{"n":1}`, `{"n":3.0,"u":1e2,"f":-0.25,"s":"é","p":"a","e":"a","t":["x"],"b":true,"l":[{"A":1},{}],"m":{"k":[true,false]},"d":{"X":1,"Y":-0},"an":{"a":[1e308]}}`,
	`{"n":-4,"u":65536,"f":1000.0001,"s":"","t":[],"l":[{},{},{},{}],"m":{"":[true]}}`, `{"\u006e":1,"s":"\ud83d\ude00\ud83d\ude00","e":"\u00e9","p":"\u0061\""}`,
	`{"id":1,"i":9223372036854775807,"u":18446744073709551615,"f":3.4028235e38,"at":"2024-02-29T00:00:00Z","b":"AAE=","r":[null],"e":"a@b","w":"urn:a:b","d":"2024-02-29","a":[1e308,{"x":null}],"q":9007199254740992}`,
	`{"id":2147483648}`, `{"id":-1e9,"i":1e19,"u":-1,"f":1e39,"q":9007199254740993,"a":[1e309]}`,
	`{"i":null,"s":null,"l":[null,1.5],"m":{"a":null,"b":{"id":1}},"b":null,"t":null}`, `{"i":1,"s":"a","l":[],"m":{},"b":[true],"t":"2024-01-01T00:00:00Z"}`,
	`{"n":1e-400}`, `{"n":1E+2}`, `{"n":10000000000000000000e-19}`, `{"n":0.0e5}`, ` { "n" : 1 , "x" : { "n" : [ "}" , "]" ] } } `,
}

type target struct {
	t      reflect.Type
	s      *schema.Schema
	oracle oracle
}

func targets(t testing.TB) []target {
	t.Helper()
	var out []target
	for _, typ := range []reflect.Type{in[small](), in[exotic](), in[map[string][]int16](), in[struct{}]()} {
		s := mustInput(t, typ)
		out = append(out, target{typ, s, newOracle(t, s.JSON())})
	}
	for _, typ := range []reflect.Type{in[nullable](), in[[]*string](), in[float32](), in[any]()} {
		s, err := schema.ForOutput(typ)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, target{typ, s, newOracle(t, s.JSON())})
	}
	return out
}

// The plan agrees with the library about the text that clients see, never is
// looser, and what it accepts decodes into the type.
func FuzzPlan(f *testing.F) {
	all := targets(f)
	for i := range all {
		for _, seed := range planSeeds {
			f.Add(uint8(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, value []byte) {
		to := all[int(which)%len(all)]
		v := to.s.Check(value) // whatever it is, it ends
		if !jsonx.Value(value).IsValid() {
			return
		}
		to.oracle.compare(t, to.s.JSON(), value, v)
		dst := reflect.New(to.t)
		d := to.s.Decode(value, dst.Interface())
		if (v == nil) != (d == nil) || v != nil && *v != *d {
			t.Fatalf("%s %s: Check says %v, Decode %v", to.t, value, v, d)
		}
	})
}

// Forms: as plans, and an accepted answer survives the way there and back.
func FuzzForm(f *testing.F) {
	dynamic, err := mustForm(f, in[plainDynamic]()).WithChoices("size", []schema.Choice{{Value: "s"}, {Value: "é"}})
	if err != nil {
		f.Fatal(err)
	}
	type form struct {
		t      reflect.Type
		f      *schema.Form
		oracle oracle
	}
	all := []form{{t: in[booking](), f: mustForm(f, in[booking]())}, {t: in[plainDynamic](), f: dynamic}}
	for i := range all {
		all[i].oracle = newOracle(f, all[i].f.JSON())
		for _, seed := range []string{
			fullContent, `{}`, `null`, ``, `{"size":"s"}`, `{"size":"\u00e9","extras":[]}`, `{"name":"Bo","guests":1e0,"size":"m","mail":null}`,
			`{"name":null}`, `{"name":"Bo","guests":1,"size":"s","extras":["wifi","wifi"],"x":null,"x2":{"size":1}}`, `[]`,
		} {
			f.Add(uint8(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		form := all[int(which)%len(all)]
		dst := reflect.New(form.t)
		if len(content) > 0 && !jsonx.Value(content).IsValid() {
			return
		}
		v := form.f.Decode(content, dst.Interface())
		if judged := withoutNulls(content); judged != nil {
			form.oracle.compare(t, form.f.JSON(), judged, v)
		}
		if v != nil {
			return
		}
		again, err := form.f.Encode(dst.Interface())
		if err != nil {
			t.Fatalf("%s was accepted, but cannot be sent: %v", content, err)
		}
		second := reflect.New(form.t)
		if v := form.f.Decode(again, second.Interface()); v != nil || !sameAnswer(dst, second) {
			t.Fatalf("%s became %s: %v", content, again, v)
		}
	})
}

// sameAnswer compares by what is encoded: times have many forms in memory.
func sameAnswer(a, b reflect.Value) bool {
	x, errX := jsonx.MarshalUser(a.Interface())
	y, errY := jsonx.MarshalUser(b.Interface())
	return errX == nil && errY == nil && string(x) == string(y)
}

// withoutNulls drops the null members of an object, which in forms are absent.
func withoutNulls(content []byte) []byte {
	var members map[string]jsonx.RawMessage
	if len(content) == 0 || jsonx.Unmarshal(content, &members) != nil {
		return nil
	}
	for name, raw := range members {
		if string(raw) == "null" {
			delete(members, name)
		}
	}
	out, err := jsonx.Marshal(members)
	if err != nil {
		return nil
	}
	return out
}
