package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Every message is encoded as an event; the JSON body is the part of the same
// bytes between the frame. The event type is written out because some clients
// ignore events without one.
const (
	eventHead = "event: message\ndata: "
	eventTail = "\n\n"
)

// comment keeps a quiet stream open.
var comment = []byte(":\n\n")

// message is one encoded JSON-RPC message in its frame.
type message []byte

// event is the message as an event of a stream.
func (m message) event() []byte { return m }

// body is the message as a JSON body.
func (m message) body() []byte { return m[len(eventHead) : len(m)-len(eventTail)] }

// newMessage starts a message of about size bytes.
func newMessage(size int) message {
	return append(make(message, 0, size+len(eventHead)+len(eventTail)+64), eventHead...)
}

// answering starts the response to id; with nil, which is an id that could not
// be read, it has none.
func (m message) answering(id []byte) message {
	m = append(m, `{"jsonrpc":"2.0"`...)
	if id != nil {
		m = append(append(m, `,"id":`...), id...)
	}
	return m
}

// encoder appends results. It belongs to a server and never changes.
type encoder struct {
	legacy bool // results have neither a type nor hints nor serverInfo

	serverInfo []byte // its member
	complete   []byte // the end of a complete result without further _meta
	interim    []byte // the same of an interim result
}

func newEncoder(c *Config, old bool) (*encoder, error) {
	info, err := jsonx.Marshal(protocol.Implementation{
		Name: c.Name, Title: c.Title, Version: c.Version, WebsiteURL: c.WebsiteURL, Icons: c.Icons,
	})
	if err != nil {
		return nil, fmt.Errorf("parley: Config: serverInfo cannot be encoded: %w", err)
	}
	if old {
		return &encoder{legacy: true, serverInfo: append([]byte(`"serverInfo":`), info...)}, nil
	}
	e := &encoder{serverInfo: append([]byte(`"`+protocol.MetaServerInfo+`":`), info...)}
	e.complete, _ = e.tail(nil, protocol.ResultComplete, nil)
	e.interim, _ = e.tail(nil, protocol.ResultInputRequired, nil)
	return e, nil
}

// tail appends the members that every result ends with, and closes result and
// response. The keys of meta that the server owns are not taken from it.
func (e *encoder) tail(m message, resultType string, meta map[string]any) (message, error) {
	if _, ours := meta[protocol.MetaServerInfo]; ours {
		meta = maps.Clone(meta)
		delete(meta, protocol.MetaServerInfo)
	}
	if e.legacy {
		return legacyTail(m, meta)
	}
	m = append(append(append(m, `"resultType":"`...), resultType...), `","_meta":{`...)
	if len(meta) > 0 {
		raw, err := jsonx.MarshalUser(meta)
		if err != nil {
			return m, err
		}
		m = append(append(m, raw[1:len(raw)-1]...), ',')
	}
	return append(append(m, e.serverInfo...), `}}}`...), nil
}

// legacyTail is the same for revisions that have no members of their own there.
func legacyTail(m message, meta map[string]any) (message, error) {
	if len(meta) == 0 {
		return append(bytes.TrimSuffix(m, []byte{','}), `}}`...), nil
	}
	raw, err := jsonx.MarshalUser(meta)
	return append(append(append(m, `"_meta":`...), raw...), `}}`...), err
}

func (e *encoder) end(m message, meta map[string]any) (message, error) {
	if len(meta) == 0 && !e.legacy {
		return append(append(m, e.complete...), eventTail...), nil
	}
	m, err := e.tail(m, protocol.ResultComplete, meta)
	return append(m, eventTail...), err
}

// result is a response whose members, each with a comma after it, are encoded
// already.
func (e *encoder) result(id, members []byte) message {
	m := newMessage(len(id) + len(members) + len(e.complete)).answering(id)
	m, _ = e.end(append(append(m, `,"result":{`...), members...), nil) // no meta, no error
	return m
}

// text is the result of a tool with one block of text.
func (e *encoder) text(id []byte, text string) message {
	const head, block = `,"result":{"content":[`, `{"type":"text","text":`
	m := newMessage(len(id) + len(head) + len(block) + len(text) + len(text)/16 + len(e.complete)).answering(id)
	m = append(jsonx.AppendString(append(append(m, head...), block...), text), `}],`...)
	m, _ = e.end(m, nil) // no meta, no error
	return m
}

func (e *encoder) tool(id []byte, r *core.ToolResult) (message, error) {
	m := newMessage(len(id) + contentSize(r.Content) + len(r.StructuredContent) + len(e.complete)).answering(id)
	m = append(m, `,"result":{"content":[`...)
	for i := range r.Content {
		var err error
		if i > 0 {
			m = append(m, ',')
		}
		if m, err = r.Content[i].AppendJSON(m); err != nil {
			return nil, err
		}
	}
	m = append(m, `],`...)
	if r.StructuredContent != nil {
		raw, err := oneLine(r.StructuredContent)
		if err != nil {
			return nil, err
		}
		m = append(append(append(m, `"structuredContent":`...), raw...), ',')
	}
	if r.IsError {
		m = append(m, `"isError":true,`...)
	}
	return e.end(m, r.Meta)
}

func (e *encoder) prompt(id []byte, r *core.PromptResult) (message, error) {
	m := newMessage(512).answering(id)
	m = append(m, `,"result":{`...)
	if r.Description != "" {
		m = append(jsonx.AppendString(append(m, `"description":`...), r.Description), ',')
	}
	m = append(m, `"messages":[`...)
	for i := range r.Messages {
		var err error
		if i > 0 {
			m = append(m, ',')
		}
		m = append(jsonx.AppendString(append(m, `{"role":`...), r.Messages[i].Role), `,"content":`...)
		if m, err = r.Messages[i].Content.AppendJSON(m); err != nil {
			return nil, err
		}
		m = append(m, '}')
	}
	return e.end(append(m, `],`...), r.Meta)
}

func (e *encoder) resource(id []byte, r *core.ResourceResult, hint core.CacheHint) (message, error) {
	size := 256
	for i := range r.Contents {
		size += 128 + len(r.Contents[i].Text) + len(r.Contents[i].Blob)*4/3
	}
	m := newMessage(size + len(e.complete)).answering(id)
	m = append(m, `,"result":{"contents":[`...)
	for i := range r.Contents {
		var err error
		if i > 0 {
			m = append(m, ',')
		}
		if m, err = r.Contents[i].AppendJSON(m); err != nil {
			return nil, err
		}
	}
	m = append(m, `],`...)
	if !e.legacy {
		m = appendHint(m, hint)
	}
	return e.end(m, r.Meta)
}

// interimResult has exactly the members the specification gives it; a round
// with state alone sends an empty object too, since some clients retry only
// then.
func (e *encoder) interimResult(id []byte, in *core.Interim) (message, error) {
	size := len(in.State) + len(e.interim)
	for i := range in.Requests {
		size += len(in.Requests[i].Params) + 64
	}
	m := newMessage(size).answering(id)
	m = append(m, `,"result":{"inputRequests":{`...)
	for i := range in.Requests {
		r := &in.Requests[i]
		if i > 0 {
			m = append(m, ',')
		}
		m = append(jsonx.AppendString(m, r.Key), `:{"method":`...)
		m = append(jsonx.AppendString(m, r.Method), `,"params":`...)
		params, err := oneLine(r.Params)
		if err != nil {
			return nil, err
		}
		if params == nil {
			params = json.RawMessage(`{}`)
		}
		m = append(append(m, params...), '}')
	}
	m = append(m, `},`...)
	if in.State != "" {
		m = append(jsonx.AppendString(append(m, `"requestState":`...), in.State), ',')
	}
	return append(append(m, e.interim...), eventTail...), nil
}

// failure is an error response. The data of an error that cannot be encoded is
// reported and left out.
func failure(id []byte, code int, text string, data any) (message, error) {
	var raw []byte
	var err error
	if data != nil {
		raw, err = jsonx.MarshalUser(data)
	}
	m := newMessage(128 + len(id) + len(text) + len(raw)).answering(id)
	m = strconv.AppendInt(append(m, `,"error":{"code":`...), int64(code), 10)
	m = jsonx.AppendString(append(m, `,"message":`...), text)
	if err == nil && raw != nil {
		m = append(append(m, `,"data":`...), raw...)
	}
	return append(append(m, `}}`...), eventTail...), err
}

// notification is a message that nobody answers; params are encoded already.
func notification(method string, params []byte) message {
	m := newMessage(64 + len(method) + len(params))
	m = append(append(append(m, `{"jsonrpc":"2.0","method":"`...), method...), `","params":`...)
	m = append(append(m, params...), '}')
	return append(m, eventTail...)
}

func appendHint(m message, hint core.CacheHint) message {
	m = strconv.AppendInt(append(m, `"ttlMs":`...), int64(max(hint.TTL, 0)/time.Millisecond), 10)
	if hint.Public {
		return append(m, `,"cacheScope":"public",`...)
	}
	return append(m, `,"cacheScope":"private",`...)
}

// oneLine returns raw without line breaks, which would end the line of an
// event.
func oneLine(raw json.RawMessage) (json.RawMessage, error) {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw, nil
	}
	return jsonx.Compact(raw)
}

// contentSize estimates the encoded length, so that a large answer is not
// copied again and again while it grows.
func contentSize(content []core.Content) int {
	size := 64
	for i := range content {
		c := &content[i]
		size += 64 + len(c.Text) + len(c.Text)/16 + (len(c.Data)+2)/3*4
		if c.Resource != nil {
			size += 64 + len(c.Resource.Text) + (len(c.Resource.Blob)+2)/3*4
		}
	}
	return size
}
