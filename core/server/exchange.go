package server

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/session"
)

// exchange is one request while it is served.
type exchange struct {
	srv  *Server
	req  *Request
	snap *snapshot
	host *core.Host

	msg      envelope.Message
	call     core.Call        // filled in as it becomes known: caller, version, target, the rest
	expires  time.Time        // when the caller no longer is who he is; zero: never
	session  *session.Session // nil: none
	answer   Response         // as JSON; here it is no allocation of its own
	progress float64          // the last that was reported, if reported, over all rounds of a call

	open   func(*Response) (Sink, error) // req's, or that of a worker
	stream *stream                       // nil: the answer is JSON, whatever happens
	ear    ear                           // nil: no stream that goes on

	// Apart they were 24 bytes, and a size class, more.
	json, sse bool // what the client accepts as an answer
	legacy    bool // the version is older than 2026-07-28
	reported  bool // some progress was
	judging   bool // the authenticator runs
	inside    bool // has passed the door and has to leave
	handed    bool // goes on, and leaves, after Handle has returned
	part      bool // of a batch, which leaves for it
}

// Handle serves one request; adapters call it. It never panics. It returns nil
// when there is nothing to write: the answer has been written through r.Open,
// or the client has gone. ctx ends when the client leaves, or when the
// application wants the request to end; it must last as long as the Stream of
// the answer.
func (s *Server) Handle(ctx context.Context, r *Request) *Response {
	resp, l := s.exchange(ctx, r)
	if l == nil || r.Open == nil {
		return resp
	}
	return s.stay(ctx, l, resp, r.Open) // by now the exchange and its body are garbage
}

// exchange serves one request as far as its answer, or as far as an open
// stream.
func (s *Server) exchange(ctx context.Context, r *Request) (resp *Response, l ear) {
	x := &exchange{srv: s, req: r, open: r.Open}
	ended := false
	defer x.rescue(&resp, &ended) //nolint:contextcheck // a stream carries the context of its call
	resp = x.serve(ctx)
	ended = true
	if !x.handed {
		x.leave()
	}
	return resp, x.ear
}

// rescue ends an exchange whose goroutine panics or leaves by runtime.Goexit,
// as a failed assertion of a test does. It must be deferred itself.
func (x *exchange) rescue(resp **Response, ended *bool) {
	r := recover()
	if *ended {
		return
	}
	switch {
	case r != nil && x.judging:
		x.srv.panicked("Config.Authenticator", unquoted(r))
	case r != nil:
		x.srv.panicked("a request", r)
	default:
		x.srv.notices.log.Error("a request ended its goroutine", slog.String("stack", string(debug.Stack())))
	}
	defer x.leave()
	why := refuseInternal
	if x.msg.ID == nil {
		why = refuseInternalNoID
	}
	answer, _ := failure(x.msg.ID, why.code, why.message, nil)
	if x.stream != nil && x.stream.end(answer) {
		*resp = nil
		return
	}
	*resp = x.respond(why.status, answer)
	if r != nil || x.req.Open == nil || x.stream != nil && x.stream.mute {
		return
	}
	// Nobody will see what Handle returns: its goroutine ends here.
	head := **resp
	head.Body = nil
	head.Header = append(head.Header,
		Field{"Content-Length", strconv.Itoa(len(answer.body()))}, Field{"Connection", "close"})
	if sink, err := x.req.Open(&head); err == nil {
		_ = sink.Send(answer.body()) // there is nobody to tell of an error
	}
}

// enter passes the door; false when the server is closing.
func (x *exchange) enter() bool {
	x.inside = x.srv.door.enter()
	return x.inside
}

func (x *exchange) leave() {
	if x.part {
		return
	}
	if x.session != nil {
		x.session.Leave()
		x.session = nil
	}
	if x.inside {
		x.inside = false
		x.srv.door.leave()
	}
}

// encoder is that of the era.
func (x *exchange) encoder() *encoder {
	if x.legacy {
		return x.srv.older
	}
	return x.srv.encoder
}

// respond is a JSON body.
func (x *exchange) respond(status int, m message) *Response {
	x.answer = Response{
		Status: status, WriteTimeout: x.srv.cfg.WriteTimeout,
		Header: jsonHeader, Body: m.body(),
	}
	return &x.answer
}

// jsonHeader has no room to append to, so answers can share it.
var jsonHeader = []Field{{"Content-Type", "application/json"}}

// reply is an answer with status 200, in the form that the client accepts.
func (x *exchange) reply(m message) *Response {
	if x.json {
		return x.respond(200, m)
	}
	resp := x.srv.eventStream()
	resp.Body = m.event()
	return resp
}

// refuse answers with a fixed error and the id, as far as that was read.
func (x *exchange) refuse(ctx context.Context, r *refusal, attrs ...slog.Attr) *Response {
	return x.refuseWith(ctx, r, r.message, nil, attrs...)
}

func (x *exchange) refuseWith(ctx context.Context, r *refusal, text string, data any, attrs ...slog.Attr) *Response {
	x.srv.notices.refused(ctx, r, x.call.Principal, attrs...)
	m, _ := failure(x.msg.ID, r.code, text, data) // strings and lists of strings always encode
	if x.legacy && (r.code == protocol.CodeInvalidParams || r.code == protocol.CodeMethodNotFound) {
		return x.reply(m) // clients drop the body of anything else
	}
	resp := x.respond(r.status, m)
	if r.header.Name != "" {
		resp.Header = []Field{jsonHeader[0], r.header}
	}
	return resp
}
