package schema_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

type (
	deepest struct {
		Hidden int
		Deep   int
	}
	middle struct {
		deepest
		Hidden string
		Mid    int `json:"mid"`
	}
	Exported struct{ Promoted bool }
	named    string //nolint:unused // what is passed over
	Word     string
)

type mixed struct {
	Z int `json:"z"`
	middle
	*Exported
	named //nolint:unused // what is passed over
	Word
	Base   base `json:"base"`
	Tagged struct {
		Inner int
	} `json:"tagged"`
	Untagged   string `json:",omitempty"`
	Odd        int    `json:"a.b/c~d"`
	Ignored    func() `json:"-"`
	unexported int    //nolint:unused // what is passed over
	HTML       int    `json:"<x>&"`
	Last       int    `json:"last"`
}

type shadow struct {
	middle
	Mid   string // hides nothing: its name is Mid
	Other int    `json:"mid"`
}

type tagWins struct {
	left // Same, without a tag
	right2
}
type right2 struct {
	Renamed int `json:"Same"`
}

// The members of a schema are those that encoding/json writes, in its order,
// and that the decoder of arguments reads.
func TestFieldsAreThoseOfEncodingJSON(t *testing.T) {
	for name, v := range map[string]any{
		"mixed":   mixed{Exported: &Exported{}, Untagged: "x"},
		"shadow":  shadow{},
		"tagWins": tagWins{},
		"middle":  middle{},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schema.ForInput(reflect.TypeOf(v))
			if err != nil {
				t.Fatal(err)
			}
			var text struct{ Properties json.RawMessage }
			if err := json.Unmarshal(s.JSON(), &text); err != nil {
				t.Fatal(err)
			}
			if got, want := memberNames(t, text.Properties), memberNames(t, want); !slices.Equal(got, want) {
				t.Fatalf("schema has %q, encoding/json %q", got, want)
			}
			own, err := jsonx.MarshalUser(v)
			if err != nil || !slices.Equal(memberNames(t, own), memberNames(t, want)) {
				t.Fatalf("results have %s, %v, encoding/json %s", own, err, want)
			}
			if v := s.Check(want); v != nil {
				t.Fatalf("%s: %v", want, v)
			}
			if v := s.Decode(want, reflect.New(reflect.TypeOf(v)).Interface()); v != nil {
				t.Fatalf("%s: %v", want, v)
			}
		})
	}
}

func memberNames(t *testing.T, object []byte) []string {
	t.Helper()
	var names []string
	err := jsonx.Walk(object, func(d *jsonx.Decoder) error {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return err
			}
			names = append(names, name.String())
			if err := d.SkipValue(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	return names
}

// Members of an embedded pointer are asked for in arguments, so that the
// pointer is never nil; in results it may be, and then they are not there.
func TestEmbeddedPointer(t *testing.T) {
	type outer struct {
		*Exported
		A int
	}
	input, err := schema.ForInput(in[outer]())
	if err != nil {
		t.Fatal(err)
	}
	output, err := schema.ForOutput(in[outer]())
	if err != nil {
		t.Fatal(err)
	}
	const properties = `{"type":"object","properties":{"Promoted":{"type":"boolean"},"A":{"type":"integer"}},"required":`
	if got := string(input.JSON()); got != properties+`["Promoted","A"]}` {
		t.Errorf("input: %s", got)
	}
	if got := string(output.JSON()); got != properties+`["A"]}` {
		t.Errorf("output: %s", got)
	}
}
