package wireschema_test

import (
	"testing"

	"github.com/parleymcp/parley/internal/wireschema"
)

func TestCheck(t *testing.T) {
	for name, tc := range map[string]struct {
		method, message string
		ok              bool
	}{
		"tool result": {"tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"}}`, true},
		"content null": {
			"tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":null,"resultType":"complete"}}`, false,
		},
		"no content": {"tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`, false},
		"interim": {
			"tools/call", `{"jsonrpc":"2.0","id":"a","result":{"inputRequests":{},"resultType":"input_required"}}`, true,
		},
		"interim of a list": {
			"tools/list", `{"jsonrpc":"2.0","id":"a","result":{"inputRequests":{},"resultType":"input_required"}}`, false,
		},
		"fractional id": {"tools/call", `{"jsonrpc":"2.0","id":1.5,"result":{"content":[],"resultType":"complete"}}`, false},
		"error":         {"tools/call", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}`, true},
		"capabilities missing": {
			"tools/call", `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"x","data":{}}}`, false,
		},
		"capabilities named": {
			"tools/call",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"x","data":{"requiredCapabilities":{"sampling":{}}}}}`,
			true,
		},
		"version":         {"x", `{"jsonrpc":"2.0","error":{"code":-32022,"message":"x","data":{"supported":["a"]}}}`, false},
		"list without it": {"tools/list", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private"}}`, false},
		"negative TTL": {
			"tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"complete","ttlMs":-1,"cacheScope":"private"}}`, false,
		},
		"acknowledgement":     {"", `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{}}}`, true},
		"unknown to a server": {"", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`, false},
		"listen result":       {"subscriptions/listen", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`, false},
		"no JSON":             {"tools/call", `{`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := wireschema.Check(tc.method, []byte(tc.message)); (err == nil) != tc.ok {
				t.Errorf("got %v, want ok %v", err, tc.ok)
			}
		})
	}
}
