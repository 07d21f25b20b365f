package envelope_test

import (
	"reflect"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

func parse(t *testing.T, body string) envelope.Message {
	t.Helper()
	m, err := envelope.Parse([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return m
}

func request(params string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"m","params":` + params + `}`
}

// fields maps each raw member of Params to its Go field.
var fields = map[string]string{
	"name": "Name", "uri": "URI", "arguments": "Arguments", "cursor": "Cursor",
	"inputResponses": "InputResponses", "requestState": "RequestState",
	"ref": "Ref", "argument": "Argument", "context": "Context",
	"notifications": "Notifications", "level": "Level",
	"protocolVersion": "ProtocolVersion", "capabilities": "Capabilities", "clientInfo": "ClientInfo",
	"requestId": "RequestID", "reason": "Reason",
}

var metaFields = map[string]string{
	"io.modelcontextprotocol/protocolVersion":    "ProtocolVersion",
	"io.modelcontextprotocol/clientCapabilities": "ClientCapabilities",
	"io.modelcontextprotocol/clientInfo":         "ClientInfo",
	"io.modelcontextprotocol/logLevel":           "LogLevel",
	"progressToken":                              "ProgressToken",
	"traceparent":                                "Traceparent",
	"tracestate":                                 "Tracestate",
	"baggage":                                    "Baggage",
}

// raw returns the byte slice members of v by name, those that are set.
func raw(v any) map[string]string {
	out := map[string]string{}
	value := reflect.ValueOf(v)
	for i := range value.NumField() {
		if f := value.Field(i); f.Kind() == reflect.Slice && !f.IsNil() {
			out[value.Type().Field(i).Name] = string(f.Bytes())
		}
	}
	return out
}

func TestEveryMember(t *testing.T) {
	values := []string{`"text"`, `{"a": [1, 2]}`, `[ ]`, `-1.50e2`, `true`, `""`, `0`, `false`, `{}`}
	for name, field := range fields {
		for _, value := range values {
			params := `{ "other":1, "` + name + `" : ` + value + ` , "x":{} }`
			m := parse(t, request(params))
			want := map[string]string{"Raw": params, field: value}
			if got := raw(m.Params); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, want %q", params, got, want)
			}
		}
		if got := raw(parse(t, request(`{"`+name+`":null}`)).Params); len(got) != 1 {
			t.Errorf("null %s is there: %q", name, got)
		}
	}
	for name, field := range metaFields {
		for _, value := range values {
			m := parse(t, request(`{"_meta":{"other":1,"`+name+`" : `+value+` }}`))
			want := map[string]string{field: value}
			if got := raw(m.Params.Meta); !m.Params.Meta.Present || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		if got := raw(parse(t, request(`{"_meta":{"`+name+`":null}}`)).Params.Meta); len(got) != 0 {
			t.Errorf("null %s is there: %q", name, got)
		}
	}
	if n := reflect.TypeFor[envelope.Params]().NumField(); n != len(fields)+3 {
		t.Errorf("Params has %d fields, %d are tested", n, len(fields)+3)
	}
	if n := reflect.TypeFor[envelope.Meta]().NumField(); n != len(metaFields)+1 {
		t.Errorf("Meta has %d fields, %d are tested", n, len(metaFields)+1)
	}
}

// T4: names match exactly, and members of inner objects are not taken for ours.
func TestExactNames(t *testing.T) {
	m := parse(t, request(`{"Name":"admin","NAME":"admin","name\u0000":"admin","arguments":{"name":"admin","_meta":{"progressToken":1}},"name":"safe"}`))
	if name, ok := envelope.Text(m.Params.Name); !ok || name != "safe" || m.Params.Meta.Present {
		t.Errorf("name %q, meta %v", name, m.Params.Meta.Present)
	}
	if m := parse(t, request(`{"Name":"admin"}`)); m.Params.Name != nil {
		t.Errorf("name %s", m.Params.Name)
	}
}

func TestParamsShape(t *testing.T) {
	for name, tc := range map[string]struct {
		params  string
		code    int
		present bool
		meta    bool
	}{
		"object":             {params: `{}`, present: true},
		"null counts absent": {params: `null`},
		"with meta":          {params: `{"_meta":{}}`, present: true, meta: true},
		"null meta":          {params: `{"_meta":null}`, present: true},

		"array":               {params: `[]`, code: -32602, present: true},
		"text":                {params: `"x"`, code: -32602, present: true},
		"surrogate in text":   {params: `"\ud800"`, code: -32602, present: true},
		"number":              {params: `0`, code: -32602, present: true},
		"boolean":             {params: `false`, code: -32602, present: true},
		"meta array":          {params: `{"_meta":[]}`, code: -32602, present: true, meta: true},
		"meta text":           {params: `{"_meta":""}`, code: -32602, present: true, meta: true},
		"surrogate":           {params: `{"a":"\ud800"}`, code: -32602, present: true},
		"surrogate, low":      {params: `{"a":"\udc00x"}`, code: -32602, present: true},
		"surrogates, swapped": {params: `{"a":"\udc00\ud800"}`, code: -32602, present: true},
		"surrogate in meta":   {params: `{"_meta":{"a":"\uD800\u0041"}}`, code: -32602, present: true, meta: true},
		"surrogate in a name": {params: `{"arguments":{"\ud83d":1}}`, code: -32602, present: true},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := envelope.Parse([]byte(request(tc.params)))
			if code(t, err) != tc.code {
				t.Fatalf("got %v, want %d", err, tc.code)
			}
			if string(m.ID) != "7" || m.Kind != envelope.Request || m.Method != "m" {
				t.Errorf("the rest was lost: %+v", m)
			}
			if m.Params.Present != tc.present || m.Params.Meta.Present != tc.meta {
				t.Errorf("params %v, meta %v", m.Params.Present, m.Params.Meta.Present)
			}
			// The same as a notification is nobody's error: 202.
			m, err = envelope.Parse([]byte(`{"jsonrpc":"2.0","method":"m","params":` + tc.params + `}`))
			if err != nil || m.Kind != envelope.Notification {
				t.Errorf("as a notification: kind %d, %v", m.Kind, err)
			}
		})
	}
}

// What is refused for one string still tells which era it belongs to.
func TestVersionSurvivesASurrogate(t *testing.T) {
	m, err := envelope.Parse([]byte(request(`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"arguments":{"a":"\ud800"}}`)))
	if code(t, err) != -32602 {
		t.Fatal(err)
	}
	if version, problem := m.Params.Meta.Version(); version != "2026-07-28" || problem != "" {
		t.Fatalf("version %q, %s", version, problem)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`""`: "", `"a b"`: "a b", `"\u0061\n\"\\"`: "a\n\"\\", `"é"`: "é", `"\ud83d\ude00"`: "😀",
	} {
		if got, ok := envelope.Text([]byte(in)); !ok || got != want {
			t.Errorf("%s: %q, %v", in, got, ok)
		}
	}
	for _, in := range []string{``, `1`, `null`, `{}`, `["a"]`, `"\ud800"`, `"`} {
		if got, ok := envelope.Text([]byte(in)); ok {
			t.Errorf("%s: %q", in, got)
		}
	}
}
