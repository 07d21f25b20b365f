package envelope_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

func TestVersion(t *testing.T) {
	const key = `"io.modelcontextprotocol/protocolVersion"`
	for name, tc := range map[string]struct {
		params, version, problem string
	}{
		"given":      {params: `{"_meta":{` + key + `:"2026-07-28"}}`, version: "2026-07-28"},
		"escaped":    {params: `{"_meta":{` + key + `:"2026\u002d07-28"}}`, version: "2026-07-28"},
		"empty":      {params: `{"_meta":{` + key + `:""}}`},
		"no params":  {params: `null`, problem: "_meta is missing"},
		"no meta":    {params: `{}`, problem: "_meta is missing"},
		"empty meta": {params: `{"_meta":{}}`, problem: "has no " + strings.Trim(key, `"`)},
		"null":       {params: `{"_meta":{` + key + `:null}}`, problem: "has no " + strings.Trim(key, `"`)},
		"number":     {params: `{"_meta":{` + key + `:20260728}}`, problem: "must be a string"},
		"object":     {params: `{"_meta":{` + key + `:{}}}`, problem: "must be a string"},
	} {
		t.Run(name, func(t *testing.T) {
			m := parse(t, request(tc.params))
			version, problem := m.Params.Meta.Version()
			if version != tc.version || (tc.problem == "") != (problem == "") || !strings.Contains(problem, tc.problem) {
				t.Fatalf("got %q, %q", version, problem)
			}
		})
	}
}

func TestMetaProblem(t *testing.T) {
	const pre = "io.modelcontextprotocol/"
	for name, tc := range map[string]struct {
		members, problem string // problem is the member that is named
	}{
		"capabilities only":    {members: `"` + pre + `clientCapabilities":{}`},
		"everything":           {members: `"` + pre + `clientCapabilities":{"x":1},"` + pre + `clientInfo":{"name":"","version":"1","title":3},"` + pre + `logLevel":"notice","progressToken":0,"traceparent":"a","tracestate":"","baggage":"b"`},
		"nulls are absent":     {members: `"` + pre + `clientCapabilities":{},"` + pre + `clientInfo":null,"` + pre + `logLevel":null,"progressToken":null,"traceparent":null,"tracestate":null,"baggage":null`},
		"nothing":              {members: `"a":1`, problem: pre + "clientCapabilities"},
		"null capabilities":    {members: `"` + pre + `clientCapabilities":null`, problem: pre + "clientCapabilities"},
		"list of capabilities": {members: `"` + pre + `clientCapabilities":[]`, problem: pre + "clientCapabilities"},
		"true as capabilities": {members: `"` + pre + `clientCapabilities":true`, problem: pre + "clientCapabilities"},
	} {
		t.Run(name, func(t *testing.T) { checkProblem(t, tc.members, tc.problem) })
	}
	for member, values := range map[string]struct{ good, bad []string }{
		pre + "clientInfo": {
			good: []string{`{"name":"a","version":"b"}`, `{"version":"","name":"","icons":[]}`, `{"n\u0061me":"a","version":"b"}`},
			bad: []string{
				`"a"`, `[]`, `{}`, `{"name":"a"}`, `{"version":"b"}`, `{"name":1,"version":"b"}`, `{"name":"a","version":2}`,
				`{"name":null,"version":"b"}`, `{"Name":"a","version":"b"}`, `{"x":{"name":"a","version":"b"}}`,
			},
		},
		pre + "logLevel": {
			good: []string{`"debug"`, `"info"`, `"notice"`, `"warning"`, `"error"`, `"critical"`, `"alert"`, `"emergency"`, `"\u0069nfo"`},
			bad:  []string{`"warn"`, `"INFO"`, `""`, `"fatal"`, `3`, `{}`, `["info"]`},
		},
		"progressToken": {
			good: []string{`""`, `"a"`, `0`, `-1`, `9007199254740993`},
			bad:  []string{`1.0`, `1e3`, `true`, `{}`, `[]`},
		},
		"traceparent": {good: []string{`""`, `"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`}, bad: []string{`0`, `{}`, `[]`, `false`}},
		"tracestate":  {good: []string{`""`}, bad: []string{`0`, `{}`}},
		"baggage":     {good: []string{`""`}, bad: []string{`0`, `{}`}},
	} {
		for _, value := range values.good {
			checkProblem(t, `"`+pre+`clientCapabilities":{},"`+member+`":`+value, "")
		}
		for _, value := range values.bad {
			checkProblem(t, `"`+pre+`clientCapabilities":{},"`+member+`":`+value, member)
		}
	}
}

func checkProblem(t *testing.T, members, problem string) {
	t.Helper()
	m := parse(t, request(`{"_meta":{`+members+`}}`))
	got := m.Params.Meta.Problem()
	if (problem == "") != (got == "") || !strings.Contains(got, problem) {
		t.Errorf("%s: got %q, want a problem with %q", members, got, problem)
	}
}

func TestLogLevel(t *testing.T) {
	if got := envelope.LogLevel([]byte(`"warning"`)); got != "warning" {
		t.Errorf("got %q", got)
	}
	if got := envelope.LogLevel(nil); got != "" {
		t.Errorf("got %q", got)
	}
}
