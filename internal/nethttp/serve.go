package nethttp

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// Serve answers r on w. The body and its declared length are arguments of
// their own, since a framework may keep what its middleware has already read.
func Serve(ctx context.Context, srv *server.Server, w http.ResponseWriter, r *http.Request, body io.Reader, length int64) {
	if body == nil {
		body = http.NoBody
	}
	all := struct { // together: apart they were an allocation more of every call
		out writer
		req server.Request
	}{out: writer{w: w}}
	if r.ProtoMajor > 1 {
		// There the server's write timeout is no matter of writing: it ends the
		// stream while a tool still works.
		all.out.setDeadline(time.Time{})
	}
	all.req = server.Request{
		Method:        r.Method,
		Path:          r.URL.Path,
		Host:          r.Host,
		LocalAddr:     localAddr(r),
		Header:        header(r.Header),
		Body:          body,
		ContentLength: length,
		CanStream:     pushes(w),
		Open:          all.out.open,
	}
	resp := srv.Handle(ctx, &all.req)
	switch {
	case resp != nil: // with a body: a stream has been written through Open
		_ = all.out.answer(resp) // who does not listen is not told
	case all.out.opened:
		all.out.close()
	default:
		w.WriteHeader(statusClientGone)
	}
}

// statusClientGone is what access logs see of a request whose client did not
// wait for the answer; nginx has made the number known.
const statusClientGone = 499

// Join returns hooked, the context that a hook made for a request, cancelled
// also when the request's own is. The hook's brings the values: it may derive
// from anything, or be a framework's context that never ends. A nil one stands
// for the request's. The function releases what joining took.
func Join(hooked, request context.Context) (context.Context, context.CancelFunc) {
	if hooked == nil {
		return request, func() {}
	}
	if hooked.Done() == request.Done() { // derived from it, adding values only
		return hooked, func() {}
	}
	if hooked.Done() == nil {
		// Gin's context, which is another request's soon: cancelling a child asks
		// its parent, and may still do so when the handler has returned.
		hooked = context.WithoutCancel(hooked)
	}
	ctx, cancel := context.WithCancelCause(hooked)
	stop := context.AfterFunc(request, func() { cancel(context.Cause(request)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

func localAddr(r *http.Request) net.Addr {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return addr
}
