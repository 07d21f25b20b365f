package session_test

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/core/server/internal/session"
)

var limits = session.Limits{Sessions: 4, SessionsPerOwner: 2, Parked: 3, ParkedPerOwner: 2, ParkedBytes: 40, Idle: time.Minute, Events: 100}

var ada, eve = session.Owner{Issuer: "i", Subject: "ada"}, session.Owner{Issuer: "i", Subject: "eve"}

func table(l session.Limits) (*session.Table, *hub.Hub) {
	h := hub.New(time.Minute, l.Sessions)
	return session.New(l, h), h
}

// create begins a session and leaves it.
func create(t *testing.T, tab *session.Table, o session.Owner) *session.Session {
	t.Helper()
	s, err := tab.Create(o, session.Client{Version: "v", Info: []byte(`{"name":"a"}`), Capabilities: []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	s.Leave()
	return s
}

func TestTable(t *testing.T) {
	tab, h := table(limits)
	info := []byte(`{"name":"a"}`)
	s, err := tab.Create(ada, session.Client{Version: "v", Info: info, Capabilities: []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	info[2] = 'X'
	if c := s.Client(); string(c.Info) != `{"name":"a"}` || string(c.Capabilities) != `{}` || c.Version != "v" || s.Version() != "v" || s.Owner() != ada {
		t.Errorf("client %+v", c)
	}
	if !regexp.MustCompile(`^[A-Z2-7]{26}$`).MatchString(s.ID()) {
		t.Errorf("id %q", s.ID())
	}
	if tab.Enter(s.ID(), ada) != s || tab.Enter(s.ID(), eve) != nil || tab.Enter(s.ID(), session.Owner{}) != nil ||
		tab.Enter("", ada) != nil || tab.Enter(s.ID()+"A", ada) != nil {
		t.Error("who enters")
	}
	create(t, tab, ada)
	if _, err := tab.Create(ada, session.Client{}); !errors.Is(err, session.ErrOwnerFull) {
		t.Errorf("a third of one owner: %v", err)
	}
	anonymous := session.Owner{}
	create(t, tab, anonymous)
	create(t, tab, anonymous)
	if _, err := tab.Create(eve, session.Client{}); !errors.Is(err, session.ErrFull) {
		t.Errorf("a fifth: %v", err)
	}
	if tab.Len() != 4 || h.Open() != 4 {
		t.Errorf("%d sessions, %d at the hub", tab.Len(), h.Open())
	}
	tab.End(s)
	tab.End(s) // again
	if tab.Len() != 3 || h.Open() != 3 || tab.Enter(s.ID(), ada) != nil {
		t.Errorf("%d sessions, %d at the hub", tab.Len(), h.Open())
	}
	create(t, tab, ada)
	tab.Close()
	tab.Close()
	if _, err := tab.Create(eve, session.Client{}); !errors.Is(err, session.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	select {
	case <-tab.Closing():
	default:
		t.Error("Closing is open")
	}
	if tab.Park(ada, 10) {
		t.Error("parked after Close")
	}
}

// A session ends when it was left for the idle time; a table that is closed
// waits for those in use, and leaves nothing behind.
// While a server closes, its hub may be shut a moment before its sessions are.
func TestHubClosedFirst(t *testing.T) {
	tab, h := table(limits)
	h.Close()
	if _, err := tab.Create(ada, session.Client{}); !errors.Is(err, session.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, h := table(limits)
		idle, used := create(t, tab, ada), create(t, tab, eve)
		tab.Enter(used.ID(), eve)
		<-time.After(59 * time.Second)
		if tab.Len() != 2 {
			t.Error("too early")
		}
		<-time.After(10 * time.Second)
		if tab.Len() != 1 || tab.Enter(idle.ID(), ada) != nil {
			t.Error("too late")
		}
		<-time.After(time.Hour)
		if tab.Len() != 1 {
			t.Error("one in use has ended")
		}
		used.Leave()
		<-time.After(70 * time.Second)
		if tab.Len() != 0 || h.Open() != 0 {
			t.Errorf("%d, %d", tab.Len(), h.Open())
		}
		used = create(t, tab, eve) // the timer starts anew
		tab.Enter(used.ID(), eve)
		create(t, tab, eve)
		tab.Close()
		<-time.After(2 * time.Second)
		if tab.Len() != 1 {
			t.Errorf("%d after Close", tab.Len())
		}
		used.Leave()
		<-time.After(2 * time.Second)
		if tab.Len() != 0 {
			t.Errorf("%d at last", tab.Len())
		}
	})
}

func TestPark(t *testing.T) {
	tab, _ := table(limits)
	for i, step := range []struct {
		owner session.Owner
		want  bool
	}{{ada, true}, {ada, true}, {ada, false}, {session.Owner{}, true}, {session.Owner{}, false}, {eve, false}} {
		if got := tab.Park(step.owner, 10); got != step.want {
			t.Errorf("step %d: %t", i, got)
		}
	}
	tab.Unpark(ada, 10)
	if tab.Parked() != 2 || tab.Park(eve, 21) || !tab.Park(eve, 20) || tab.Park(ada, 0) {
		t.Errorf("%d parked", tab.Parked())
	}
	tab.Unpark(eve, 20)
	if !tab.Park(eve, 20) {
		t.Error("the bytes are not given back")
	}
}

// Running requests are cancelled by their id as it was spelled, with a cause,
// and when the session ends.
func TestCancel(t *testing.T) {
	tab, _ := table(limits)
	s := create(t, tab, ada)
	begin := func(id string) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(t.Context())
		return ctx, s.Begin([]byte(id), cancel)
	}
	cause := errors.New("cancelled")
	one, endOne := begin("1")
	twin, endTwin := begin("1")
	text, endText := begin(`"1"`)
	done, end := begin("2")
	end()
	s.Cancel([]byte("2"), cause)
	s.Cancel([]byte("3"), cause)
	s.Cancel(nil, cause)
	for _, ctx := range []context.Context{one, twin, text, done} {
		if ctx.Err() != nil {
			t.Error("cancelled too early")
		}
	}
	s.Cancel([]byte("1"), cause)
	if context.Cause(one) != cause || context.Cause(twin) != cause || text.Err() != nil { //nolint:errorlint // the very cause
		t.Error("not these two")
	}
	tab.End(s)
	if !errors.Is(context.Cause(text), session.ErrEnded) || done.Err() != nil {
		t.Errorf("at the end: %v", context.Cause(text))
	}
	late, endLate := begin("9")
	if !errors.Is(context.Cause(late), session.ErrEnded) {
		t.Error("a request of a session that has ended")
	}
	for _, f := range []func(){endOne, endTwin, endText, endLate} {
		f()
	}
}

func TestLevel(t *testing.T) {
	tab, _ := table(limits)
	s := create(t, tab, ada)
	if s.Level() != "" {
		t.Errorf("level %q", s.Level())
	}
	s.SetLevel("error")
	if s.Level() != "error" {
		t.Errorf("level %q", s.Level())
	}
}

// An answer goes to the round that asked, once; what nobody asked is nobody's.
func TestAsk(t *testing.T) {
	tab, _ := table(limits)
	s := create(t, tab, ada)
	first, second, none := s.Ask(2), s.Ask(1), s.Ask(0)
	if first.ID(0) != "1" || first.ID(1) != "2" || second.ID(0) != "3" {
		t.Errorf("ids %s %s %s", first.ID(0), first.ID(1), second.ID(0))
	}
	for i, step := range []struct {
		id   string
		want bool
	}{{"2", true}, {"2", false}, {`"1"`, false}, {"0", false}, {"4", false}, {"", false}, {"01", false}} {
		if got := s.Answer([]byte(step.id), []byte(`{}`), nil, session.Credentials{}); got != step.want {
			t.Errorf("step %d: %t", i, got)
		}
	}
	if r := <-first.Replies(); r.Index != 1 || string(r.Result) != `{}` || r.Error != nil {
		t.Errorf("got %+v", r)
	}
	if open := first.End(); len(open) != 1 || open[0] != "1" {
		t.Errorf("open %v", open)
	}
	if s.Answer([]byte("1"), []byte(`{}`), nil, session.Credentials{}) || len(first.End()) != 0 || len(none.End()) != 0 {
		t.Error("after the end")
	}
	if !s.Answer([]byte("3"), nil, []byte(`{"code":1}`), session.Credentials{}) {
		t.Error("another round's")
	}
	if r := <-second.Replies(); r.Index != 0 || r.Result != nil || string(r.Error) != `{"code":1}` {
		t.Errorf("got %+v", r)
	}
	if open := second.End(); len(open) != 0 {
		t.Errorf("open %v", open)
	}
	if id := s.Ask(1).ID(0); id != "4" { // never used twice
		t.Errorf("id %s", id)
	}
}
