package server_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

func olderChanged(list string) string {
	return `{"jsonrpc":"2.0","method":"notifications/` + list + `/list_changed","params":{}}`
}

func olderUpdated(uri string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"` + uri + `"}}`
}

// What changes is announced on the stream of the session: lists, and the
// resources that were subscribed to.
func TestSessionStream(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		for _, version := range olderVersions {
			srv := newServer(t, withSessions(func(c *server.Config) {
				c.Visible = func(_ core.Principal, f core.Feature) bool { return f.Name() != "docs://secret" }
			}), documents()...)
			c := joined(t, serve(t, &bridge{srv: srv, detached: detached}), version, "")
			empty := `{"jsonrpc":"2.0","id":1,"result":{}}`
			missing := func(uri string) string {
				return `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found","data":{"uri":"` + uri + `"}}}`
			}
			for _, step := range []struct{ method, params, want string }{
				{"resources/subscribe", `"uri":"docs://readme"`, empty},
				{"resources/subscribe", `"uri":"docs://readme"`, empty}, // again
				{"resources/subscribe", `"uri":"docs://rows/7"`, empty}, // of a template
				{"resources/subscribe", `"uri":"docs://rows/8"`, empty},
				{"resources/subscribe", `"uri":"docs://nobody"`, missing("docs://nobody")},
				{"resources/subscribe", `"uri":"docs://secret"`, missing("docs://secret")},
				{"resources/subscribe", `"uri":7`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: uri must be a string"}}`},
				{"resources/unsubscribe", `"uri":"docs://rows/8"`, empty},
				{"resources/unsubscribe", `"uri":"docs://nobody"`, empty},
				{"resources/unsubscribe", ``, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: uri must be a string"}}`},
			} {
				if got := c.tell(step.method, step.params); got.body != step.want || got.status != 200 {
					t.Errorf("%s %s: %d %s", step.method, step.params, got.status, got.body)
				}
			}
			srv.ResourceUpdated("docs://readme") // before anybody listens: told later
			a := c.listen()
			a.want(olderUpdated("docs://readme"))
			srv.ResourceUpdated("docs://rows/8")
			srv.ResourceUpdated("docs://secret")
			srv.ResourceUpdated("docs://rows/7")
			a.want(olderUpdated("docs://rows/7"))
			if err := srv.Add(numbered(0, 1)...); err != nil {
				t.Fatal(err)
			}
			a.want(olderChanged("tools"))
			srv.Remove(documents()[1])
			a.want(olderChanged("resources"))
			primes := 0
			if version == v2025Nov {
				primes = 1
			}
			if a.primes != primes || a.id != "0-4" {
				t.Errorf("%s: %d events without a message, id %q", version, a.primes, a.id)
			}
			if err := srv.Close(t.Context()); err != nil {
				t.Error(err)
			}
			a.want("")
		}
	})
}

// One stream for each session: a new one takes over, and what comes then comes
// on the new one only.
func TestSessionStreamIsReplaced(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, withSessions(), echoTool)
		url := serve(t, &bridge{srv: srv, detached: detached})
		c, other := joined(t, url, v2025Nov, ""), joined(t, url, v2025Nov, "")
		theirs := other.listen()
		streams := []*answer{c.listen()}
		for i := range 5 {
			streams = append(streams, c.listen())
			if got := streams[i].end(); len(got.raw) != min(i, 1) { // the one that was waited for
				t.Errorf("stream %d: %s", i, got.body)
			}
			if err := srv.Add(numbered(i, i+1)...); err != nil {
				t.Fatal(err)
			}
			streams[i+1].want(olderChanged("tools"))
			theirs.want(olderChanged("tools")) // is another session's
		}
		if got := c.do(http.MethodDelete, "", "").end(); got.status != 204 {
			t.Errorf("DELETE: %d", got.status)
		}
		streams[5].want("")
	})
}

// After a lost connection the stream of the session goes on behind the last
// event that was received; without an id, with what nobody was sent.
func TestSessionStreamResumes(t *testing.T) {
	srv := newServer(t, withSessions(), echoTool)
	c := joined(t, serve(t, &bridge{srv: srv}), v2025Nov, "")
	a := c.listen()
	for i := range 3 {
		if err := srv.Add(numbered(i, i+1)...); err != nil {
			t.Fatal(err)
		}
		a.want(olderChanged("tools"))
	}
	a.leave()
	sent := []string{olderChanged("tools"), olderChanged("tools"), olderChanged("tools")}
	for i, from := range []int{0, 1, 2, 3, 99} {
		b := c.resume(fmt.Sprint("0-", from))
		for _, missed := range sent[min(from, len(sent)):] {
			b.want(missed)
		}
		if err := srv.Add(core.NewPrompt(fmt.Sprint("p", i), "", prompt)); err != nil {
			t.Fatal(err)
		}
		b.want(olderChanged("prompts"))
		if sent = append(sent, olderChanged("prompts")); b.primes != 0 || b.id != fmt.Sprint("0-", len(sent)) {
			t.Errorf("from %d: %d events without a message, id %s", from, b.primes, b.id)
		}
		b.leave()
	}
	for _, bad := range []string{"", "x", "1", "1-", "-1", "0-x", "0--1", "1-1", "99-0", "0-1-1", "18446744073709551616-0"} {
		if got := c.resume(bad).end(); got.status != 400 || got.code() != -32600 || got.message() != "The events after Last-Event-ID are not kept" {
			t.Errorf("%q: %d %s", bad, got.status, got.body)
		}
	}
}

func prompt(context.Context, *core.Event, core.NoInput) (string, error) { return "", nil }

// A call whose client lost its connection goes on, and the rest of its stream
// can be had, while it runs and afterwards, for a minute.
func TestCallResumes(t *testing.T) {
	for name, open := range directStyles {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tool := toolOf("steps", func(_ context.Context, ev *core.Event) (string, error) {
					for i := range 4 {
						ev.Log(slog.LevelInfo, strconv.Itoa(i))
						<-time.After(time.Second)
					}
					return "done", nil
				})
				var counts tally
				srv := newServer(t, withSessions(func(c *server.Config) { c.Metrics = &counts }), tool)
				d := begin(t, srv, v2025Nov)
				other := begin(t, srv, v2025Nov)
				d.open, other.open = open, open
				ctx, leave := context.WithCancel(t.Context())
				p := park(t, d, ctx, message("tools/call", `"name":"steps"`))
				<-time.After(1500 * time.Millisecond)
				p.sink.breaks(errors.New("closed"))
				leave()
				log := func(i int) string {
					return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d"}}`, i)
				}
				done := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}`
				if got := p.messages(); got != log(0)+"\n"+log(1) {
					t.Errorf("got %s", got)
				}
				during := resumeDirect(t, d, "1-1")
				<-during.done
				if got := during.messages(); got != strings.Join([]string{log(1), log(2), log(3), done}, "\n") {
					t.Errorf("during the call: %s", got)
				}
				if got := fmt.Sprint(counts.take()); got != "map[tools/call steps complete:1]" {
					t.Errorf("counted %s: the client has waited, on another connection", got)
				}
				for from, want := range map[string][]string{
					"1-0": {log(0), log(1), log(2), log(3), done}, "1-3": {log(3), done}, "1-5": nil,
				} {
					after := resumeDirect(t, d, from)
					<-after.done
					if got := after.messages(); got != strings.Join(want, "\n") {
						t.Errorf("%s, after the call: %s", from, got)
					}
				}
				none := func(d *direct, from string) {
					t.Helper()
					if p := resumeDirect(t, d, from); p.resp == nil || p.resp.Status != 400 {
						t.Errorf("%s: got %+v", from, p.resp)
					}
				}
				none(other, "1-0") // of another session
				none(d, "1-6")
				none(d, "2-0")
				<-time.After(2 * time.Minute)
				none(d, "1-0")
				if err := srv.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Once the rest of a stream was asked for, the connection that it began on gets
// no more of it, even when it still stands: there would be a hole.
func TestCallMoves(t *testing.T) {
	sessionsWith(t, nil, func(t *testing.T, srv *server.Server, _ *direct) {
		if err := srv.Add(toolOf("count", func(_ context.Context, ev *core.Event) (string, error) {
			for i := range 5 {
				ev.Log(slog.LevelInfo, strconv.Itoa(i))
				<-time.After(time.Second)
			}
			return "done", nil
		})); err != nil {
			t.Fatal(err)
		}
		d := begin(t, srv, v2025Nov)
		p := park(t, d, t.Context(), message("tools/call", `"name":"count"`))
		rest := resumeDirect(t, d, "1-1")
		<-time.After(1500 * time.Millisecond)
		rest.sink.breaks(errors.New("closed"))
		<-p.done
		if got := strings.Count(p.messages(), "jsonrpc"); got != 1 {
			t.Errorf("the first connection got %d messages: %s", got, p.messages())
		}
		last := resumeDirect(t, d, "1-2")
		<-last.done
		if got := strings.Count(last.messages(), "jsonrpc"); got != 4 {
			t.Errorf("the last got %d messages: %s", got, last.messages())
		}
	})
}

// The buffer of events is bounded: what was pushed out cannot be asked for; but
// who is reading gets everything, however large.
func TestEventBuffer(t *testing.T) {
	for name, open := range directStyles {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				large := strings.Repeat("x", 3000)
				tool := core.NewTool("talk", "", func(_ context.Context, ev *core.Event, in echoIn) (string, error) {
					ev.Log(slog.LevelInfo, "first")
					<-time.After(time.Minute)
					for range 20 {
						ev.Log(slog.LevelInfo, strings.Repeat("y", 200))
					}
					return in.Text, nil
				})
				srv := newServer(t, withSessions(func(c *server.Config) { c.Legacy.EventBuffer = 2000 }), tool)
				d := begin(t, srv, v2025Nov)
				d.open = open
				talk := func(text string) (*parkedCall, func()) {
					ctx, cancel := context.WithCancel(t.Context())
					p := park(t, d, ctx, message("tools/call", `"name":"talk","arguments":{"text":"`+text+`"}`))
					return p, func() { p.sink.breaks(errors.New("closed")); cancel() }
				}
				last := func(p *parkedCall) string {
					messages := strings.Split(p.messages(), "\n")
					return messages[len(messages)-1]
				}
				answer := func(text string) string {
					return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
				}
				// Lost: the last events are kept, the first are not.
				p, leave := talk("short")
				leave()
				<-p.done
				if q := resumeDirect(t, d, "1-1"); q.resp == nil || q.resp.Status != 400 {
					t.Errorf("pushed out: %+v", q.resp)
				}
				if q := resumeDirect(t, d, "1-21"); last(q) != answer("short") {
					t.Errorf("kept: %s", q.messages())
				}
				// Lost, and larger than the buffer.
				p, leave = talk(large)
				leave()
				<-p.done
				if q := resumeDirect(t, d, "2-21"); q.resp == nil || q.resp.Status != 400 {
					t.Errorf("too large: %+v", q.resp)
				}
				// Read by somebody else meanwhile.
				p, leave = talk(large)
				leave()
				q := resumeDirect(t, d, "3-1")
				<-p.done
				<-q.done
				if last(q) != answer(large) {
					t.Errorf("read: %.200s", last(q))
				}
				// And with nothing lost.
				p, _ = talk(large)
				<-p.done
				if last(p) != answer(large) || strings.Count(p.messages(), "\n") != 21 {
					t.Errorf("on its own connection: %.200s", last(p))
				}
			})
		})
	}
}
