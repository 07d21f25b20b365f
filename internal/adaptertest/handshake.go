package adaptertest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
)

// olderVersions are the revisions with a handshake.
var olderVersions = []string{protocol.Version20251125, protocol.Version20250618, protocol.Version20250326}

// testOlder serves clients of every older revision that have no session: on the
// same mount as all others.
func testOlder(t *testing.T, f *fixture) {
	for _, version := range olderVersions {
		o := f.begin(t, version, "ada")
		if o.session != "" {
			t.Fatalf("%s: a session", version)
		}
		result := o.result(t.Context(), o.tool("echo", object{"text": "hello"}))
		if m := (message{Result: result}); m.text() != "hello|ada|ada|ada" || result["resultType"] != nil || result["_meta"] != nil {
			t.Errorf("%s: result %v", version, result)
		}
		if result := o.result(t.Context(), o.ask(protocol.MethodPing, object{})); len(result) != 0 {
			t.Errorf("%s: ping: %v", version, result)
		}
		s := o.start(t.Context(), o.tool("count", object{"n": 3}))
		for i := range 3 {
			if m := o.must(s); m.Params["progress"] != float64(i+1) || s.id != "" {
				t.Errorf("%s: event %q %+v", version, s.id, m)
			}
		}
		if m := o.must(s); m.text() != "counted" {
			t.Errorf("%s: answer %+v", version, m)
		}
		o.end(s)
		a := o.do(o.post(t.Context(), o.tool("greet", object{})))
		if a.status != http.StatusOK || !strings.Contains(string(a.body), protocol.Version20260728) {
			t.Errorf("%s: a tool that asks: status %d, body %s", version, a.status, a.body)
		}
		if a := o.do(o.get(t.Context(), "")); a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: GET: status %d", version, a.status)
		}
		if a := o.do(o.delete(t.Context())); a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: DELETE: status %d", version, a.status)
		}
	}
}

// testSession has both eras on one mount: a session is its owner's, and ends
// with DELETE (T33). Clients notice only by a 404 whose id is null.
func testSession(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	for _, version := range olderVersions {
		o := f.begin(t, version, "ada")
		echo := o.tool("echo", object{"text": "hello"})
		if m := (message{Result: o.result(t.Context(), echo)}); m.text() != "hello|ada|ada|ada" {
			t.Errorf("%s: %+v", version, m)
		}
		// A client of 2026-07-28 has nothing to do with it.
		modern := tool("echo", object{"text": "hello"}).with(UserHeader, "grace").with(sessionHeader, o.session)
		if m := o.client.post(t.Context(), modern); m.text() != "hello|grace|grace|grace" {
			t.Errorf("2026-07-28 with the header of a session: %+v", m)
		}
		without := o.post(t.Context(), echo)
		without.Header.Del(sessionHeader)
		if a := o.do(without); a.status != http.StatusBadRequest || a.message.ID != float64(o.last) {
			t.Errorf("%s without a session: status %d, body %s", version, a.status, a.body)
		}

		stranger := *o
		stranger.user = "grace"
		stranger.notFound(t, version+", somebody else's session")
		stranger.user = ""
		stranger.notFound(t, version+", nobody's")
		stranger = *o
		stranger.session += "A"
		stranger.notFound(t, version+", no session")

		if a := o.do(o.delete(t.Context())); a.status != http.StatusNoContent || len(a.body) > 0 {
			t.Errorf("%s: DELETE: status %d, body %q", version, a.status, a.body)
		}
		o.notFound(t, version+", an ended session")
	}
	o := f.begin(t, protocol.Version20251125, "")
	for _, method := range []string{http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodOptions} {
		req := o.raw(t.Context(), method, Path, nil)
		o.identify(req)
		if a := o.do(req); a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "POST, GET, DELETE" {
			t.Errorf("%s: status %d, Allow %q", method, a.status, a.header.Get("Allow"))
		}
	}
}

// notFound sends everything that needs a session.
func (o *older) notFound(t *testing.T, what string) {
	t.Helper()
	for _, req := range []*http.Request{
		o.post(t.Context(), o.tool("echo", object{"text": "hello"})),
		o.post(t.Context(), object{"id": 1, "result": object{}}),
		o.post(t.Context(), object{"method": "notifications/cancelled", "params": object{"requestId": 1}}),
		o.get(t.Context(), ""),
		o.get(t.Context(), "0-0"),
		o.delete(t.Context()),
	} {
		a := o.do(req)
		if a.status != http.StatusNotFound || !strings.Contains(string(a.body), `"id":null`) ||
			a.message.code() != protocol.CodeInvalidRequest {
			t.Errorf("%s: %s: status %d, body %s", what, req.Method, a.status, a.body)
		}
	}
}
