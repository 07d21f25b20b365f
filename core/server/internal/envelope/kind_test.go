package envelope_test

import (
	"errors"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// code returns the code of a refusal, 0 for none.
func code(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	refusal, ok := errors.AsType[*envelope.Error](err)
	if !ok {
		t.Fatalf("%T is no *Error: %v", err, err)
	}
	if refusal.Reason == "" {
		t.Fatal("a refusal without a reason")
	}
	return refusal.Code
}

func TestKinds(t *testing.T) {
	for name, tc := range map[string]struct {
		body   string
		kind   envelope.Kind
		id     string
		method string
		code   int
	}{
		"request":                {body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, kind: envelope.Request, id: "1", method: "ping"},
		"members in any order":   {body: ` { "params" : { } , "method" : "ping" , "id" : 1 , "jsonrpc" : "2.0" } ` + "\r\n", kind: envelope.Request, id: "1", method: "ping"},
		"escaped names and text": {body: `{"jsonrpc":"\u0032.0","\u0069d":1,"m\u0065thod":"tools\/call"}`, kind: envelope.Request, id: "1", method: "tools/call"},
		"unknown members":        {body: `{"jsonrpc":"2.0","id":1,"method":"ping","x":{"id":2},"ID":3}`, kind: envelope.Request, id: "1", method: "ping"},
		"empty method":           {body: `{"jsonrpc":"2.0","id":1,"method":""}`, kind: envelope.Request, id: "1"},
		"notification":           {body: `{"jsonrpc":"2.0","method":"notifications/x"}`, kind: envelope.Notification, method: "notifications/x"},
		"result":                 {body: `{"jsonrpc":"2.0","id":"s-1","result":{}}`, kind: envelope.Response, id: `"s-1"`},
		"null result":            {body: `{"jsonrpc":"2.0","id":1,"result":null}`, kind: envelope.Response, id: "1"},
		"error":                  {body: `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}`, kind: envelope.Response, id: "1"},
		"error without a known id": {
			body: `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"x"}}`, kind: envelope.Response,
		},

		"no version":             {body: `{"id":1,"method":"ping"}`, id: "1", code: -32600},
		"other version":          {body: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, id: "1", code: -32600},
		"numeric version":        {body: `{"jsonrpc":2.0,"id":1,"method":"ping"}`, id: "1", code: -32600},
		"numeric method":         {body: `{"jsonrpc":"2.0","id":1,"method":7}`, id: "1", code: -32600},
		"null method":            {body: `{"jsonrpc":"2.0","id":1,"method":null}`, id: "1", code: -32600},
		"surrogate in method":    {body: `{"jsonrpc":"2.0","id":1,"method":"\ud800"}`, id: "1", code: -32600},
		"surrogate elsewhere":    {body: `{"jsonrpc":"2.0","id":1,"method":"x","y":"\udfff"}`, id: "1", code: -32600},
		"method and result":      {body: `{"jsonrpc":"2.0","id":1,"method":"x","result":{}}`, id: "1", code: -32600},
		"result and error":       {body: `{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, id: "1", code: -32600},
		"neither":                {body: `{"jsonrpc":"2.0","id":1}`, id: "1", code: -32600},
		"result without id":      {body: `{"jsonrpc":"2.0","result":{}}`, code: -32600},
		"result of nobody":       {body: `{"jsonrpc":"2.0","id":null,"result":{}}`, code: -32600},
		"error without id":       {body: `{"jsonrpc":"2.0","error":{}}`, code: -32600},
		"T4 other case":          {body: `{"JSONRPC":"2.0","Id":1,"Method":"ping"}`, code: -32600},
		"T4 NUL after the name":  {body: `{"jsonrpc":"2.0","id":1,"method\u0000":"ping"}`, id: "1", code: -32600},
		"T4 long s folds to s":   {body: `{"jſonrpc":"2.0","id":1,"method":"ping"}`, id: "1", code: -32600},
		"empty object":           {body: `{}`, code: -32600},
		"string":                 {body: `"ping"`, code: -32600},
		"string with surrogate":  {body: `"\ud800"`, code: -32600},
		"number":                 {body: `1`, code: -32600},
		"null":                   {body: `null`, code: -32600},
		"version before params":  {body: `{"id":1,"method":"x","params":[]}`, id: "1", code: -32600},
		"surrogate as id":        {body: `{"jsonrpc":"2.0","id":"\ud800","method":"x"}`, code: -32600},
		"surrogate then bad id":  {body: `{"jsonrpc":"2.0","id":1.5,"method":"x","params":{"a":"\ud800"}}`, code: -32600},
		"surrogate in a result":  {body: `{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}`, id: "1", code: -32600},
		"params of a result":     {body: `{"jsonrpc":"2.0","id":1,"result":{},"params":[]}`, kind: envelope.Response, id: "1"},
		"paired surrogates":      {body: `{"jsonrpc":"2.0","id":1,"method":"\ud83d\ude00"}`, kind: envelope.Request, id: "1", method: "😀"},
		"an escape in a name":    {body: `{"jsonrpc":"2.0","id":1,"method":"x","\ud83d\ude00":1}`, kind: envelope.Request, id: "1", method: "x"},
		"replacement character":  {body: `{"jsonrpc":"2.0","id":1,"method":"\ufffd"}`, kind: envelope.Request, id: "1", method: "\ufffd"},
		"surrogate in a name":    {body: `{"jsonrpc":"2.0","id":1,"method":"x","\ud800":1}`, id: "1", code: -32600},
		"surrogate in late name": {body: `{"jsonrpc":"2.0","id":1,"method":"x","params":{"\ud800":1}}`, kind: envelope.Request, id: "1", method: "x", code: -32602},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parsed([]byte(tc.body))
			if got := code(t, err); got != tc.code {
				t.Fatalf("code %d (%v), want %d", got, err, tc.code)
			}
			if string(m.ID) != tc.id {
				t.Errorf("id %s, want %s", m.ID, tc.id)
			}
			if tc.code == -32600 {
				return
			}
			if m.Kind != tc.kind || m.Method != tc.method {
				t.Errorf("kind %d, method %q, want %d, %q", m.Kind, m.Method, tc.kind, tc.method)
			}
		})
	}
}

// T3: an id is echoed as it was spelled, or refused.
func TestIDs(t *testing.T) {
	for _, id := range []string{
		`0`, `-0`, `-7`, `1`, `9007199254740993`, `123456789012345678901234567890`,
		`""`, `"a"`, `"\u0061"`, `" "`, `"1.5"`, `"null"`, `"\ud83d\ude00"`, `"é"`, `"\/"`,
	} {
		m, err := parsed([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`))
		if err != nil || m.Kind != envelope.Request || string(m.ID) != id {
			t.Errorf("%s: kind %d, id %s, %v", id, m.Kind, m.ID, err)
		}
	}
	for _, id := range []string{`1.5`, `1.0`, `1e3`, `1E3`, `null`, `true`, `{}`, `[]`, `[1]`, `{"a":1}`, `"\udc00"`} {
		m, err := parsed([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`))
		if code(t, err) != -32600 || m.ID != nil {
			t.Errorf("%s: id %s, %v", id, m.ID, err)
		}
	}
}

func TestResponseMembers(t *testing.T) {
	m, err := parsed([]byte(`{"jsonrpc":"2.0","id":1,"result": {"a":1} }`))
	if err != nil || string(m.Result) != `{"a":1}` || m.Error != nil {
		t.Errorf("result %s, error %s, %v", m.Result, m.Error, err)
	}
	m, err = parsed([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":1}}`))
	if err != nil || string(m.Error) != `{"code":1}` || m.Result != nil {
		t.Errorf("result %s, error %s, %v", m.Result, m.Error, err)
	}
}
