package envelope_test

import (
	"reflect"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

func parse(t *testing.T, body string) envelope.Message {
	t.Helper()
	m, err := parsed([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return m
}

// parsed is Parse with a new message.
func parsed(body []byte) (m envelope.Message, err error) {
	err = m.Parse(body)
	return m, err
}

func parsedCarefully(body []byte) (m envelope.Message, err error) {
	err = m.Careful(body)
	return m, err
}

func request(params string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"m","params":` + params + `}`
}

var params = map[string]envelope.Param{
	"name": envelope.ParamName, "uri": envelope.ParamURI, "arguments": envelope.ParamArguments, "cursor": envelope.ParamCursor,
	"inputResponses": envelope.ParamInputResponses, "requestState": envelope.ParamRequestState,
	"ref": envelope.ParamRef, "argument": envelope.ParamArgument, "context": envelope.ParamContext,
	"notifications": envelope.ParamNotifications, "level": envelope.ParamLevel,
	"protocolVersion": envelope.ParamProtocolVersion, "capabilities": envelope.ParamCapabilities,
	"clientInfo": envelope.ParamClientInfo, "requestId": envelope.ParamRequestID, "reason": envelope.ParamReason,
}

var metas = map[string]envelope.MetaMember{
	"io.modelcontextprotocol/protocolVersion":    envelope.MetaProtocolVersion,
	"io.modelcontextprotocol/clientCapabilities": envelope.MetaClientCapabilities,
	"io.modelcontextprotocol/clientInfo":         envelope.MetaClientInfo,
	"io.modelcontextprotocol/logLevel":           envelope.MetaLogLevel,
	"progressToken":                              envelope.MetaProgressToken,
	"traceparent":                                envelope.MetaTraceparent,
	"tracestate":                                 envelope.MetaTracestate,
	"baggage":                                    envelope.MetaBaggage,
}

// set returns the members that get has, of so many.
func set[M ~uint8](count int, get func(M) []byte) map[M]string {
	out := map[M]string{}
	for i := range count {
		if value := get(M(i)); value != nil {
			out[M(i)] = string(value)
		}
	}
	return out
}

// contents are what a message says, wherever in its body that stood.
func contents(m envelope.Message) []any {
	return []any{
		m.Kind, string(m.ID), m.Method, m.Result, m.Error, m.Batch, m.Params.Present, m.Params.Meta.Present,
		set(envelope.ParamCount, m.Params.Get), set(envelope.MetaCount, m.Params.Meta.Get),
	}
}

func TestEveryMember(t *testing.T) {
	values := []string{`"text"`, `{"a": [1, 2]}`, `[ ]`, `-1.50e2`, `true`, `""`, `0`, `false`, `{}`}
	for name, member := range params {
		for _, value := range values {
			params := `{ "other":1, "` + name + `" : ` + value + ` , "x":{} }`
			m := parse(t, request(params))
			want := map[envelope.Param]string{envelope.ParamRaw: params, member: value}
			if got := set(envelope.ParamCount, m.Params.Get); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, want %q", params, got, want)
			}
		}
		m := parse(t, request(`{"`+name+`":null}`))
		if got := set(envelope.ParamCount, m.Params.Get); len(got) != 1 {
			t.Errorf("null %s is there: %q", name, got)
		}
	}
	for name, member := range metas {
		for _, value := range values {
			m := parse(t, request(`{"_meta":{"other":1,"`+name+`" : `+value+` }}`))
			want := map[envelope.MetaMember]string{member: value}
			if got := set(envelope.MetaCount, m.Params.Meta.Get); !m.Params.Meta.Present || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		m := parse(t, request(`{"_meta":{"`+name+`":null}}`))
		if got := set(envelope.MetaCount, m.Params.Meta.Get); len(got) != 0 {
			t.Errorf("null %s is there: %q", name, got)
		}
	}
	if len(params)+1 != envelope.ParamCount || len(metas) != envelope.MetaCount {
		t.Errorf("there are %d and %d members, %d and %d are tested", envelope.ParamCount, envelope.MetaCount, len(params)+1, len(metas))
	}
}

// T4: names match exactly, and members of inner objects are not taken for ours.
func TestExactNames(t *testing.T) {
	m := parse(t, request(`{"Name":"admin","NAME":"admin","name\u0000":"admin","arguments":{"name":"admin","_meta":{"progressToken":1}},"name":"safe"}`))
	if name, ok := envelope.Text(m.Params.Get(envelope.ParamName)); !ok || name != "safe" || m.Params.Meta.Present {
		t.Errorf("name %q, meta %v", name, m.Params.Meta.Present)
	}
	if m := parse(t, request(`{"Name":"admin"}`)); m.Params.Get(envelope.ParamName) != nil {
		t.Errorf("name %s", m.Params.Get(envelope.ParamName))
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
			m, err := parsed([]byte(request(tc.params)))
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
			m, err = parsed([]byte(`{"jsonrpc":"2.0","method":"m","params":` + tc.params + `}`))
			if err != nil || m.Kind != envelope.Notification {
				t.Errorf("as a notification: kind %d, %v", m.Kind, err)
			}
		})
	}
}

// What is refused for one string still tells which era it belongs to.
func TestVersionSurvivesASurrogate(t *testing.T) {
	m, err := parsed([]byte(request(`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"arguments":{"a":"\ud800"}}`)))
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
