package jsonx_test

import (
	"testing"

	"github.com/parleymcp/parley/internal/jsonx"
)

type user struct {
	Name  string         `json:"name"`
	Tags  []string       `json:"tags"`
	Extra map[string]int `json:"extra,omitempty"`
	N     int64          `json:"n,omitempty"`
}

func TestUserTypes(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		fail bool
	}{
		"exact":          {in: `{"name":"a","n":9007199254740993}`},
		"duplicate":      {in: `{"name":"a","name":"b"}`, fail: true},
		"trailing":       {in: `{"name":"a"} x`, fail: true},
		"invalid UTF-8":  {in: "{\"name\":\"\xff\"}", fail: true},
		"lone surrogate": {in: `{"name":"\ud800"}`, fail: true},
	} {
		t.Run(name, func(t *testing.T) {
			var u user
			if err := jsonx.UnmarshalUser([]byte(tc.in), &u); (err != nil) != tc.fail {
				t.Fatalf("err = %v, want failure %v", err, tc.fail)
			}
		})
	}
	var u user
	if err := jsonx.UnmarshalUser([]byte(`{"name":"safe","Name":"admin"}`), &u); err != nil || u.Name != "safe" {
		t.Fatalf("T4: a member of another case was taken: %+v, %v", u, err)
	}
	out, err := jsonx.MarshalUser(user{Name: "<&>", N: 9007199254740993})
	if want := `{"name":"<&>","tags":[],"n":9007199254740993}`; err != nil || string(out) != want {
		t.Fatalf("got %s, %v, want %s", out, err, want)
	}
}

func TestWalkKeepsNothing(t *testing.T) {
	for range 3 {
		err := jsonx.Walk([]byte(`{"a":[1,2]}`), func(d *jsonx.Decoder) error {
			v, err := d.ReadValue()
			if string(v) != `{"a":[1,2]}` {
				t.Errorf("got %s", v)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUnquote(t *testing.T) {
	for raw, want := range map[string]string{`""`: "", `"a b"`: "a b", `"\u00e9\n"`: "é\n", `"é"`: "é", "\"\x7f\"": "\x7f"} {
		if got, err := jsonx.Unquote([]byte(raw)); err != nil || got != want {
			t.Errorf("%s: got %q, %v", raw, got, err)
		}
	}
	for _, raw := range []string{``, `"`, `a`, `1`, `null`, `"a`, `a"`, `"a"b"`, "\"\n\"", "\"\xff\"", `"\ud800"`, `"\x"`} {
		if got, err := jsonx.Unquote([]byte(raw)); err == nil {
			t.Errorf("%s was taken as %q", raw, got)
		}
	}
}

func TestMembers(t *testing.T) {
	collect := func(raw string) (string, bool) {
		out := ""
		ok := jsonx.Members([]byte(raw), func(name string, value []byte) { out += name + "=" + string(value) + ";" })
		return out, ok
	}
	if got, ok := collect(` {"a" : [1, 2] ,"b\u0063":"x"} `); !ok || got != `a=[1, 2];bc="x";` {
		t.Fatalf("got %q, %v", got, ok)
	}
	for _, raw := range []string{``, `1`, `[]`, `null`, `{`, `{"a":1} x`, `{"a":1}{}`, `{"a":1,"a":2}`, `{"a"}`} {
		if got, ok := collect(raw); ok {
			t.Errorf("%s was taken: %q", raw, got)
		}
	}
}

func TestAppendStringReplacesInvalidUTF8(t *testing.T) {
	if got := string(jsonx.AppendString(nil, "a\xffb")); got != `"a�b"` {
		t.Fatalf("got %s", got)
	}
}
