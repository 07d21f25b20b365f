package contest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/valyala/fasthttp"
)

// Driver serves one call in process again and again. Request and writer are
// used again, as those of a connection are; everything that net/http and Fiber
// give to a request is there: addresses, a context that can be cancelled, a
// writer that flushes and has deadlines.
type Driver struct {
	call *Call

	handler http.Handler
	request *http.Request
	cancel  context.CancelFunc // of the request, which nobody calls while it is measured
	body    *bytes.Reader
	closer  io.ReadCloser
	writer  writer

	fast   fasthttp.RequestHandler
	native fasthttp.RequestCtx
}

// NewDriver prepares c for e.
func NewDriver(e Entry, c *Call) *Driver {
	d := &Driver{call: c}
	if e.App != nil {
		d.fast = e.App.Handler()
		req := fasthttp.AcquireRequest()
		req.Header.SetMethod(http.MethodPost)
		req.SetRequestURI("/mcp")
		req.Header.SetHost("127.0.0.1")
		for name, values := range c.Header {
			req.Header.Set(name, values[0])
		}
		req.SetBodyRaw(c.Body)
		d.native.Init(req, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1234}, nil)
		return d
	}
	d.handler = e.HTTP
	d.body = bytes.NewReader(c.Body)
	d.closer = io.NopCloser(d.body)
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), http.LocalAddrContextKey,
		net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80})))
	d.cancel = cancel
	d.request = (&http.Request{
		Method: http.MethodPost, URL: &url.URL{Path: "/mcp"}, Host: "127.0.0.1", RequestURI: "/mcp",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: "127.0.0.1:1234",
		Header: c.Header, ContentLength: int64(len(c.Body)), Body: d.closer,
	}).WithContext(ctx)
	d.writer.header = http.Header{}
	return d
}

// Serve serves the call once.
func (d *Driver) Serve() error {
	if d.fast != nil {
		d.native.Response.Reset()
		d.native.ResetUserValues()
		d.fast(&d.native)
		if d.native.Response.StatusCode() != http.StatusOK {
			return fmt.Errorf("contest: %s: status %d", d.call.Name, d.native.Response.StatusCode())
		}
		return nil
	}
	d.body.Reset(d.call.Body)
	d.request.Body = d.closer // some put their own in its place
	d.writer.reset()
	d.handler.ServeHTTP(&d.writer, d.request)
	if d.writer.status != http.StatusOK {
		return fmt.Errorf("contest: %s: status %d", d.call.Name, d.writer.status)
	}
	return nil
}

// Answer is the body of the last answer.
func (d *Driver) Answer() []byte {
	if d.fast != nil {
		return bytes.Clone(d.native.Response.Body())
	}
	return bytes.Clone(d.writer.body)
}

// Check serves the call and sees that the answer is right.
func (d *Driver) Check() error {
	if err := d.Serve(); err != nil {
		return fmt.Errorf("%w: %.300s", err, d.Answer())
	}
	if answer := d.Answer(); !bytes.Contains(answer, []byte(d.call.Want)) {
		return fmt.Errorf("contest: %s: got %.300s", d.call.Name, answer)
	}
	return nil
}

// writer keeps what is written in a buffer that is used again.
type writer struct {
	header http.Header
	status int
	body   []byte
}

func (w *writer) reset() {
	clear(w.header)
	w.status, w.body = 0, w.body[:0]
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.body = append(w.body, p...)
	return len(p), nil
}

func (w *writer) Flush()                             {}
func (w *writer) FlushError() error                  { return nil }
func (w *writer) SetWriteDeadline(_ time.Time) error { return nil }
func (w *writer) SetReadDeadline(_ time.Time) error  { return nil }
