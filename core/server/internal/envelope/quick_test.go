package envelope_test

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// same holds the quick way and the decoder to the same answer.
func same(t *testing.T, body []byte) {
	t.Helper()
	got, err := parsed(body)
	want, wantErr := parsedCarefully(body)
	if !reflect.DeepEqual(contents(got), contents(want)) || got.Params.Meta.Problem() != want.Params.Meta.Problem() || !reflect.DeepEqual(err, wantErr) {
		t.Errorf("%.200q: %+v, %v; the decoder says %+v, %v", body, got, err, want, wantErr)
	}
	// What the decoder has nothing to say against is for the quick way, batches
	// and what is no object aside.
	fine := wantErr == nil && want.Kind != envelope.Batch
	if fine && !envelope.Quick(body) {
		t.Errorf("%.200q is not taken by the quick way", body)
	}
}

func FuzzQuick(f *testing.F) {
	for _, seed := range quickBodies() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		same(t, body)
		same(t, []byte(call(string(body))))
		same(t, []byte(call(`"`+string(body)+`"`)))
	})
}

func quickBodies() []string {
	return []string{
		smallCall, ping, notice, answer, modern, badParam, "", " ", "{}", "[]", "{}x", "{} \n", "\xef\xbb\xbf" + ping,
		call(`{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}`), call(`{"a":1,"\u0061":2}`), call(`{"":1,"":2}`),
		call(strings.Repeat("[", 120) + strings.Repeat("]", 120)), call(strings.Repeat("[", 130) + strings.Repeat("]", 130)),
		call(strings.Repeat(`{"a":`, 126) + "1" + strings.Repeat("}", 126)), call(strings.Repeat(`{"a":`, 127) + "1" + strings.Repeat("}", 127)),
		call(members(16)), call(members(17)), call(members(40)), call(members(40)[:1] + `"m7":1,` + members(40)[1:]),
		`{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}`, `{"jsonrpc":"2.0","id":1,"method":"x","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":7}}`, `{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":null,"name":null}}`,
		`{"jsonrpc":"2.0","method":"x","params":7}`, `{"jsonrpc":"2.0","id":null,"error":{}}`, `{"id":1,"id":1}`,
	}
}

func TestQuick(t *testing.T) {
	for _, body := range quickBodies() {
		same(t, []byte(body))
	}
	for _, value := range []string{
		`0`, `-0`, `01`, `-`, `1.`, `.5`, `1.5`, `1e5`, `1E+5`, `1e-`, `1e`, `+1`, `0x1`, `--1`, `1.5e3.2`, `00`, `-01`, `1_000`,
		`true`, `false`, `null`, `tru`, `nul`, `True`, `nulll`, `truefalse`, `NaN`,
		`"\u00e9"`, `"\u00E9\n\t\b\f\r\/\\\""`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\"`, `"`, `"\`, `"\u`,
		`"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\n"`, `"\ud83d\ud83d"`, `"\ude00\ud83d"`, `"\udfff"`, `"\ue000"`, `"\ud7ff"`,
		"\"\x1f\"", "\"\x00\"", "\"\x7f\"", "\"\t\"", "\"\xff\"", "\"\xc3\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\ufffd\"", "\"é😀\"",
		`[]`, `[1]`, `[1,]`, `[,1]`, `[1 2]`, `[1,2`, `[`, `]`, `{}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,"a":1}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":1`, `{"a" : 1 , "b" : [ ] }`,
		`{"a":[{"b":1,"b":2}]}`, `[{"a":1},{"a":1}]`, `{"a\u0000":1,"a":2}`, `{"\ud800":1}`, `{"é":1,"\u00e9":2}`,
	} {
		for _, space := range []string{"", " ", "\r\n\t", "\v"} {
			same(t, []byte(call(space+value+space)))
			same(t, []byte(space+value+space))
		}
	}
}

// A byte that ends or breaks a string is found wherever it stands, whatever
// stands behind it.
func TestQuickFindsEveryByte(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			text := bytes.Repeat([]byte{'a'}, 24)
			text[at] = byte(c)
			same(t, []byte(call(`"`+string(text)+`"`)))
			text[at+1], text[at+2] = byte(c)+1, '!'
			same(t, []byte(call(`"`+string(text)+`"`)))
		}
	}
}

// Names are told apart beyond the number that is compared one by one.
func TestQuickManyNames(t *testing.T) {
	for _, n := range []int{15, 16, 17, 18, 64, 1000} {
		object := members(n)
		same(t, []byte(call(object)))
		for _, i := range []int{0, n / 2, n - 1} {
			twice := object[:len(object)-1] + `,"m` + strconv.Itoa(i) + `":2}`
			same(t, []byte(call(twice)))
			if envelope.Quick([]byte(call(twice))) {
				t.Errorf("%d names: the repeated m%d is taken", n, i)
			}
		}
	}
}
