package envelope_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
)

const smallCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/clientInfo":{"name":"probe","version":"1.0.0"}},"name":"echo","arguments":{"text":"hello"}}}`

func BenchmarkParse(b *testing.B) {
	for name, body := range map[string]string{
		"small":       smallCall,
		"1 MiB ASCII": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"t":"` + strings.Repeat("a", 1<<20) + `"}}}`,
		"1 MiB tree":  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"t":[` + strings.Repeat(`{"a":1,"b":[true,"x"]},`, 1<<20/24) + `0]}}}`,
		"members":     `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":` + members(100_000) + `}}`,
	} {
		b.Run(name, func(b *testing.B) {
			data := []byte(body)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parsed(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// members returns an object of n members.
func members(n int) string {
	var out bytes.Buffer
	out.WriteByte('{')
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(`"m` + strconv.Itoa(i) + `":1`)
	}
	out.WriteByte('}')
	return out.String()
}
