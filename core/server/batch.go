package server

import (
	"bytes"
	"context"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/headers"
)

// batch answers an array of messages, which 2025-03-26 alone has (MCP
// 2025-03-26, basic). The elements run one after the other, and the answer is
// one array of their responses: there is no place in it for notifications.
func (x *exchange) batch(ctx context.Context) *Response {
	v, resp := x.readVersion(ctx)
	switch {
	case resp != nil:
		return resp
	case v.modern():
		return x.refuse(ctx, refuseBatch)
	}
	if resp := x.enterLegacy(ctx, v); resp != nil {
		return resp
	}
	if x.call.Version != protocol.Version20250326 {
		return x.refuse(ctx, refuseBatch)
	}
	elements, err := x.msg.Elements()
	if err != nil {
		return x.refuse(ctx, fromEnvelope(err))
	}
	x.json, x.sse = headers.Accept(x.req.Header.Values("Accept"))
	if !x.json && !x.sse {
		return x.refuse(ctx, refuseAccept)
	}
	var responses [][]byte
	for i := range elements {
		if resp := x.element(ctx, &elements[i]); resp != nil && len(resp.Body) > 0 {
			responses = append(responses, resp.Body)
		}
	}
	if len(responses) == 0 {
		return x.accepted()
	}
	m := newMessage(0)
	m = append(append(append(m, '['), bytes.Join(responses, []byte{','})...), ']')
	return x.reply(append(m, eventTail...))
}

// element serves one message of a batch.
func (x *exchange) element(ctx context.Context, e *envelope.Element) *Response {
	y := *x // which has called nothing
	y.msg, y.json, y.sse, y.part = e.Message, true, false, true
	var problem *refusal
	if e.Err != nil {
		problem = fromEnvelope(e.Err)
		if problem.code != protocol.CodeInvalidParams {
			return y.refuse(ctx, problem)
		}
	}
	switch y.msg.Kind {
	case envelope.Notification:
		y.cancelled()
		return nil
	case envelope.Response:
		y.answered()
		return nil
	}
	return y.answerLegacy(ctx, problem)
}
