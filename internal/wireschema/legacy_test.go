package wireschema_test

import (
	"testing"

	"github.com/parleymcp/parley/internal/wireschema"
)

func TestCheckLegacy(t *testing.T) {
	const (
		v11, v06, v03 = "2025-11-25", "2025-06-18", "2025-03-26"
		form          = `"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"`
		init          = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"x","capabilities":{},"serverInfo":{"name":"a","version":"1"}`
	)
	for name, tc := range map[string]struct {
		version, method, message string
		ok                       bool
	}{
		"initialize":              {v11, "initialize", init + `}}`, true},
		"initialize 06":           {v06, "initialize", init + `}}`, true},
		"initialize 03":           {v03, "initialize", init + `}}`, true},
		"initialize, broken":      {v03, "initialize", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"x","capabilities":{}}}`, false},
		"tool result":             {v11, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, true},
		"T29 content null":        {v11, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":null}}`, false},
		"result type":             {v06, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"}}`, false},
		"TTL":                     {v06, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":0}}`, false},
		"scope":                   {v03, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"cacheScope":"private"}}`, false},
		"serverInfo":              {v03, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{}}}}`, false},
		"structured list":         {v11, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":[]}}`, false},
		"resource_link":           {v06, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"a:b","name":"x"}]}}`, true},
		"resource_link before":    {v03, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"a:b","name":"x"}]}}`, false},
		"ping":                    {v03, "ping", `{"jsonrpc":"2.0","id":1,"result":{}}`, true},
		"ping with more":          {v03, "ping", `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`, false},
		"form":                    {v06, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{` + form + `}}}}}`, true},
		"form without id":         {v06, "", `{"jsonrpc":"2.0","method":"elicitation/create","params":{` + form + `}}}}}`, false},
		"form with a list":        {v06, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}}`, false},
		"form with a list, later": {v11, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}}`, true},
		"URL":                     {v11, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://x.example/","elicitationId":"1"}}`, true},
		"URL without its id":      {v11, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"url","message":"?","url":"https://x.example/"}}`, false},
		"form before there was":   {v03, "", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{` + form + `}}}}}`, false},
		"roots":                   {v03, "", `{"jsonrpc":"2.0","id":"a","method":"roots/list","params":{}}`, true},
		"cancelled":               {v11, "", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, true},
		"cancelled, who":          {v06, "", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, false},
		"acknowledged":            {v11, "", `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}`, false},
		"error":                   {v06, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x"}}`, true},
		"error without id":        {v06, "", `{"jsonrpc":"2.0","error":{"code":-32002,"message":"x"}}`, true},
		"error without text":      {v11, "", `{"jsonrpc":"2.0","id":null,"error":{"code":-32002}}`, false},
		"batch":                   {v03, "", `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"x"}}]`, true},
		"batch later":             {v06, "", `[{"jsonrpc":"2.0","id":1,"result":{}}]`, false},
		"batch of nothing":        {v03, "", `[]`, false},
		"batch, broken":           {v03, "", `[{"jsonrpc":"2.0","result":{}}]`, false},
		"unknown revision":        {"2024-11-05", "ping", `{"jsonrpc":"2.0","id":1,"result":{}}`, false},
		"listen":                  {v11, "subscriptions/listen", `{"jsonrpc":"2.0","id":1,"result":{}}`, false},
		"no JSON":                 {v11, "", `{`, false},
		"a string":                {v11, "", `"x"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := wireschema.CheckLegacy(tc.version, tc.method, []byte(tc.message)); (err == nil) != tc.ok {
				t.Errorf("got %v, want ok %v", err, tc.ok)
			}
		})
	}
}
