package envelope_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/envelope"
)

// call is a request with the given arguments.
func call(arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":` + arguments + `}}`
}

func TestNotJSON(t *testing.T) {
	for name, tc := range map[string]struct {
		body, id, reason string
	}{
		"empty":       {body: ``, reason: "empty"},
		"white space": {body: " \r\n\t", reason: "empty"},
		"plain text":  {body: `hello`, reason: "not valid JSON"},
		"form":        {body: `a=b&c=d`, reason: "not valid JSON"},

		"T6 second message":        {body: call(`{}`) + `{"id":8}`, id: "7", reason: "after the message"},
		"T6 trailing letter":       {body: call(`{}`) + ` x`, id: "7", reason: "after the message"},
		"T6 trailing NUL":          {body: call(`{}`) + "\x00", id: "7", reason: "after the message"},
		"T6 trailing comma":        {body: call(`{}`) + `,`, id: "7", reason: "after the message"},
		"T6 after a batch":         {body: `[` + call(`{}`) + `]]`, reason: "after the message"},
		"T4 name repeated":         {body: `{"jsonrpc":"2.0","id":7,"method":"a","method":"b"}`, id: "7", reason: "repeated"},
		"T4 repeated by an escape": {body: `{"jsonrpc":"2.0","id":7,"method":"a","m\u0065thod":"b"}`, id: "7", reason: "repeated"},
		"T4 repeated in arguments": {body: call(`{"a":1,"b":[{"c":1,"\u0063":2}]}`), id: "7", reason: "repeated"},
		"T4 params repeated":       {body: `{"jsonrpc":"2.0","id":7,"method":"a","params":{},"params":{}}`, id: "7", reason: "repeated"},
		"T4 in _meta":              {body: `{"jsonrpc":"2.0","id":7,"method":"a","params":{"_meta":{"a":1,"a":1}}}`, id: "7", reason: "repeated"},
		"T4 id repeated":           {body: `{"jsonrpc":"2.0","id":7,"method":"a","id":7}`, reason: "repeated"},
		"T4 id repeated, escaped":  {body: `{"jsonrpc":"2.0","id":7,"method":"a","\u0069d":8}`, reason: "repeated"},
		"T4 id repeated, bad kind": {body: `{"jsonrpc":"2.0","id":7,"method":"a","id":{}}`, reason: "repeated"},
		"T4 in a batch":            {body: `[{"a":1,"a":2}]`, reason: "repeated"},
		"fraction as id":           {body: `{"jsonrpc":"2.0","id":1.5,"method":"a","a":1,"a":2}`, reason: "repeated"},
		"exponent as id":           {body: `{"jsonrpc":"2.0","id":1e3,"a":1,"a":2}`, reason: "repeated"},
		"null as id":               {body: `{"jsonrpc":"2.0","id":null,"a":1,"a":2}`, reason: "repeated"},
		"lone surrogate as id":     {body: `{"jsonrpc":"2.0","id":"\ud800","a":1,"a":2}`, reason: "repeated"},
		"repeated before the id":   {body: `{"jsonrpc":"2.0","params":{"a":1,"a":2},"id":7,"method":"a"}`, id: "7", reason: "repeated"},

		"byte order mark":          {body: "\xef\xbb\xbf" + call(`{}`), reason: "byte order mark"},
		"invalid UTF-8":            {body: call("{\"a\":\"\xff\"}"), id: "7", reason: "UTF-8"},
		"invalid UTF-8 in a name":  {body: call("{\"\xc3\":1}"), id: "7", reason: "UTF-8"},
		"invalid UTF-8 as id":      {body: "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"a\"}", reason: "UTF-8"},
		"UTF-8 surrogate":          {body: call("{\"a\":\"\xed\xa0\x80\"}"), id: "7", reason: "UTF-8"},
		"overlong":                 {body: call("{\"a\":\"\xc0\xaf\"}"), id: "7", reason: "UTF-8"},
		"UTF-16":                   {body: "{\x00\"\x00", reason: "not valid JSON"},
		"control character":        {body: call("{\"a\":\"\n\"}"), id: "7", reason: "not valid JSON"},
		"single quotes":            {body: `{'id':7}`, reason: "not valid JSON"},
		"comment":                  {body: `{"id":7,/**/"method":"a"}`, id: "7", reason: "not valid JSON"},
		"trailing comma in object": {body: `{"id":7,}`, id: "7", reason: "not valid JSON"},
		"leading zero":             {body: `{"jsonrpc":"2.0","id":07,"method":"a"}`, reason: "not valid JSON"},
		"plus sign":                {body: `{"id":+7}`, reason: "not valid JSON"},
		"NaN":                      {body: call(`{"a":NaN}`), id: "7", reason: "not valid JSON"},
		"bad escape":               {body: call(`{"a":"\x"}`), id: "7", reason: "not valid JSON"},
		"cut off after the id":     {body: `{"id":7,`, id: "7", reason: "not valid JSON"},
		"cut off in the id":        {body: `{"id":7`, reason: "not valid JSON"},
		"cut off in the text id":   {body: `{"id":"7`, reason: "not valid JSON"},
		"rubbish in the id":        {body: `{"id":7x,"method":"a"}`, reason: "not valid JSON"},
		"cut off in params":        {body: `{"id":7,"params":{"a":[1,`, id: "7", reason: "not valid JSON"},
		"cut off at a surrogate":   {body: `{"id":7,"params":"\ud800`, id: "7", reason: "not valid JSON"},
		"surrogate, then rubbish":  {body: `{"id":7,"params":{"a":"\ud800"},x}`, id: "7", reason: "not valid JSON"},
		"surrogate, then repeated": {body: `{"id":7,"params":{"a":"\ud800","a":1}}`, id: "7", reason: "repeated"},
		"mismatched":               {body: `{"id":7,"params":[}}`, id: "7", reason: "not valid JSON"},
		"numeric name":             {body: `{"id":7,1:2}`, id: "7", reason: "not valid JSON"},
		"id only inside":           {body: `{"params":{"id":7},}`, reason: "not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parsed([]byte(tc.body))
			if code(t, err) != -32700 || !strings.Contains(err.Error(), tc.reason) {
				t.Fatalf("got %v, want −32700 with %q", err, tc.reason)
			}
			if string(m.ID) != tc.id {
				t.Errorf("id %s, want %q", m.ID, tc.id)
			}
		})
	}
}

// T6: the message itself is the first level.
func TestDepth(t *testing.T) {
	nested := func(open, shut string, n int) string {
		return call(strings.Repeat(open, n) + "1" + strings.Repeat(shut, n))
	}
	const inside = envelope.MaxDepth - 2 // message and params
	for name, tc := range map[string]struct {
		body string
		fine bool
	}{
		"arrays at the limit":     {body: nested("[", "]", inside), fine: true},
		"objects at the limit":    {body: nested(`{"a":`, "}", inside), fine: true},
		"arrays over the limit":   {body: nested("[", "]", inside+1)},
		"objects over the limit":  {body: nested(`{"a":`, "}", inside+1)},
		"hidden before a string":  {body: call(`["\\",` + strings.Repeat("[", inside) + `"]]]]]]]]"` + strings.Repeat("]", inside) + `]`)},
		"wide at the limit":       {body: call(`[{},[],` + strings.Repeat("[", inside-1) + strings.Repeat("]", inside-1) + `]`), fine: true},
		"wide over the limit":     {body: call(`[{},[],` + strings.Repeat("[", inside) + strings.Repeat("]", inside) + `]`)},
		"wide, not deep":          {body: call(`[` + strings.Repeat(`[],{},`, 1000) + `1]`), fine: true},
		"brackets in a string":    {body: call(`"` + strings.Repeat(`[{\"[{\\`, 1000) + `"`), fine: true},
		"T6 ten thousand arrays":  {body: nested("[", "]", 10_000)},
		"T6 ten thousand objects": {body: nested(`{"a":`, "}", 10_000)},
		"T6 never closed":         {body: `{"jsonrpc":"2.0","id":7,"params":` + strings.Repeat("[", 1<<20)},
		"T6 objects never closed": {body: `{"jsonrpc":"2.0","id":7,"params":` + strings.Repeat(`{"a":`, 1<<18)},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parsed([]byte(tc.body))
			if string(m.ID) != "7" {
				t.Errorf("id %s", m.ID)
			}
			if tc.fine {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if code(t, err) != -32700 || !strings.Contains(err.Error(), "deep") {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestDeepBatch(t *testing.T) {
	// An element may be as deep as what holds it leaves room for.
	body := `[` + strings.Repeat("[", envelope.MaxDepth-1) + strings.Repeat("]", envelope.MaxDepth-1) + `]`
	if _, err := parsed([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if _, err := parsed([]byte("[" + body + "]")); code(t, err) != -32700 {
		t.Fatal(err)
	}
}

func TestIDAfterADeepMember(t *testing.T) {
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	m, err := parsed([]byte(`{"jsonrpc":"2.0","method":"x","params":{"a":` + deep + `},"id":"late"}`))
	if code(t, err) != -32700 || string(m.ID) != `"late"` {
		t.Fatalf("id %s, %v", m.ID, err)
	}
}
