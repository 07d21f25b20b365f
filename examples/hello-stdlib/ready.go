package main

// ready is printed once the program listens: its address, and how to call the
// tool by hand. The first command is answered with a question, the second one
// is the same call with the answer to it.
const ready = `listening on http://%[1]s/mcp

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
