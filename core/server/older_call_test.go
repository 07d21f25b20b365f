package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// chatty reports progress and logs at every level, and returns.
var chatty = toolOf("chatty", func(_ context.Context, ev *core.Event) (string, error) {
	ev.Progress(1, 2, "half")
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		ev.Log(level, "m")
	}
	return "done", nil
})

const chattyParams = `"name":"chatty","_meta":{"progressToken":"p"}`

// Notifications come on the stream of their call, before its response; without
// a session the level is info, whatever was set.
func TestOlderNotifications(t *testing.T) {
	const (
		progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"half"}}`
		done     = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}`
	)
	logged := func(level string) string {
		return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","data":"m"}}`
	}
	levels := map[string][]string{
		"":          {"info", "warning", "error"}, // not set
		"debug":     {"debug", "info", "warning", "error"},
		"notice":    {"warning", "error"},
		"error":     {"error"},
		"emergency": nil,
	}
	inStyles(t, func(t *testing.T, detached bool) {
		for _, version := range olderVersions {
			for set := range levels {
				for mode, sessions := range map[string]bool{"stateless": false, "sessions": true} {
					t.Run(fmt.Sprintf("%s %s %q", version, mode, set), func(t *testing.T) {
						srv := newServer(t, func(c *server.Config) { c.Legacy.Sessions = sessions }, chatty)
						c := &older{t: t, url: serve(t, &bridge{srv: srv, detached: detached}), version: version}
						expected := levels[""]
						if sessions {
							c = joined(t, c.url, version, "")
							expected = levels[set]
						}
						if set != "" {
							c.tell("logging/setLevel", `"level":"`+set+`"`)
						}
						want := []string{progress}
						for _, level := range expected {
							want = append(want, logged(level))
						}
						want = append(want, done)
						a := c.ask("1", "tools/call", chattyParams)
						if got := a.end(); strings.Join(got.raw, "\n") != strings.Join(want, "\n") || got.status != 200 {
							t.Errorf("got  %s\nwant %s", strings.Join(got.raw, "\n"), strings.Join(want, "\n"))
						}
						// Event ids only in sessions, an event without a message only in 2025-11-25.
						primes, retry := 0, ""
						if sessions && version == v2025Nov {
							primes, retry = 1, "2000"
						}
						if (a.id != "") != sessions || a.primes != primes || a.retry != retry {
							t.Errorf("id %q, %d events without a message, retry %q", a.id, a.primes, a.retry)
						}
						// JSON only: they are dropped.
						if got := c.with("Accept", "application/json").tell("tools/call", chattyParams); got.body != done {
							t.Errorf("JSON only: %s", got.body)
						}
						// A token that is none is no token.
						got := c.with("Accept", "application/json, text/event-stream").tell("tools/call", `"name":"chatty","_meta":{"progressToken":1.5}`)
						if strings.Contains(got.body, "notifications/progress") || got.text() != "done" {
							t.Errorf("a broken token: %s", got.body)
						}
					})
				}
			}
		}
	})
}

// holds starts, and ends with its context or when it is told to.
type holds struct {
	started chan struct{}
	proceed chan struct{}
	ended   chan error
	quiet   bool
}

func newHolds() *holds {
	return &holds{started: make(chan struct{}, 10), proceed: make(chan struct{}), ended: make(chan error, 10)}
}

func (h *holds) tool() core.Feature {
	return toolOf("hold", func(ctx context.Context, ev *core.Event) (string, error) {
		if !h.quiet {
			ev.Progress(1, 2, "")
		}
		h.started <- struct{}{}
		select {
		case <-ctx.Done():
		case <-h.proceed:
		}
		h.ended <- context.Cause(ctx)
		ev.Progress(2, 2, "")
		return "held", nil
	})
}

const holdParams = `"name":"hold","_meta":{"progressToken":1}`

// A client that leaves does not cancel its call in the older revisions, unless
// an option says so; one that has opened no stream no more than one that has.
func TestOlderClientLeaves(t *testing.T) {
	for name, tc := range map[string]struct {
		sessions, cancels, quiet bool
		accept                   string
	}{
		"stateless": {}, "session": {sessions: true},
		"before the stream": {sessions: true, quiet: true},
		"JSON":              {accept: "application/json", quiet: true},
		"JSON in a session": {sessions: true, accept: "application/json", quiet: true},

		"option":                    {cancels: true},
		"option, session":           {sessions: true, cancels: true},
		"option, before the stream": {cancels: true, quiet: true},
		"option, JSON":              {cancels: true, accept: "application/json", quiet: true},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				h := newHolds()
				h.quiet = tc.quiet
				b := &bridge{srv: newServer(t, func(c *server.Config) {
					c.Legacy.Sessions, c.Legacy.CancelOnDisconnect = tc.sessions, tc.cancels
				}, h.tool()), detached: detached}
				c := &older{t: t, url: serve(t, b), version: v2025Nov}
				if tc.sessions {
					c = joined(t, c.url, v2025Nov, "")
				}
				served := b.served.Load()
				ctx, leave := context.WithCancel(t.Context())
				gone := make(chan struct{})
				go func() {
					defer close(gone)
					abandon(ctx, c.with("Accept", or(tc.accept, "*/*")), message("tools/call", holdParams))
				}()
				wait(t, h.started, "the handler")
				leave()
				wait(t, gone, "the client")
				if !tc.cancels {
					select { // nothing tells when the server has noticed
					case cause := <-h.ended:
						t.Fatalf("cancelled: %v", cause)
					case <-time.After(20 * time.Millisecond):
					}
					close(h.proceed)
				}
				cause := wait(t, h.ended, "the end of the handler")
				if tc.cancels != errors.Is(cause, server.ErrClientGone) || !tc.cancels && cause != nil {
					t.Errorf("cause %v", cause)
				}
				eventually(t, "the request", func() bool { return b.served.Load() > served })
			})
		})
	}
}

// A deadline of the application ends the handler, and its client, who is still
// there, gets the answer (as TestDeadlineOfTheApplication, which is of today).
// What the application cancels for a reason of its own is cancelled, too.
func TestOlderDeadlineOfTheApplication(t *testing.T) {
	own := errors.New("a reason of the application's")
	for name, tc := range map[string]struct {
		sessions bool
		accept   string
		cancel   func(context.Context) (context.Context, func())
		want     string
	}{
		"deadline": {cancel: func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			return ctx, cancel
		}, want: context.DeadlineExceeded.Error()},
		"cause": {cancel: func(ctx context.Context) (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(ctx)
			timer := time.AfterFunc(time.Second, func() { cancel(own) })
			return ctx, func() { timer.Stop(); cancel(nil) }
		}, want: own.Error()},
	} {
		for _, accept := range []string{"application/json", "*/*"} {
			for style, open := range directStyles {
				t.Run(name+" "+accept+" "+style, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						tool := toolOf("hold", func(ctx context.Context, _ *core.Event) (string, error) {
							<-ctx.Done()
							return "", context.Cause(ctx)
						})
						d := begin(t, newServer(t, withSessions(), tool), v2025Nov)
						d.open, d.header = open, map[string]string{"Accept": accept}
						ctx, cancel := tc.cancel(t.Context())
						defer cancel()
						resp := d.doIn(ctx, "POST", message("tools/call", `"name":"hold"`), nil)
						if resp == nil {
							t.Fatal("no answer")
						}
						var got struct {
							Result struct {
								IsError bool
								Content []core.Content
							}
						}
						if err := json.Unmarshal(resp.Body, &got); err != nil || !got.Result.IsError || got.Result.Content[0].Text != tc.want {
							t.Errorf("got %s, %v", resp.Body, err)
						}
						synctest.Wait()
					})
				})
			}
		}
	}
}

// A quiet call shows that it lives, and the first thing on a stream of
// 2025-11-25 is an id to come back with, whatever opened it.
func TestOlderKeepAlive(t *testing.T) {
	for version, hello := range map[string]string{
		v2025Nov: "id: 1-0\nretry: 2000\ndata: \n\n:\n\n", v2025June: ":\n\n", v2025March: ":\n\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			tool := toolOf("slow", func(context.Context, *core.Event) (string, error) {
				<-time.After(150 * time.Second)
				return "done", nil
			})
			d := begin(t, newServer(t, withSessions(), tool), version)
			if resp := d.post(message("tools/call", `"name":"slow"`)); resp != nil {
				t.Fatalf("got %+v", resp)
			}
			want := hello + ":\n\n" + "id: 1-1\nevent: message\ndata: " +
				`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}` + "\n\n"
			if got := d.sink.String(); got != want {
				t.Errorf("%s: got  %q\nwant %q", version, got, want)
			}
		})
	}
}
