package adaptertest

import (
	"net/http"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/protocol"
)

// RunWriters puts writers between net/http and the application, as logging,
// compressing and buffering middleware does (T19, T25).
func RunWriters(t *testing.T, factory Factory) {
	t.Parallel()
	wrap := func(with func(plain) http.ResponseWriter) func(http.Handler) http.Handler {
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(with(plain{w}), r) })
		}
	}
	buffer := func(next http.Handler) http.Handler { return http.TimeoutHandler(next, patience, "too late") }
	tests := []struct {
		name string
		wrap func(http.Handler) http.Handler
		run  []func(*testing.T, *fixture)
	}{
		{
			"only Unwrap", wrap(func(p plain) http.ResponseWriter { return unwrapping{p} }),
			[]func(*testing.T, *fixture){testFirstEvent, testThousand, testLongStream, testSlowJSON},
		},
		{
			"flushing without Unwrap", wrap(func(p plain) http.ResponseWriter { return flushing{p} }),
			[]func(*testing.T, *fixture){testFirstEvent, testThousand, testCut},
		},
		{
			"flushing when it has decided", wrap(func(p plain) http.ResponseWriter { return &deciding{plain: p} }),
			[]func(*testing.T, *fixture){testThousand, testDecided},
		},
		{
			"no flushing", wrap(func(p plain) http.ResponseWriter { return p }),
			[]func(*testing.T, *fixture){testWithoutStream},
		},
		{
			"flushing refused", wrap(func(p plain) http.ResponseWriter { return refusing{p} }),
			[]func(*testing.T, *fixture){testWithoutStream},
		},
		{"TimeoutHandler", buffer, []func(*testing.T, *fixture){testWithoutStream}},
	}
	for _, form := range []Form{Middleware, Handler} {
		for _, tt := range tests {
			t.Run(string(form)+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				f := factory.fixture(t, Spec{Form: form, Wrap: tt.wrap}, newHouse(t, nil))
				testJSON(t, f)
				for _, run := range tt.run {
					run(t, f)
				}
			})
		}
	}
}

// testCut: behind a writer that hides deadlines the write timeout of the
// server rules, as the documentation says.
func testCut(t *testing.T, f *fixture) {
	c := newClient(t, f.strict(t, nil).app)
	a, err := c.try(c.request(t.Context(), tool("work", object{"milliseconds": 2000, "progress": true})))
	if err == nil {
		t.Errorf("the whole stream, the documentation is out of date: %q", a.body)
	}
}

// testDecided: nothing is sent behind the back of a writer that has yet to
// choose its header.
func testDecided(t *testing.T, f *fixture) {
	s := newClient(t, f.app).open(t.Context(), tool("count", object{"n": 3}))
	if got := s.resp.Header.Get(decidedHeader); got != "1" {
		t.Errorf("%s: %q", decidedHeader, got)
	}
}

// testWithoutStream: calls are answered in JSON, their notifications dropped,
// and what is nothing but a stream gets an error instead of hanging.
func testWithoutStream(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	calls := []call{
		tool("count", object{"n": 3}),
		tool("work", object{"milliseconds": 2 * int(keepAlive/time.Millisecond)}),
	}
	for _, msg := range calls {
		a := c.do(c.request(t.Context(), msg))
		if got := a.header.Get("Content-Type"); got != "application/json" || a.message.text() == "" {
			t.Errorf("%v: Content-Type %q, body %q", msg.params["name"], got, a.body)
		}
	}
	a := c.do(c.request(t.Context(), listen("toolsListChanged")))
	if a.message.code() != protocol.CodeInternalError || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("listen: status %d, Content-Type %q, body %q", a.status, a.header.Get("Content-Type"), a.body)
	}
}

// plain hides all but the three methods.
type plain struct{ w http.ResponseWriter }

func (p plain) Header() http.Header         { return p.w.Header() }
func (p plain) WriteHeader(status int)      { p.w.WriteHeader(status) }
func (p plain) Write(b []byte) (int, error) { return p.w.Write(b) }

type unwrapping struct{ plain }

func (u unwrapping) Unwrap() http.ResponseWriter { return u.w }

type flushing struct{ plain }

func (f flushing) Flush() { _ = http.NewResponseController(f.w).Flush() }

// refusing has the method and cannot.
type refusing struct{ plain }

func (refusing) FlushError() error { return http.ErrNotSupported }

const decidedHeader = "X-Decided"

// deciding holds back the beginning, and flushes nothing before it knows what
// to do with it, as compressing writers do.
type deciding struct {
	plain
	status  int
	held    []byte
	decided bool
}

func (d *deciding) WriteHeader(status int) { d.status = status }

func (d *deciding) Write(b []byte) (int, error) {
	if d.decided {
		return d.w.Write(b)
	}
	if d.held = append(d.held, b...); len(d.held) > 100 {
		d.decide()
	}
	return len(b), nil
}

func (d *deciding) decide() {
	d.decided = true
	d.w.Header().Set(decidedHeader, "1")
	d.w.WriteHeader(d.status)
	_, _ = d.w.Write(d.held)
}

func (d *deciding) Flush() {
	if d.decided {
		_ = http.NewResponseController(d.w).Flush()
	}
}

func (d *deciding) Unwrap() http.ResponseWriter { return d.w }
