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
	tests := []struct {
		name    string
		wrap    func(http.Handler) http.Handler
		streams bool
	}{
		{"only Unwrap", wrapWriter(func(w http.ResponseWriter) http.ResponseWriter { return unwrapping{plain{w}} }), true},
		{"flushing without Unwrap", wrapWriter(func(w http.ResponseWriter) http.ResponseWriter { return flushing{plain{w}} }), true},
		{"no flushing", wrapWriter(func(w http.ResponseWriter) http.ResponseWriter { return plain{w} }), false},
		{"flushing refused", wrapWriter(func(w http.ResponseWriter) http.ResponseWriter { return refusing{plain{w}} }), false},
		{"TimeoutHandler", func(next http.Handler) http.Handler {
			return http.TimeoutHandler(next, patience, "too late")
		}, false},
	}
	for _, form := range []Form{Middleware, Handler} {
		for _, tt := range tests {
			t.Run(string(form)+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				spec := Spec{Form: form, Wrap: tt.wrap} // without deadlines, a timeout of the server's would rule
				f := factory.fixture(t, spec, newHouse(t, nil))
				if tt.streams {
					testFirstEvent(t, f)
					testLongStream(t, f)
				} else {
					testWithoutStream(t, f)
				}
				testJSON(t, f)
			})
		}
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

func wrapWriter(wrap func(http.ResponseWriter) http.ResponseWriter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(wrap(w), r) })
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
