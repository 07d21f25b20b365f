package envelope_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		smallCall, ping, notice, answer, modern, badParam, call(`{"a":[1,{"b":null}]}`),
		`[` + ping + `,` + notice + `]`, `{"id":1,"id":2}`, `{"\u0069d":"x","a":1,"a":2}`, `{"id":12`, call(`[[[[`),
		`{"jsonrpc":"2.0","id":"\ud800","method":"x","params":{"_meta":{"progressToken":1}}}`, "\xef\xbb\xbf{}", "{\"id\":1,\"a\":\"\xff\"}", ` `,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		m, err := parsed(body)
		if !bytes.Equal(before, body) {
			t.Fatal("the body changed")
		}
		agrees(t, body, err)
		echoes(t, body, m, err)
		if m.Batch != nil {
			_, _ = m.Elements()
		}
		_, _ = m.Params.Meta.Version()
		_ = m.Params.Meta.Problem()
		_, _ = envelope.InputResponses(m.Params.Get(envelope.ParamInputResponses))
		if err != nil {
			return
		}
		again, err := parsed(append(append([]byte("\n "), body...), '\t'))
		if err != nil || !reflect.DeepEqual(contents(m), contents(again)) {
			t.Fatalf("a second time: %+v, %v, first %+v", again, err, m)
		}
		if m.Kind == envelope.Batch || depth(t, body) == envelope.MaxDepth {
			return
		}
		batch := parse(t, "["+string(body)+"]")
		element, err := parsed(batch.Batch[0])
		if err != nil || !reflect.DeepEqual(contents(m), contents(element)) {
			t.Fatalf("in a batch: %+v, %v, alone %+v", element, err, m)
		}
	})
}

// agrees holds −32700 against another parser and the rules that are stricter.
func agrees(t *testing.T, body []byte, err error) {
	t.Helper()
	refused := code(t, err) == -32700
	want := !json.Valid(body) || !utf8.Valid(body) || depth(t, body) > envelope.MaxDepth || repeats(t, body)
	if refused != want {
		t.Fatalf("refused %v (%v), want %v", refused, err, want)
	}
}

// echoes holds the id against another parser.
func echoes(t *testing.T, body []byte, m envelope.Message, err error) {
	t.Helper()
	if m.ID != nil && m.ID[0] != '"' {
		for i, c := range m.ID {
			if (c < '0' || c > '9') && (c != '-' || i > 0) {
				t.Fatalf("id %s", m.ID)
			}
		}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return // broken somewhere; an id may have been read before that
	}
	if m.ID != nil && !bytes.Equal(m.ID, members["id"]) {
		t.Fatalf("id %s, want %s", m.ID, members["id"])
	}
	var n json.Number
	if m.ID == nil && err == nil && m.Kind == envelope.Request {
		t.Fatal("a request without an id")
	}
	if m.ID == nil && code(t, err) != -32700 && json.Unmarshal(members["id"], &n) == nil && !bytes.ContainsAny(members["id"], `.eE"n`) && n != "" {
		t.Fatalf("id %s was lost", members["id"])
	}
}

// depth is the nesting of valid JSON, -1 for anything else.
func depth(t *testing.T, body []byte) int {
	t.Helper()
	if !json.Valid(body) {
		return -1
	}
	deepest, now := 0, 0
	for tok := range tokens(t, body) {
		switch tok {
		case json.Delim('{'), json.Delim('['):
			now++
			deepest = max(deepest, now)
		case json.Delim('}'), json.Delim(']'):
			now--
		}
	}
	return deepest
}

// repeats reports whether an object of valid JSON repeats a member name.
func repeats(t *testing.T, body []byte) bool {
	t.Helper()
	type level struct {
		names map[string]bool // nil in an array
		value bool            // a name stands before the next token
	}
	var stack []level
	for tok := range tokens(t, body) {
		switch tok {
		case json.Delim('{'):
			stack = append(stack, level{names: map[string]bool{}})
			continue
		case json.Delim('['):
			stack = append(stack, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:len(stack)-1]
		default:
			if top := len(stack) - 1; top >= 0 && stack[top].names != nil && !stack[top].value {
				name, _ := tok.(string)
				if stack[top].names[name] {
					return true
				}
				stack[top].names[name] = true
				stack[top].value = true
				continue
			}
		}
		if top := len(stack) - 1; top >= 0 {
			stack[top].value = false
		}
	}
	return false
}

func tokens(t *testing.T, body []byte) func(func(json.Token) bool) {
	t.Helper()
	return func(yield func(json.Token) bool) {
		d := json.NewDecoder(bytes.NewReader(body))
		d.UseNumber()
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("%v in %q", err, body)
			}
			if !yield(tok) {
				return
			}
		}
	}
}
