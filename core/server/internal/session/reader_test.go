package session_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/core/server/internal/session"
)

const kept = 200 // bytes

func newSession(t *testing.T) *session.Session {
	t.Helper()
	table := session.New(session.Limits{Sessions: 1, SessionsPerOwner: 1, Idle: time.Hour, Events: kept}, hub.New(time.Hour, 1))
	s, err := table.Create(session.Owner{}, session.Client{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.End(s) })
	return s
}

func event(text string) []byte { return []byte("data: " + text + "\n\n") }

// TestReaderBehind: what is lost before it was read ends the stream of a call,
// so that its client comes back and is told; the session's own goes on.
func TestReaderBehind(t *testing.T) {
	s := newSession(t)
	call, other := s.Open(), s.Open()
	_, done := call.Take(t.Context(), call.Turn())
	defer done()
	call.Append(event("one"))
	if events, last, ended := call.Since(t.Context(), 0); !strings.Contains(string(events), "one") || last != 1 || ended {
		t.Fatalf("%q %d %v", events, last, ended)
	}
	call.Append(event("two"))
	for range 5 {
		other.Append(event(strings.Repeat("x", kept/2)))
	}
	call.Append(event("three"))
	if events, last, ended := call.Since(t.Context(), 1); len(events) > 0 || last != 1 || !ended {
		t.Errorf("%q %d %v, want the end: something is lost", events, last, ended)
	}
	own := s.Own()
	own.Append(event("one"))
	for range 5 {
		other.Append(event(strings.Repeat("x", kept/2)))
	}
	own.Append(event("two"))
	if events, last, ended := own.Since(t.Context(), 0); !strings.Contains(string(events), "two") || last != 2 || ended {
		t.Errorf("the session's own: %q %d %v", events, last, ended)
	}
}

// TestReaderReplaced: the reader before gets nothing more, and what he was not
// given is the next one's.
func TestReaderReplaced(t *testing.T) {
	own := newSession(t).Own()
	first, leave := own.Take(t.Context(), own.Turn())
	own.Append(event("one"))
	own.Since(first, 0)
	own.Append(event("two"))
	second, done := own.Take(t.Context(), own.Turn())
	defer done()
	if events, _, ended := own.Since(first, 1); len(events) > 0 || !ended || own.Read() != 1 {
		t.Errorf("%q %v, read %d, for one who was replaced", events, ended, own.Read())
	}
	leave()
	if events, last, ended := own.Since(second, own.Read()); !strings.Contains(string(events), "two") || last != 2 || ended {
		t.Errorf("%q %d %v", events, last, ended)
	}
}

// TestHandOver: who says more waits until it was read, or the reader has left.
func TestHandOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := newSession(t).Open()
		call.Append(event("one"))
		call.HandOver(t.Context()) // nobody reads
		ctx, done := call.Take(t.Context(), call.Turn())
		over := make(chan struct{})
		hand := func(ctx context.Context) {
			call.HandOver(ctx)
			over <- struct{}{}
		}
		waits := func() {
			t.Helper()
			synctest.Wait()
			select {
			case <-over:
				t.Error("it did not wait")
			default:
			}
		}
		go hand(t.Context())
		waits()
		_, last, _ := call.Since(ctx, 0)
		<-over
		go hand(t.Context()) // it was read
		<-over
		call.Append(event("two"))
		cancelled, cancel := context.WithCancel(t.Context())
		go hand(cancelled)
		waits()
		cancel()
		<-over
		go hand(t.Context())
		waits()
		done() // without having read it
		<-over
		if events, _, _ := call.Since(t.Context(), last); !strings.Contains(string(events), "two") {
			t.Errorf("%q is left", events)
		}
	})
}
