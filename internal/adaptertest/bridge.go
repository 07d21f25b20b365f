package adaptertest

import (
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testBridge: the questions of a handler go out on the stream of its call, and
// answers come by POST, in any order. The handler runs once for each round
// (M19).
func testBridge(t *testing.T, f *fixture) {
	for _, version := range []string{protocol.Version20251125, protocol.Version20250618} {
		f := f.sessions(t, nil)
		o := f.begin(t, version, "ada")
		s := o.start(t.Context(), o.tool("interview", object{}))
		asked := o.last
		given, family := o.question(s), o.question(s)
		if given.ID == family.ID || given.Params["message"] != "Your given name?" {
			t.Errorf("%s: questions %+v and %+v", version, given, family)
		}
		o.answer(family, "Lovelace")
		o.answer(given, "Ada")
		town := o.question(s)
		o.answer(given, "Nobody") // too late, and for another
		o.answer(town, "London")
		m := o.must(s)
		if m.text() != "Ada Lovelace of London" || m.ID != float64(asked) || m.Result["resultType"] != nil || m.Result["isError"] != nil {
			t.Errorf("%s: answer %+v", version, m)
		}
		o.end(s)
		if runs := f.runs.Load(); runs != 3 {
			t.Errorf("%s: %d runs of the handler, want one for each round", version, runs)
		}
		if got := s.primes == 1; got != (version >= protocol.Version20251125) {
			t.Errorf("%s: %d events without a message", version, s.primes)
		}
	}
}

// testBridgeKinds: prompts and resources ask as tools do (M20).
func testBridgeKinds(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "ada")
	for _, msg := range []object{
		o.tool("greet", object{}),
		o.ask(protocol.MethodPromptsGet, object{"name": "greet"}),
		o.ask(protocol.MethodResourcesRead, object{"uri": "test://greet"}),
	} {
		s := o.start(t.Context(), msg)
		o.answer(o.question(s), "Ada")
		m := o.must(s)
		text := m.text()
		for _, member := range []string{"contents", "messages"} {
			if list, _ := m.Result[member].([]any); len(list) == 1 {
				part, _ := list[0].(object)
				if content, ok := part["content"].(object); ok {
					part = content
				}
				text, _ = part["text"].(string)
			}
		}
		if !strings.Contains(text, "Hello, Ada! You are ada.") || m.Result["resultType"] != nil {
			t.Errorf("%v: answer %+v", msg["method"], m)
		}
		o.end(s)
	}
}

// testBridgeCut loses the connection of a call that waits for an answer, gets
// the question again on another one, and answers.
func testBridgeCut(t *testing.T, f *fixture) {
	f = f.sessions(t, nil)
	o := f.begin(t, protocol.Version20251125, "ada")
	s := o.start(t.Context(), o.tool("interview", object{}))
	given := o.question(s)
	o.answer(given, "Ada")
	s.close()
	rest := o.listen(t.Context(), s.id)
	o.answer(o.question(rest), "Lovelace")
	town := o.question(rest)
	rest.close()
	<-time.After(2 * keepAlive)
	rest = o.listen(t.Context(), rest.id)
	o.answer(town, "London")
	if m := o.must(rest); m.text() != "Ada Lovelace of London" || m.ID != float64(o.last) {
		t.Errorf("answer %+v", m)
	}
	o.end(rest)
	if runs := f.runs.Load(); runs != 3 {
		t.Errorf("%d runs of the handler", runs)
	}
}

// testBridgeRefuses: who cannot be asked is told, in the envelope of his call
// (M19), and nobody waits for him.
func testBridgeRefuses(t *testing.T, f *fixture) {
	f = f.sessions(t, func(c *server.Config) { c.Legacy.AnswerTimeout = 2 * keepAlive })
	refused := func(o *older, why string, messages ...object) {
		t.Helper()
		for _, msg := range messages {
			a := o.do(o.post(t.Context(), msg))
			m := a.message
			if a.status != 200 || m.ID != float64(msg["id"].(int)) || m.Result["isError"] != true && m.code() == 0 {
				t.Errorf("%s: %v: status %d, body %s", why, msg["method"], a.status, a.body)
			}
		}
	}
	all := func(o *older) []object {
		return []object{
			o.tool("interview", object{}),
			o.ask(protocol.MethodPromptsGet, object{"name": "greet"}),
			o.ask(protocol.MethodResourcesRead, object{"uri": "test://greet"}),
		}
	}
	o := f.beginWith(t, protocol.Version20251125, "ada", object{"elicitation": object{"url": object{}}})
	refused(o, "no forms", all(o)...)
	o = f.beginWith(t, protocol.Version20250618, "ada", object{})
	refused(o, "no elicitation", all(o)...)
	o = f.begin(t, protocol.Version20250326, "ada")
	refused(o, "2025-03-26", all(o)...)

	// A silent client.
	o = f.begin(t, protocol.Version20251125, "ada")
	before := f.runs.Load()
	refused(o, "silent", all(o)...)
	if runs := f.runs.Load() - before; runs != 1 {
		t.Errorf("%d runs of a handler without an answer", runs)
	}
}
