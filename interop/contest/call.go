package contest

import (
	"net/http"
	"strconv"
	"strings"
)

// Call is one kind of request.
type Call struct {
	Name string

	// Path is where the server is mounted that answers it.
	Path string

	Header http.Header
	Body   []byte

	// Want is in every right answer.
	Want string

	// Plain answers it by hand; nil: nobody does.
	Plain Answer
}

// Answer makes the body of an answer of the body of a request.
type Answer func(body []byte) []byte

// Version is the revision of the protocol that is spoken.
const Version = "2026-07-28"

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + Version + `",` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"probe","version":"1.0.0"}}`

// newCall makes a call of a method; name is what Mcp-Name says, params are the
// members of params besides _meta.
func newCall(label, method, name, params string) Call {
	all := meta
	if params != "" {
		all += "," + params
	}
	c := Call{
		Name: label, Path: PathTen,
		Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + all + `}}`),
		Header: http.Header{
			"Content-Type":         {"application/json"},
			"Accept":               {"application/json, text/event-stream"},
			"Mcp-Protocol-Version": {Version},
			"Mcp-Method":           {method},
			"User-Agent":           {"probe/1.0"},
		},
	}
	c.Header.Set("Content-Length", strconv.Itoa(len(c.Body)))
	if name != "" {
		c.Header.Set("Mcp-Name", name)
	}
	return c
}

func toolCall(label, tool, arguments string) Call {
	return newCall(label, "tools/call", tool, `"name":"`+tool+`","arguments":`+arguments)
}

// Small is a call with one short argument.
func Small() Call {
	c := toolCall("small", "echo", `{"text":"hello"}`)
	c.Want, c.Plain = `"text":"hello"`, plain(func(in EchoIn) string { return in.Text })
	return c
}

// Legacy is the small call of a client of 2025-11-25, without a session.
func Legacy() Call {
	c := Small()
	c.Name = "legacy small"
	c.Body = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`)
	c.Header = c.Header.Clone()
	c.Header.Set("Content-Length", strconv.Itoa(len(c.Body)))
	c.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	c.Header.Del("Mcp-Method")
	c.Header.Del("Mcp-Name")
	return c
}

// Ten is a call with ten typed fields, as design.md names them.
func Ten() Call {
	c := toolCall("ten fields", "search", tenArguments)
	c.Want, c.Plain = `red running shoes in eu`, plain(Searched)
	return c
}

// Structured is a call whose result is a struct.
func Structured() Call {
	c := toolCall("structured result", "weather", `{"city":"Paris"}`)
	c.Want, c.Plain = `"structuredContent":{`, plainStructured
	return c
}

// Sized are calls with arguments of about so many bytes of one kind: ascii,
// accents, tree or raw.
func Sized(kind string, size int) Call {
	var value string
	switch kind {
	case "ascii":
		value = `"` + strings.Repeat("a", size) + `"`
	case "accents":
		value = `"` + strings.Repeat(`é\n\u00e9 abcd`, size/14) + `"`
	default:
		value = `[` + strings.Repeat(`{"a":1,"b":[true,"x"]},`, size/23) + `0]`
	}
	c := toolCall(kind+" "+strconv.Itoa(size>>10)+" KiB", kind, `{"value":`+value+`}`)
	c.Want = `"text":"`
	switch kind {
	case "tree":
		c.Plain = plain(TreeSize)
	case "raw":
		c.Plain = plain(rawSize)
	default:
		c.Plain = plain(TextSize)
	}
	return c
}

// List is tools/list where so many tools are registered: 10 or 1000.
func List(tools int) Call {
	c := newCall("tools/list of "+strconv.Itoa(tools), "tools/list", "", "")
	if tools > 10 {
		c.Path = PathThousand
	}
	c.Want = `"tools":[`
	return c
}

// Among is the small call where ten thousand tools are registered.
func Among() Call {
	c := Small()
	c.Name, c.Path = "small among 10 000 tools", PathMany
	return c
}

// Listen opens a stream for changes of the list of tools.
func Listen() Call {
	c := newCall("listen", "subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`)
	c.Want = `notifications/subscriptions/acknowledged`
	return c
}
