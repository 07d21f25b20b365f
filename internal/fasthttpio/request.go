package fasthttpio

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/valyala/fasthttp"

	"github.com/parleymcp/parley/core/server"
)

// request copies out of ctx what may be read after its handler has returned.
// The body is not copied: the server reads it before.
func request(ctx *fasthttp.RequestCtx) *server.Request {
	in := &ctx.Request
	declared := int64(max(in.Header.ContentLength(), -1))
	trailer := declared < 0 && !in.IsBodyStream()
	all := &struct { // together: apart they were two allocations more of every call
		req    server.Request
		header header
		body   bytes.Reader
	}{header: copyHeader(&in.Header, trailer)}
	req := &all.req
	*req = server.Request{
		Method:    method(ctx.Method()),
		Path:      string(ctx.Path()),
		Host:      host(in),
		LocalAddr: ctx.LocalAddr(),
		Header:    &all.header,
		CanStream: in.Header.IsHTTP11(), // fasthttp chunks to 1.0 as well
	}
	if in.IsBodyStream() {
		req.Body, req.ContentLength = &streamedBody{stream: ctx.RequestBodyStream()}, declared
		return req
	}
	body := in.Body() // as it was sent: decoding has no limit
	all.body.Reset(body)
	req.Body, req.ContentLength = &all.body, int64(len(body))
	if len(body) == 0 {
		req.ContentLength = max(declared, 0) // to tell a consumed body from none
	}
	return req
}

func method(aliased []byte) string {
	if string(aliased) == http.MethodPost {
		return http.MethodPost // without an allocation
	}
	return string(aliased)
}

// host is what the client sent. The host of the parsed URI is what is left of
// "evil.example/@localhost"; it counts where the request line has it.
func host(in *fasthttp.Request) string {
	if target := in.Header.RequestURI(); len(target) > 0 && target[0] != '/' {
		return string(in.Host())
	}
	return string(in.Header.Host())
}

// header holds names and values by turns. It is looked up without case, since
// with DisableHeaderNormalizing names are as the client spelled them.
// A slice in an interface would be one more allocation, so it is a pointer that
// has the methods.
type header []string

// copyHeader copies all fields. Where a trailer was read fasthttp has added it
// to them: then names that only the trailer has are left out, since no proxy in
// front has looked at them there.
func copyHeader(h *fasthttp.RequestHeader, trailer bool) header {
	var sent header
	if trailer {
		h.VisitAllInOrder(func(name, value []byte) { sent = append(sent, string(name), string(value)) })
	}
	count, size := 0, 0
	h.VisitAll(func(name, value []byte) {
		count++
		size += len(name) + len(value)
	})
	var text strings.Builder // of all of them: two allocations in place of two a field
	text.Grow(size)
	fields := make(header, 0, 2*count)
	add := func(b []byte) {
		start := text.Len()
		text.Write(b)
		fields = append(fields, text.String()[start:])
	}
	h.VisitAll(func(name, value []byte) {
		if trailer && sent.Values(string(name)) == nil {
			return
		}
		add(name)
		add(value)
	})
	return fields
}

// Get returns the first value of the field, or "".
func (h *header) Get(name string) string {
	if values := h.Values(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Values returns all values of the field, in the order they came. Of a field
// that came once it is a part of h, which costs nothing.
func (h *header) Values(name string) []string {
	var values []string
	fields := *h
	for i := 0; i < len(fields); i += 2 {
		if len(fields[i]) != len(name) || !strings.EqualFold(fields[i], name) {
			continue
		}
		if values == nil {
			values = fields[i+1 : i+2 : i+2]
		} else {
			values = append(values, fields[i+1])
		}
	}
	return values
}
