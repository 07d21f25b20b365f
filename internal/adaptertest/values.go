package adaptertest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
)

func testValues(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	for _, user := range []string{"ada", "grace"} {
		for _, stream := range []bool{false, true} {
			msg := tool("echo", object{"text": "hello", "stream": stream}).with(UserHeader, user)
			if got, want := c.post(t.Context(), msg).text(), "hello|"+user+"|"+user+"|"+user; got != want {
				t.Errorf("stream %v: %q, want %q", stream, got, want)
			}
		}
	}
}

func testNoContext(t *testing.T, f *fixture) {
	spec := f.spec
	spec.NoContext = true
	f = f.factory.fixture(t, spec, newHouse(t, nil))
	msg := tool("echo", object{"text": "hello"}).with(UserHeader, "ada")
	if got := newClient(t, f.app).post(t.Context(), msg).text(); got != "hello|ada||" {
		t.Errorf("text %q", got)
	}
}

func testConsumed(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	if len(f.factory.Consumers) == 0 {
		t.Error("the factory has no middleware that reads the body")
	}
	for name, survives := range f.factory.Consumers {
		a := c.do(c.request(t.Context(), tool("echo", object{"text": "hello"}).with(ConsumeHeader, name)))
		if survives {
			if a.status != http.StatusOK || a.message.text() != "hello|||" {
				t.Errorf("%s: status %d, body %q", name, a.status, a.body)
			}
			continue
		}
		if a.status != http.StatusInternalServerError || a.message.code() != protocol.CodeInternalError ||
			!strings.Contains(string(a.body), "consumed") {
			t.Errorf("%s: status %d, body %q, want an error that says what happened", name, a.status, a.body)
		}
	}
}

// testDeadline: when the application sets a deadline, the handler ends with
// it, and the client, which is still there, gets an answer.
func testDeadline(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	msg := tool("hold", object{"id": t.Name()}).jsonOnly().with(DeadlineHeader, "50ms")
	if m := c.post(t.Context(), msg); m.Result["isError"] != true {
		t.Errorf("answer %+v", m)
	}
	if cause := f.holds.get(t.Name()).cause; !errors.Is(cause, context.DeadlineExceeded) {
		t.Errorf("cause %v", cause)
	}
}

func testDeadlineDetached(t *testing.T, f *fixture) {
	spec := f.spec
	spec.Detached = true
	testDeadline(t, f.factory.fixture(t, spec, newHouse(t, nil)))
}

// testOutlives: a handler that works on after its client has left sees its own
// request, and not those that came after.
func testOutlives(t *testing.T, f *fixture) {
	f = f.factory.fixture(t, f.spec, newHouse(t, nil))
	c := f.dial(t)
	c.send(tool("linger", object{"id": "first"}).with(UserHeader, "user-1"))
	c.skipEvent()
	c.Close()
	held := f.holds.get("first")
	wait(t, held.started, "the handler hears of the disconnect")
	for range 20 {
		other := tool("echo", object{"text": "other"}).with(UserHeader, "user-2")
		newClient(t, f.app).post(t.Context(), other)
	}
	close(held.release)
	wait(t, held.ended, "the handler ends")
	if want := `first {"id":"first"} user-1 user-1 user-1 linger`; held.saw != want {
		t.Errorf("saw %q, want %q", held.saw, want)
	}
}

// testAsking lets a tool, a prompt and a resource ask by returning, and goes
// on with the answer and the sealed state.
func testAsking(t *testing.T, f *fixture) {
	c := newClient(t, f.app)
	calls := []call{
		tool("greet", object{}),
		{method: protocol.MethodPromptsGet, params: object{"name": "greet"}},
		{method: protocol.MethodResourcesRead, params: object{"uri": "test://greet"}},
	}
	for _, msg := range calls {
		msg = msg.with(UserHeader, "ada")
		asked := c.post(t.Context(), msg)
		requests, _ := asked.Result["inputRequests"].(object)
		state, _ := asked.Result["requestState"].(string)
		if asked.Result["resultType"] != "input_required" || len(requests) != 1 || requests["name"] == nil || state == "" {
			t.Fatalf("%s: first round %v %v", msg.method, asked.Result, asked.Error)
		}
		msg.params["inputResponses"] = object{"name": object{"action": "accept", "content": object{"name": "Ada"}}}
		msg.params["requestState"] = state
		a := c.do(c.request(t.Context(), msg))
		if !strings.Contains(string(a.body), "Hello, Ada! You are ada.") || a.message.Result["resultType"] != "complete" {
			t.Errorf("%s: second round %s", msg.method, a.body)
		}
		// State is the caller's: another one gets nothing for it.
		stolen := msg
		stolen.header = http.Header{}
		a = c.do(c.request(t.Context(), stolen.with(UserHeader, "grace")))
		if a.status != http.StatusBadRequest || a.message.code() != protocol.CodeInvalidParams {
			t.Errorf("%s: stolen state: status %d, body %s", msg.method, a.status, a.body)
		}
	}
}
