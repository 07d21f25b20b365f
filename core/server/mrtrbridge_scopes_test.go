package server_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

const notAllowed = "This call is not allowed any more; start again."

// done is how twoQuestions ends.
func done(scopes string) string {
	return `{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"done with ` + scopes + `"}]}}`
}

// twoQuestions needs the scope write, and says which scopes its last round had.
func twoQuestions() core.Feature {
	return core.NewTool("guarded", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if missing := ev.Missing(askName, askOther); len(missing) > 0 {
			return "", ev.InputRequired(missing...)
		}
		return "done with " + strings.Join(ev.Scopes(), " "), nil
	}, core.Scopes("write"))
}

// joinedAs is a client of 2025-11-25 that says who it is, see scoped.
func joinedAs(t *testing.T, url, who string) *older {
	t.Helper()
	c := &older{t: t, url: url, version: v2025Nov, header: map[string]string{"Authorization": "Bearer " + who}}
	if got := c.initialize(everything); c.session == "" {
		t.Fatalf("initialize: %d %s", got.status, got.body)
	}
	return c
}

// M10: a round of a bridged call has the scopes of the credentials that it was
// answered with, as in 2026-07-28, and not those that the call began with.
func TestBridgeScopesOfAnswers(t *testing.T) {
	type reply struct{ who, id string }
	for name, tc := range map[string]struct {
		replies []reply
		want    string
	}{
		"the same":                {[]reply{{"ada write more", "1"}, {"ada write more", "2"}}, done("write more")},
		"grown":                   {[]reply{{"ada write more x", "1"}, {"ada write more x", "2"}}, done("write more x")},
		"one lost, not needed":    {[]reply{{"ada write", "1"}, {"ada write more", "2"}}, done("write")},
		"other order":             {[]reply{{"ada write more", "2"}, {"ada write", "1"}}, done("write")},
		"lost":                    {[]reply{{"ada", "1"}, {"ada", "2"}}, toolError(notAllowed)},
		"lost with the first":     {[]reply{{"ada more", "1"}, {"ada write more", "2"}}, toolError(notAllowed)},
		"lost with the last":      {[]reply{{"ada write", "2"}, {"ada more", "1"}}, toolError(notAllowed)},
		"lost and found too late": {[]reply{{"ada read", "2"}, {"ada write", "1"}}, toolError(notAllowed)},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				srv := newServer(t, withSessions(func(c *server.Config) { c.Authenticator = scoped(nil) }), twoQuestions())
				c := joinedAs(t, serve(t, &bridge{srv: srv, detached: detached}), "ada write more")
				a := c.ask("9", "tools/call", `"name":"guarded"`)
				a.question()
				a.question()
				for _, r := range tc.replies {
					c.with("Authorization", "Bearer "+r.who).reply(r.id, accepted)
				}
				a.want(tc.want)
				a.end()
			})
		})
	}
}

// What was hidden while a call waited is not run again.
func TestBridgeHiddenMeanwhile(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		var hidden atomic.Bool
		srv := newServer(t, withSessions(func(c *server.Config) {
			c.Authenticator = scoped(nil)
			c.Visible = func(core.Principal, core.Feature) bool { return !hidden.Load() }
		}), twoQuestions())
		c := joinedAs(t, serve(t, &bridge{srv: srv, detached: detached}), "ada write")
		a := c.ask("9", "tools/call", `"name":"guarded"`)
		a.question()
		a.question()
		c.reply("1", accepted)
		hidden.Store(true)
		c.reply("2", accepted)
		a.want(toolError(notAllowed))
		a.end()
	})
}

// shortLived is an authenticator whose callers all have credentials that end
// that long after the first request.
type shortLived struct {
	life time.Duration
	ends *time.Time
}

func (s shortLived) Authenticate(context.Context, core.Header) (core.Identity, error) {
	if s.ends.IsZero() {
		*s.ends = time.Now().Add(s.life)
	}
	return core.Identity{Principal: core.Principal{Issuer: "https://id.example", Subject: "ada"}, Expires: *s.ends}, nil
}

// A call that waits without asking goes on until its credentials have ended:
// nobody has shown others.
func TestBridgePacedUntilExpiry(t *testing.T) {
	for life, want := range map[time.Duration]string{400 * time.Millisecond: notAllowed, 600 * time.Millisecond: "done"} {
		change := func(c *server.Config) { c.Authenticator = shortLived{life, new(time.Time)} }
		sessionsWith(t, change, func(t *testing.T, _ *server.Server, d *direct) {
			began := time.Now()
			resp := d.post(strings.ReplaceAll(greetCall, "greet", "paced"))
			if took := time.Since(began); took != 500*time.Millisecond || !strings.Contains(string(resp.Body), `"text":"`+want+`"`) {
				t.Errorf("%v, %v, %s", life, took, resp.Body)
			}
		})
	}
}

// M10: what a call still says is not for credentials that may not make the call.
func TestResumeNeedsScopes(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, withSessions(func(c *server.Config) { c.Authenticator = scoped(nil) }), twoQuestions())
		c := joinedAs(t, serve(t, &bridge{srv: srv, detached: detached}), "ada write")
		a := c.ask("9", "tools/call", `"name":"guarded"`)
		a.question()
		a.question()
		c.reply("1", accepted)
		c.reply("2", accepted)
		a.want(done("write"))
		a.end()
		less := c.with("Authorization", "Bearer ada read").resume("1-1").end()
		if less.status != 403 || less.header.Get("WWW-Authenticate") != `Bearer error="insufficient_scope", scope="write"` || less.code() != -32600 {
			t.Errorf("without the scope: %d %v %s", less.status, less.header, less.body)
		}
		if other := c.with("Authorization", "Bearer eve write").resume("1-1").end(); other.status != 404 {
			t.Errorf("somebody else: %d %s", other.status, other.body)
		}
		if rest := c.resume("1-1").end(); rest.status != 200 || !strings.Contains(rest.body, "done with write") {
			t.Errorf("with it: %d %s", rest.status, rest.body)
		}
	})
}
