package nethttp

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// writer writes one answer: a body at once, or a stream event by event. It
// reaches deadlines and flushing through wrappers that offer only Unwrap.
type writer struct {
	w       http.ResponseWriter
	timeout time.Duration
	opened  bool
}

// open begins a stream from inside the server: it sends the header and returns
// the sink. An error that matches [errors.ErrUnsupported] means that nothing
// was written, because the writer turned out not to push.
func (o *writer) open(resp *server.Response) (server.Sink, error) {
	o.timeout = resp.WriteTimeout
	header := o.w.Header()
	setHeader(header, resp.Header)
	o.extend()
	defer o.clear()
	// WriteHeader cannot be taken back. A writer that reports whether it flushed
	// and is none of net/http's own, which all have deadlines, is asked before:
	// flushing implies status 200.
	f, reports := outermost[flushReporter](o.w)
	if _, own := outermost[deadliner](o.w); reports && !own && resp.Status == http.StatusOK {
		err := f.FlushError()
		if errors.Is(err, errors.ErrUnsupported) {
			for _, field := range resp.Header {
				header.Del(field.Name)
			}
			return nil, err
		}
		o.opened = true
		return o, err
	}
	o.w.WriteHeader(resp.Status)
	o.opened = true
	return o, o.flush()
}

// announced is the length of the bodies that fit net/http's buffer, which
// announces them by itself.
const announced = 2048

// answer writes a body. The deadline stays for what net/http still buffers;
// it clears the deadline itself before the next request.
func (o *writer) answer(resp *server.Response) error {
	o.timeout = resp.WriteTimeout
	setHeader(o.w.Header(), resp.Header)
	if len(resp.Body) > announced {
		o.w.Header().Set("Content-Length", strconv.Itoa(len(resp.Body)))
	}
	o.extend()
	o.w.WriteHeader(resp.Status)
	if len(resp.Body) == 0 {
		return nil
	}
	_, err := o.w.Write(resp.Body)
	return err
}

// Send writes and pushes one event within the write timeout.
func (o *writer) Send(p []byte) error {
	o.extend()
	defer o.clear() // HTTP/2 ends a stream whose deadline passes while it is idle
	if _, err := o.w.Write(p); err != nil {
		return err
	}
	return o.flush()
}

// close gives the end of a stream, which net/http writes after the handler has
// returned, a deadline of its own.
func (o *writer) close() { o.extend() }

// flush pushes through the outermost writer that can, as
// [http.ResponseController] does: it may be one that compresses and holds back.
// Gin's hands on only to a writer directly below that can flush; where that has
// but Unwrap, flushing begins again below it.
func (o *writer) flush() error {
	var err error = http.ErrNotSupported
	for w := o.w; w != nil; w = below(w) {
		switch f := w.(type) {
		case flushReporter:
			err = f.FlushError()
		case http.Flusher:
			f.Flush()
			err = nil
		default:
			continue
		}
		if inner := below(w); err != nil || inner == nil || flushes(inner) {
			return err
		}
	}
	return err
}

func flushes(w http.ResponseWriter) bool {
	switch w.(type) {
	case http.Flusher, flushReporter:
		return true
	}
	return false
}

func (o *writer) extend() {
	if o.timeout > 0 {
		o.setDeadline(time.Now().Add(o.timeout))
	}
}

func (o *writer) clear() {
	if o.timeout > 0 {
		o.setDeadline(time.Time{})
	}
}

// setDeadline does what it can: a writer without deadlines is bound by the
// server's own write timeout.
func (o *writer) setDeadline(t time.Time) {
	if d, ok := outermost[deadliner](o.w); ok {
		_ = d.SetWriteDeadline(t) // the write that follows fails as well
	}
}

type (
	flushReporter interface{ FlushError() error }
	deadliner     interface{ SetWriteDeadline(t time.Time) error }
)

// below is the writer that w wraps, or nil.
func below(w http.ResponseWriter) http.ResponseWriter {
	if u, wraps := w.(interface{ Unwrap() http.ResponseWriter }); wraps {
		return u.Unwrap()
	}
	return nil
}

// outermost finds the first writer of a chain that is a T, as
// [http.ResponseController] does, but allocates no error where there is none.
func outermost[T any](w http.ResponseWriter) (found T, ok bool) {
	for ; w != nil; w = below(w) {
		if found, ok = w.(T); ok {
			break
		}
	}
	return found, ok
}

// pushes reports whether what is written reaches the client before the handler
// returns. Only the innermost writer knows: wrappers claim to flush whatever
// stands below, a buffer of [http.TimeoutHandler] for one.
func pushes(w http.ResponseWriter) bool {
	for inner := below(w); inner != nil; inner = below(w) {
		w = inner
	}
	return flushes(w)
}

// setHeader replaces what earlier middleware set under the same names, except
// Vary, where every layer has its say.
func setHeader(h http.Header, fields []server.Field) {
	if len(fields) == 1 && fields[0].Name != "Vary" {
		h.Set(fields[0].Name, fields[0].Value)
		return
	}
	for _, f := range fields {
		if f.Name != "Vary" {
			h.Del(f.Name)
		}
	}
	for _, f := range fields {
		h.Add(f.Name, f.Value)
	}
}
