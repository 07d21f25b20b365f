package server_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// bridge is the smallest adapter: enough of net/http to reach the server over
// a real listener, in both of the ways that frameworks stream.
type bridge struct {
	t   testing.TB
	srv *server.Server

	// detached streams after Handle has returned, as fasthttp does.
	detached bool
	// change alters the request before the server gets it.
	change func(*server.Request)
	// written counts what reached the response writer.
	written atomic.Int64
	served  atomic.Int64
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer b.served.Add(1)
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	req := &server.Request{
		Method: r.Method, Path: r.URL.Path, Host: r.Host,
		LocalAddr: local,
		Header:    r.Header, Body: r.Body, ContentLength: r.ContentLength, CanStream: true,
	}
	out := &sink{bridge: b, w: w}
	if !b.detached {
		req.Open = out.open
	}
	if b.change != nil {
		b.change(req)
	}
	resp := b.srv.Handle(r.Context(), req)
	switch {
	case resp == nil:
		return
	case resp.Stream != nil:
		if _, err := out.open(resp); err != nil {
			b.t.Errorf("open: %v", err)
		}
		_ = resp.Stream(out)
		out.closed.Store(true)
	default:
		if out.opened.Load() {
			b.t.Error("Open was called, and there is a response too")
		}
		head(w, resp)
		_, _ = w.Write(resp.Body)
		b.written.Add(int64(len(resp.Body)))
	}
}

func head(w http.ResponseWriter, resp *server.Response) {
	for _, f := range resp.Header {
		w.Header().Add(f.Name, f.Value)
	}
	w.WriteHeader(resp.Status)
}

// sink checks what the server promises about its use.
type sink struct {
	*bridge
	w      http.ResponseWriter
	mu     sync.Mutex
	opened atomic.Bool
	failed bool
	closed atomic.Bool
}

func (s *sink) open(resp *server.Response) (server.Sink, error) {
	if s.opened.Swap(true) {
		s.t.Error("opened twice")
	}
	head(s.w, resp)
	return s, http.NewResponseController(s.w).Flush()
}

func (s *sink) Send(p []byte) error {
	if !s.mu.TryLock() {
		s.t.Error("Send was called twice at a time")
		return errors.New("twice")
	}
	defer s.mu.Unlock()
	if s.failed {
		s.t.Error("Send was called after an error")
	}
	if s.closed.Load() {
		s.t.Error("Send was called after the end")
	}
	_, err := s.w.Write(p)
	s.written.Add(int64(len(p)))
	err = errors.Join(err, http.NewResponseController(s.w).Flush())
	s.failed = err != nil
	return err
}

// styles are the two ways in which frameworks stream.
var styles = map[string]bool{"inline": false, "detached": true}

// inStyles runs a test with every way of streaming.
func inStyles(t *testing.T, f func(t *testing.T, detached bool)) {
	t.Helper()
	for name, detached := range styles {
		t.Run(name, func(t *testing.T) { f(t, detached) })
	}
}

// serve starts a listener for b and returns its URL.
func serve(t testing.TB, b *bridge) string {
	t.Helper()
	b.t = t
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := b.srv.Close(ctx); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return listen(t, b)
}

func listen(t testing.TB, h http.Handler) string {
	t.Helper()
	ts := httptest.NewServer(h)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		ts.CloseClientConnections()
		ts.Close()
	})
	return ts.URL
}
