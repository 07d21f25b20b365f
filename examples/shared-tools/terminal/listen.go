package terminal

import (
	"flag"
	"fmt"
	"log"
	"net"
)

// Listen listens on the address that the flag -addr names, 127.0.0.1:8080 by
// default, and prints how to call the tool whoami there, at /mcp. It ends the
// program if it cannot listen.
func Listen() net.Listener {
	addr := flag.String("addr", "127.0.0.1:8080", "host:port to listen on")
	flag.Parse()
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf(commands, listener.Addr())
	return listener
}

// commands call the tool by hand. The first one is answered with a question,
// the second one is the same call with the answer to it.
const commands = `listening on http://%[1]s/mcp

curl http://%[1]s/mcp \
  -H 'Content-Type: application/json' \
  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: whoami' \
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}'

curl http://%[1]s/mcp \
  -H 'Content-Type: application/json' \
  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: whoami' \
  -d '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"whoami",
    "inputResponses":{"username":{"action":"accept","content":{"name":"Ada"}}},"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}'
`
