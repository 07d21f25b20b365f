package probes

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

// request is one HTTP request, up to its last byte.
type request struct {
	verb, path, host string
	header           [][2]string
	id               string // JSON; "": a notification
	method           string
	params           []string // members, as JSON
	caps             string
	meta             []string // members beyond the version and capabilities
	version          string   // in _meta; "": no _meta
	raw              *string  // instead of the message
}

// ask is a well-formed request of 2026-07-28. name is what Mcp-Name says; "" is
// none. params are members of params.
func (t *Target) ask(method, name string, params ...string) *request {
	u, err := url.Parse(t.URL)
	if err != nil {
		panic(err) // the program made it
	}
	r := &request{
		verb: "POST", path: u.Path, host: u.Host, id: "1", method: method, params: params,
		caps: "{}", version: modern,
		header: [][2]string{
			{"Content-Type", "application/json"},
			{"Accept", "application/json, text/event-stream"},
			{"MCP-Protocol-Version", modern},
			{"Mcp-Method", method},
		},
	}
	if name != "" {
		r.add("Mcp-Name", name)
	}
	return r
}

func (t *Target) call(tool, arguments string) *request {
	return t.ask("tools/call", tool, fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments))
}

func (t *Target) echo(text string) *request {
	return t.call("probe_echo", fmt.Sprintf(`{"text":%q}`, text))
}

// older is a well-formed request of an older revision.
func (t *Target) older(method string, params ...string) *request {
	r := t.ask(method, "", params...).set("MCP-Protocol-Version", legacy).drop("Mcp-Method")
	r.version = ""
	return r
}

func (r *request) add(name, value string) *request {
	r.header = append(r.header, [2]string{name, value})
	return r
}

func (r *request) drop(name string) *request {
	r.header = slices.DeleteFunc(r.header, func(f [2]string) bool { return strings.EqualFold(f[0], name) })
	return r
}

func (r *request) set(name, value string) *request { return r.drop(name).add(name, value) }

func (r *request) withID(id string) *request { r.id = id; return r }

func (r *request) withCaps(caps string) *request { r.caps = caps; return r }

func (r *request) withMeta(member string) *request { r.meta = append(r.meta, member); return r }

func (r *request) withParams(members string) *request {
	r.params = append(r.params, members)
	return r
}

func (r *request) withBody(body string) *request { r.raw = &body; return r }

func (r *request) withProgress() *request { return r.withMeta(`"progressToken":"p"`) }

// body is the message.
func (r *request) body() string {
	if r.raw != nil {
		return *r.raw
	}
	members := slices.Clone(r.params)
	meta := slices.Clone(r.meta)
	if r.version != "" {
		meta = append(meta,
			fmt.Sprintf(`"io.modelcontextprotocol/protocolVersion":%q`, r.version),
			`"io.modelcontextprotocol/clientCapabilities":`+r.caps)
	}
	if len(meta) > 0 {
		members = append(members, `"_meta":{`+strings.Join(meta, ",")+`}`)
	}
	id := ""
	if r.id != "" {
		id = `"id":` + r.id + ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":%q,"params":{%s}}`, id, r.method, strings.Join(members, ","))
}

// bytes are what goes over the wire.
func (r *request) bytes() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.verb, r.path, r.host)
	for _, f := range r.header {
		fmt.Fprintf(&b, "%s: %s\r\n", f[0], f[1])
	}
	body := ""
	if r.verb == "POST" {
		body = r.body()
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	b.WriteString("Connection: close\r\n\r\n")
	b.WriteString(body)
	return b.String()
}
