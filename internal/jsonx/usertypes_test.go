package jsonx_test

import (
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
)

func TestOwnMethods(t *testing.T) {
	for name, tc := range map[string]struct {
		t                          reflect.Type
		json, text, pointer, parse bool
	}{
		"plain":    {t: reflect.TypeFor[user]()},
		"duration": {t: reflect.TypeFor[time.Duration]()},
		"time":     {t: reflect.TypeFor[time.Time](), json: true, text: true, pointer: true, parse: true},
		"address":  {t: reflect.TypeFor[netip.Addr](), text: true, pointer: true, parse: true},
		"big":      {t: reflect.TypeFor[big.Int](), json: true, pointer: true, parse: true},
		"raw":      {t: reflect.TypeFor[jsonx.RawMessage](), json: true},
		"v2":       {t: reflect.TypeFor[jsonx.Value](), json: true},
	} {
		t.Run(name, func(t *testing.T) {
			text, pointer, parse := jsonx.OwnText(tc.t)
			if own := jsonx.OwnJSON(tc.t); own != tc.json || text != tc.text || pointer != tc.pointer || parse != tc.parse {
				t.Fatalf("got %v, %v %v %v", own, text, pointer, parse)
			}
		})
	}
}

func TestWhere(t *testing.T) {
	type item struct {
		At netip.Addr `json:"at"`
		N  int        `json:"n"`
	}
	type order struct {
		Items []item         `json:"items"`
		Count map[string]int `json:"count"`
	}
	for in, want := range map[string]string{
		`{"items":[{"at":"10.0.0.1"},{"at":"x"}]}`: "/items/1/at",
		`{"items":[{"n":1.5}]}`:                    "/items/0/n",
		`{"count":{"a/b":"x"}}`:                    "/count/a~1b",
		`{"items":[]}`:                             "",
		`[]`:                                       "",
	} {
		if got := jsonx.Where([]byte(in), new(order)); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestAppendUnquote(t *testing.T) {
	got, err := jsonx.AppendUnquote([]byte("a"), []byte(`"\u00e9\n"`))
	if err != nil || string(got) != "aé\n" {
		t.Fatalf("got %q, %v", got, err)
	}
}
