package server_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// What a session subscribed to with one token is not told to another that lacks
// the scopes for it.
func TestScopesOfSessionStreams(t *testing.T) {
	srv := newServer(t, withSessions(func(c *server.Config) { c.Authenticator = scoped(nil) }), guarded()...)
	full := &older{
		t: t, url: serve(t, &bridge{srv: srv}), version: v2025Nov,
		header: map[string]string{"Authorization": "Bearer ada files:read"},
	}
	full.initialize("")
	for _, uri := range []string{"docs://secret", "docs://open"} {
		if got := full.tell("resources/subscribe", `"uri":"`+uri+`"`); got.result() == nil {
			t.Fatalf("%s: %s", uri, got.body)
		}
	}
	changed := func() {
		srv.ResourceUpdated("docs://secret")
		srv.ResourceUpdated("docs://open")
	}
	a := full.listen()
	changed()
	a.want(olderUpdated("docs://secret"))
	a.want(olderUpdated("docs://open"))
	b := full.with("Authorization", "Bearer ada").listen()
	changed()
	b.want(olderUpdated("docs://open"))
	if got := full.with("Authorization", "Bearer ada").tell("resources/subscribe", `"uri":"docs://secret"`); got.status != 403 {
		t.Errorf("subscribed without the scope: %d %s", got.status, got.body)
	}
}

// The stream of a session ends with the token that it was opened with; the
// session goes on.
func TestSessionStreamExpires(t *testing.T) {
	for name, open := range directStyles {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var counts tally
				srv := newServer(t, withSessions(func(c *server.Config) {
					c.Metrics = &counts
					c.Authenticator = scoped(func(id *core.Identity) error {
						id.Expires = time.Now().Add(time.Minute)
						return nil
					})
				}), echoTool)
				d := &direct{
					t: t, srv: srv, version: v2025Nov, open: open,
					header: map[string]string{"Authorization": "Bearer ada", "Accept": "text/event-stream, application/json"},
				}
				d.start("{}")
				began := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				if resp := d.doIn(ctx, http.MethodGet, "", nil); !open {
					if err := resp.Stream(d.sink); err != nil {
						t.Error(err)
					}
				}
				if took := time.Since(began); took != time.Minute {
					t.Errorf("the stream lasted %v, and the token a minute", took)
				}
				if got := counts.take()["event token_expired"]; got != 1 {
					t.Errorf("counted %d times", got)
				}
				if resp := d.post(message("ping", "")); resp.Status != 200 {
					t.Errorf("the session: %d %s", resp.Status, resp.Body)
				}
				if err := srv.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
