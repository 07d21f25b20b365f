package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/server/internal/session"
)

// since is what is kept of a stream after an event id, "-" for a stream that
// cannot be continued there.
func since(s *session.Session, id string) string {
	st, after := s.Find(id)
	if st == nil {
		return "-"
	}
	events, _, ended := st.Since(context.Background(), after)
	out := strings.ReplaceAll(string(events), "\n", "|")
	if ended {
		out += "end"
	}
	return out
}

func TestStream(t *testing.T) {
	tab, _ := table(limits)
	s := create(t, tab, ada)
	a, b := s.Open(), s.Open()
	if a.EventID(0) != "1-0" || b.EventID(7) != "2-7" || s.Own().EventID(1) != "0-1" || s.Own() != s.Own() {
		t.Error("event ids")
	}
	if got := string(a.Append([]byte("a1\n"))); got != "id: 1-1\na1\n" {
		t.Errorf("got %q", got)
	}
	b.Append([]byte("b1\n"))
	a.Append([]byte("a2\n"))
	b.End()
	for id, want := range map[string]string{
		"1-0": "id: 1-1|a1|id: 1-2|a2|", "1-1": "id: 1-2|a2|", "1-2": "", "1-3": "-", "2-0": "id: 2-1|b1|end", "2-1": "end", "3-0": "-",
		"0-0": "", "0-9": "", "": "-", "1": "-", "x-1": "-", "1-x": "-", "+1-0": "-", " 1-0": "-", "99999999999999999999-0": "-",
	} {
		if got := since(s, id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
	if a.Read() != 2 { // by Since
		t.Errorf("read %d", a.Read())
	}
	empty := s.Open()
	empty.End()
	if got := since(s, empty.EventID(0)); got != "-" { // there is nothing to come back for
		t.Errorf("got %q", got)
	}
	tab.End(s)
	if since(s, "1-0") != "-" || since(s, "0-0") != "" {
		t.Error("after the end of the session")
	}
	a.Append([]byte("a3\n")) // of a call that still runs
	a.End()
}

// The events of a session have a limit together: the oldest go first, and what
// came before one that is gone cannot be asked for.
func TestEventLimit(t *testing.T) {
	tab, _ := table(limits) // 100 bytes
	s := create(t, tab, ada)
	a, b, own := s.Open(), s.Open(), s.Own()
	event := []byte(strings.Repeat("x", 21) + "\n") // 31 with its id
	a.Append(event)
	b.Append(event)
	a.Append(event)
	a.End()
	if since(s, "1-0") == "-" || since(s, "2-0") == "-" {
		t.Error("too early")
	}
	b.Append(event) // pushes the first of a out
	if since(s, "1-0") != "-" || since(s, "1-1") == "-" || since(s, "2-0") == "-" {
		t.Error("not the oldest")
	}
	own.Append(event)
	own.Append(event) // a is gone
	if since(s, "1-1") != "-" || since(s, "2-0") != "-" || since(s, "2-1") == "-" {
		t.Error("not the oldest again")
	}
	// The stream of the session goes on with what there is.
	for range 3 {
		own.Append(event)
	}
	if got := strings.Count(since(s, "0-0"), "id: 0-"); got != 3 {
		t.Errorf("%d events", got)
	}
}

// An event that is larger than all of the room pushes nothing of others out,
// and ends what can be continued of its own stream; who reads the stream gets
// it all the same.
func TestLargeEvent(t *testing.T) {
	tab, _ := table(limits)
	s := create(t, tab, ada)
	a, b := s.Open(), s.Open()
	small, large := []byte("x\n"), []byte(strings.Repeat("y", 200)+"\n")
	a.Append(small)
	b.Append(small)
	a.Append(large)
	a.Append(small)
	if since(s, "1-0") != "-" || since(s, "1-1") != "-" || since(s, "1-2") != "id: 1-3|x|" || since(s, "2-0") != "id: 2-1|x|" {
		t.Errorf("%q %q %q %q", since(s, "1-0"), since(s, "1-1"), since(s, "1-2"), since(s, "2-0"))
	}
	_, done := a.Take(t.Context(), a.Turn())
	a.Append(large)
	events, last, _ := a.Since(t.Context(), 3)
	if last != 4 || !strings.HasSuffix(string(events), string(large)) {
		t.Errorf("%d bytes, last %d", len(events), last)
	}
	if again, _, _ := a.Since(t.Context(), 3); len(again) != 0 {
		t.Error("it is kept although it was read")
	}
	done()
}

// The events of a stream that has ended are kept for a minute.
func TestRetention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits
		l.Idle = time.Hour
		tab, _ := table(l)
		s := create(t, tab, ada)
		ended, running := s.Open(), s.Open()
		ended.Append([]byte("a\n"))
		running.Append([]byte("b\n"))
		ended.End()
		<-time.After(59 * time.Second)
		if since(s, "1-0") != "id: 1-1|a|end" {
			t.Error("too early")
		}
		<-time.After(20 * time.Second)
		if since(s, "1-0") != "-" || since(s, "2-0") != "id: 2-1|b|" {
			t.Errorf("got %q, %q", since(s, "1-0"), since(s, "2-0"))
		}
		tab.Close()
		<-time.After(3 * time.Second)
	})
}

// A stream has one reader: the last by turn, whoever comes first.
func TestTake(t *testing.T) {
	tab, _ := table(limits)
	s := create(t, tab, ada)
	st := s.Open()
	if st.Taken() {
		t.Error("taken by nobody")
	}
	turns := []uint64{st.Turn(), st.Turn(), st.Turn()}
	first, doneFirst := st.Take(t.Context(), turns[0])
	third, doneThird := st.Take(t.Context(), turns[2])
	if first.Err() == nil || third.Err() != nil || !st.Taken() {
		t.Error("the later has it")
	}
	second, doneSecond := st.Take(t.Context(), turns[1])
	if second.Err() == nil || third.Err() != nil {
		t.Error("an earlier turn took it")
	}
	doneSecond()
	doneFirst()
	if third.Err() != nil || !st.Taken() {
		t.Error("those that have ended took it along")
	}
	// A ring that the first heard is heard again.
	select {
	case <-st.Wake():
	default:
		t.Error("no ring")
	}
	parent, cancel := context.WithCancel(t.Context())
	fourth, doneFourth := st.Take(parent, st.Turn())
	cancel()
	if fourth.Err() == nil {
		t.Error("it does not end with its request")
	}
	doneFourth()
	doneThird()
	if st.Taken() {
		t.Error("taken by nobody any more")
	}
	fifth, doneFifth := st.Take(t.Context(), st.Turn())
	tab.End(s)
	if fifth.Err() == nil {
		t.Error("it does not end with the session")
	}
	doneFifth()
	late, doneLate := st.Take(t.Context(), st.Turn())
	if late.Err() == nil {
		t.Error("a reader of a session that has ended")
	}
	doneLate()
}
