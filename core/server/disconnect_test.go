package server_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

const patience = 5 * time.Second

func wait[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s: waited too long", what)
	}
	panic("unreachable")
}

// T12: a client that leaves cancels the handler, and nothing is written to it
// afterwards.
func TestClientLeaves(t *testing.T) {
	for name, tc := range map[string]struct {
		accept string
		loud   bool
	}{
		"JSON": {accept: "application/json"}, "before a stream": {}, "in a stream": {loud: true},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				started, ended := make(chan struct{}), make(chan error, 1)
				var b *bridge
				var before int64
				tool := toolOf("hold", func(ctx context.Context, ev *core.Event) (string, error) {
					ev.Progress(1, 2, "")
					before = b.written.Load()
					close(started)
					<-ctx.Done()
					ev.Progress(2, 2, "")
					ended <- context.Cause(ctx)
					return "too late", nil
				})
				b = &bridge{srv: newServer(t, nil, tool), detached: detached}
				url := serve(t, b)
				ctx, leave := context.WithCancel(t.Context())
				a := call("hold", "")
				if tc.loud {
					a = loudCall("hold")
				}
				a.header = map[string]string{"Accept": or(tc.accept, "*/*")}
				go func() {
					<-started
					leave()
				}()
				resp, err := http.DefaultClient.Do(a.build(t, url).WithContext(ctx))
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("the client got an answer: %v", err)
				}
				if cause := wait(t, ended, "the handler"); !errors.Is(cause, server.ErrClientGone) {
					t.Errorf("cause %v", cause)
				}
				for b.served.Load() == 0 {
					<-time.After(time.Millisecond)
				}
				if after := b.written.Load(); after != before {
					t.Errorf("%d bytes were written to nobody", after-before)
				}
			})
		})
	}
}

// An application that sets a deadline ends the handler, not the answer.
func TestDeadlineOfTheApplication(t *testing.T) {
	tool := toolOf("hold", func(ctx context.Context, _ *core.Event) (string, error) {
		<-ctx.Done()
		return "", context.Cause(ctx)
	})
	b := &bridge{t: t, srv: newServer(t, nil, tool)}
	url := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 20*time.Millisecond)
		defer cancel()
		b.ServeHTTP(w, r.WithContext(ctx))
	}))
	for _, accept := range []string{"application/json", "*/*"} {
		a := call("hold", "")
		a.header = map[string]string{"Accept": accept}
		if got := tell(t, url, a); got.text() != context.DeadlineExceeded.Error() {
			t.Errorf("got %d %s", got.status, got.body)
		}
	}
}

// A write that fails, as one to a client that stopped reading does, cancels the
// handler; nothing is written after it.
func TestFailedSend(t *testing.T) {
	ended := make(chan error, 1)
	tool := toolOf("talk", func(ctx context.Context, ev *core.Event) (string, error) {
		for i := range 10 {
			ev.Progress(float64(i), 10, "")
		}
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return "too late", nil
	})
	srv := newServer(t, nil, tool)
	for name, change := range map[string]func(*server.Request){
		"Send": func(r *server.Request) {
			r.Open = func(*server.Response) (server.Sink, error) { return failing{t, new(int)}, nil }
		},
		"Open": func(r *server.Request) {
			r.Open = func(*server.Response) (server.Sink, error) { return nil, io.ErrClosedPipe }
		},
		"panic": func(r *server.Request) { r.Open = func(*server.Response) (server.Sink, error) { panic("adapter") } },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "panic" { // the panic comes out of Progress, in the handler
				resp := handle(t, srv, loudCall("talk"), change)
				if resp != nil {
					t.Errorf("an answer after a panic in Open: %s", resp.Body)
				}
				return
			}
			if resp := handle(t, srv, loudCall("talk"), change); resp != nil {
				t.Errorf("an answer to nobody: %s", resp.Body)
			}
			if cause := wait(t, ended, "the handler"); !errors.Is(cause, server.ErrClientGone) {
				t.Errorf("cause %v", cause)
			}
		})
	}
}

// failing is a sink that fails at once and must not be used again.
type failing struct {
	t    *testing.T
	used *int
}

func (f failing) Send([]byte) error {
	if *f.used++; *f.used > 1 {
		f.t.Error("Send was called after an error")
	}
	return io.ErrClosedPipe
}

// handle calls the server without a listener, for what a listener cannot show.
func handle(t testing.TB, srv *server.Server, a ask, change func(*server.Request)) *server.Response {
	t.Helper()
	r := a.build(t, "http://127.0.0.1/")
	req := &server.Request{
		Method: r.Method, Host: r.Host, Header: r.Header, Body: r.Body, ContentLength: r.ContentLength, CanStream: true,
	}
	change(req)
	return srv.Handle(t.Context(), req)
}

// T22, T2: what the body says about itself and what arrives.
func TestBodies(t *testing.T) {
	srv := newServer(t, func(c *server.Config) { c.MaxBody = 3 << 20 }, echoTool)
	const good = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + metaJSON + `}}`
	long := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + metaJSON + `,"name":"echo","arguments":{"text":"` +
			strings.Repeat("a", n) + `"}}}`
	}
	for name, tc := range map[string]struct {
		body   io.Reader
		length int64
		status int
		text   string
	}{
		"announced":               {strings.NewReader(good), int64(len(good)), 200, `"tools":[`},
		"not announced":           {strings.NewReader(good), -1, 200, `"tools":[`},
		"byte by byte":            {oneByte{strings.NewReader(good)}, -1, 200, `"tools":[`},
		"T22: empty":              {strings.NewReader(""), 10, 500, "consumed by earlier middleware"},
		"T22: none":               {nil, 10, 500, "consumed by earlier middleware"},
		"T22: short":              {strings.NewReader(good[:9]), int64(len(good)), 500, "consumed by earlier middleware"},
		"none, not announced":     {nil, 0, 400, "the body is empty"},
		"cut off by the client":   {io.MultiReader(strings.NewReader(good[:9]), broken{}), int64(len(good)), 400, "shorter than announced"},
		"longer than announced":   {strings.NewReader(good), 9, 200, `"tools":[`},
		"large, announced":        {strings.NewReader(long(2 << 20)), int64(len(long(2 << 20))), 200, "aaa"},
		"large, not announced":    {strings.NewReader(long(2 << 20)), -1, 200, "aaa"},
		"T2: not read at all":     {broken{}, 3<<20 + 1, 413, "too large"},
		"T2: too large":           {strings.NewReader(long(3 << 20)), int64(len(long(3 << 20))), 413, "too large"},
		"T2: too large, silently": {strings.NewReader(long(3 << 20)), -1, 413, "too large"},
		"T2: too large, lying":    {strings.NewReader(long(3 << 20)), 10, 413, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			a := ask{method: "tools/list"}
			if strings.HasPrefix(name, "large") {
				a = call("echo", "")
			}
			resp := handle(t, srv, a, func(r *server.Request) { r.Body, r.ContentLength = tc.body, tc.length })
			if resp.Status != tc.status || !strings.Contains(string(resp.Body), tc.text) {
				t.Errorf("got %d %.200s", resp.Status, resp.Body)
			}
		})
	}
}

type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:1]) }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
