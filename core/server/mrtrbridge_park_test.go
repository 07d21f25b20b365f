package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

var greeter = toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) })

const (
	greetCall = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"greet"}}`
	parked    = "Too many calls are waiting for an answer; try again later."
)

// forms may be asked for forms.
const forms = `{"elicitation":{}}`

// parkedCall is a call of a direct client that waits for an answer.
type parkedCall struct {
	*direct

	resp *server.Response
	done chan struct{}
}

// park begins a call and returns when it waits.
func park(t *testing.T, d *direct, ctx context.Context, body string) *parkedCall { //nolint:revive // a test comes first
	t.Helper()
	mine := *d
	p := &parkedCall{direct: &mine, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.resp = p.doIn(ctx, http.MethodPost, body, nil)
		if p.resp != nil && p.resp.Stream != nil {
			_ = p.resp.Stream(p.sink)
		}
	}()
	synctest.Wait()
	return p
}

// messages are what was streamed so far, without frames.
func (p *parkedCall) messages() string {
	var out []string
	for line := range strings.Lines(p.sink.String()) {
		if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok && data != "" {
			out = append(out, data)
		}
	}
	return strings.Join(out, "\n")
}

// hasEnded waits for the call and compares what it sent after its question.
func (p *parkedCall) hasEnded(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	select {
	case <-p.done:
	default:
		t.Error("the call goes on")
		return
	}
	_, got, _ := strings.Cut(p.messages(), "\n")
	if got != strings.Join(want, "\n") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, "\n"))
	}
}

// sessionsWith is a server with sessions and its client, in both styles, under
// a clock that the test moves.
func sessionsWith(t *testing.T, change func(*server.Config), f func(t *testing.T, srv *server.Server, d *direct)) {
	t.Helper()
	for name, open := range directStyles {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := newServer(t, withSessions(func(c *server.Config) {
					c.Keys = []seal.Key{testKey('a')}
					if change != nil {
						change(c)
					}
				}), greeter, pacedTool(), restless())
				d := beginWith(t, srv, v2025June, forms)
				d.open = open
				f(t, srv, d)
				if err := srv.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// pacedTool has two rounds that ask nothing.
func pacedTool() core.Feature {
	state := core.NewState[int]("paced")
	return toolOf("paced", func(_ context.Context, ev *core.Event) (string, error) {
		n, err := state.Open(ev)
		switch {
		case err != nil:
			return "", err
		case n == 2:
			return "done", nil
		}
		return "", state.InputRequired(ev, n+1)
	})
}

// restless asks for ever.
func restless() core.Feature {
	return toolOf("restless", func(_ context.Context, ev *core.Event) (string, error) { return "", ev.InputRequired(askName) })
}

// M19: a silent client holds a call for as long as AnswerTimeout, and is told
// to forget the question.
func TestM19AnswerTimeout(t *testing.T) {
	sessionsWith(t, func(c *server.Config) { c.Legacy.AnswerTimeout = time.Minute }, func(t *testing.T, _ *server.Server, d *direct) {
		p := park(t, d, t.Context(), greetCall)
		<-time.After(59 * time.Second)
		synctest.Wait()
		if got := p.messages(); strings.Contains(got, "\n") {
			t.Errorf("too early: %s", got)
		}
		<-time.After(2 * time.Second)
		p.hasEnded(t, cancelled1, toolError("9", "The client did not answer in time."))
		if resp := d.post(`{"jsonrpc":"2.0","id":1,"result":` + accepted + `}`); resp.Status != 202 { // too late
			t.Errorf("got %d", resp.Status)
		}
	})
}

// M3, M19: rounds that ask nothing are paced, and two are as many as there may
// be.
func TestM19Paced(t *testing.T) {
	sessionsWith(t, nil, func(t *testing.T, _ *server.Server, d *direct) {
		began := time.Now()
		resp := d.post(strings.ReplaceAll(greetCall, "greet", "paced"))
		if took := time.Since(began); took != 500*time.Millisecond || !strings.Contains(string(resp.Body), `"text":"done"`) {
			t.Errorf("%v, %s", took, resp.Body)
		}
	})
}

// M14, M19: a call has at most MaxRounds rounds.
func TestM19MaxRounds(t *testing.T) {
	sessionsWith(t, func(c *server.Config) { c.MaxRounds = 2 }, func(t *testing.T, _ *server.Server, d *direct) {
		p := park(t, d, t.Context(), strings.ReplaceAll(greetCall, "greet", "restless"))
		d.post(`{"jsonrpc":"2.0","id":1,"result":` + accepted + `}`)
		synctest.Wait()
		d.post(`{"jsonrpc":"2.0","id":2,"result":` + accepted + `}`)
		synctest.Wait()
		if n := strings.Count(p.messages(), "elicitation/create"); n != 2 {
			t.Errorf("%d questions", n)
		}
		if !strings.HasSuffix(p.messages(), toolError("9", "This call took too many rounds of questions; start again.")) {
			t.Errorf("got %s", p.messages())
		}
	})
}

// M19: what wakes a parked call besides an answer.
func TestM19Wakes(t *testing.T) {
	for name, tc := range map[string]struct {
		wake func(t *testing.T, srv *server.Server, d *direct)
		want []string
	}{
		"cancelled by its client": {func(_ *testing.T, _ *server.Server, d *direct) {
			d.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`)
		}, []string{cancelled1}}, // and no response
		"another is cancelled": {func(_ *testing.T, _ *server.Server, d *direct) {
			for _, params := range []string{`{"requestId":"9"}`, `{"requestId":8}`, `{"requestId":null}`, `{"requestId":{}}`, `[]`, `{}`} {
				if resp := d.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + params + `}`); resp.Status != 202 {
					panic(string(resp.Body))
				}
			}
			d.post(`{"jsonrpc":"2.0","id":1,"result":` + accepted + `}`)
		}, []string{`{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"Hello, Ada!"}]}}`}},
		"the session ends": {func(_ *testing.T, _ *server.Server, d *direct) {
			d.do(http.MethodDelete, "", nil)
		}, []string{cancelled1, toolError("9", noAnswer)}},
		"the server closes": {func(t *testing.T, srv *server.Server, _ *direct) {
			if err := srv.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}, []string{cancelled1, toolError("9", "The server is shutting down.")}},
	} {
		t.Run(name, func(t *testing.T) {
			sessionsWith(t, nil, func(t *testing.T, srv *server.Server, d *direct) {
				p := park(t, d, t.Context(), greetCall)
				mine := *d
				tc.wake(t, srv, &mine)
				p.hasEnded(t, tc.want...)
			})
		})
	}
}

// M19: a call that waits for an answer outlives its connection for half a
// minute, so that its client can come back for the question; then it ends.
func TestM19Alone(t *testing.T) {
	for name, tc := range map[string]struct {
		resumes, cancels bool
		after            time.Duration
	}{
		"nobody comes":       {after: 30 * time.Second},
		"somebody comes":     {resumes: true, after: 5 * time.Minute},
		"CancelOnDisconnect": {cancels: true},
	} {
		t.Run(name, func(t *testing.T) {
			sessionsWith(t, func(c *server.Config) { c.Legacy.CancelOnDisconnect = tc.cancels }, func(t *testing.T, _ *server.Server, d *direct) {
				ctx, leave := context.WithCancel(t.Context())
				p := park(t, d, ctx, greetCall)
				p.sink.breaks(errors.New("closed"))
				leave()
				began := time.Now()
				var back *parkedCall
				if tc.resumes {
					back = resumeDirect(t, d, "1-0")
				}
				<-p.done
				if took := time.Since(began); took != tc.after {
					t.Errorf("it ended after %v", took)
				}
				if back != nil {
					<-back.done
					back.hasEnded(t, cancelled1, toolError("9", "The client did not answer in time."))
				}
			})
		})
	}
}

// resumeDirect opens the rest of a stream.
func resumeDirect(t *testing.T, d *direct, eventID string) *parkedCall {
	t.Helper()
	mine := *d
	mine.header = map[string]string{"Last-Event-ID": eventID}
	p := &parkedCall{direct: &mine, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.resp = p.do(http.MethodGet, "", nil)
		if p.resp != nil && p.resp.Stream != nil {
			_ = p.resp.Stream(p.sink)
		}
	}()
	synctest.Wait()
	return p
}

// M19: calls that wait are limited, for everybody together and for each; who
// has no name shares only the first limit.
func TestM19Caps(t *testing.T) {
	for name, tc := range map[string]struct {
		named        bool
		all, each    int
		fit          int // calls of one principal, of two sessions
		fitOfAnother int
	}{
		"process":   {true, 3, 10, 3, 0},
		"principal": {true, 10, 2, 2, 2},
		"anonymous": {false, 4, 1, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			sessionsWith(t, func(c *server.Config) {
				c.Legacy.MaxParked, c.Legacy.MaxParkedPerPrincipal = tc.all, tc.each
				c.Principal = func(_ context.Context, h core.Header) (core.Principal, error) {
					if !tc.named {
						return core.Anonymous, nil
					}
					return core.Principal{Issuer: "i", Subject: or(h.Get("Authorization"), "ada")}, nil
				}
			}, func(t *testing.T, srv *server.Server, d *direct) {
				other := beginWith(t, srv, v2025June, forms)
				other.open = d.open
				eve := beginAs(t, srv, "eve")
				eve.open = d.open
				for i := range tc.fit {
					p := park(t, []*direct{d, other}[i%2], t.Context(), greetCall)
					if got := p.messages(); !strings.Contains(got, "elicitation/create") {
						t.Fatalf("call %d: %v %s", i, p.resp, got)
					}
				}
				for range 2 {
					if resp := d.post(greetCall); resp == nil || string(resp.Body) != toolError("9", parked) {
						t.Errorf("one more: %+v", resp)
					}
				}
				for range tc.fitOfAnother {
					if p := park(t, eve, t.Context(), greetCall); !strings.Contains(p.messages(), "elicitation/create") {
						t.Errorf("another's: %s", p.messages())
					}
				}
				// An answer makes room.
				d.post(`{"jsonrpc":"2.0","id":1,"result":` + accepted + `}`)
				synctest.Wait()
				if p := park(t, d, t.Context(), greetCall); !strings.Contains(p.messages(), "elicitation/create") {
					t.Errorf("after one has ended: %s", p.messages())
				}
			})
		})
	}
}

// beginAs begins a session of somebody.
func beginAs(t *testing.T, srv *server.Server, who string) *direct {
	t.Helper()
	d := &direct{t: t, srv: srv, version: v2025June, open: true, header: map[string]string{"Authorization": who}}
	d.start(forms)
	return d
}

// Many calls at once that ask, in one session, each get their own answer.
func TestM19ManyAtOnce(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		tool := core.NewTool("twice", "", func(_ context.Context, ev *core.Event, in echoIn) (string, error) {
			if a, ok := askName.Accepted(ev); ok {
				return in.Text + a.Name, nil
			}
			return "", ev.InputRequired(askName.Messagef("%s?", in.Text))
		})
		c := joined(t, serve(t, &bridge{srv: newServer(t, withSessions(), tool), detached: detached}), v2025Nov, forms)
		var calls sync.WaitGroup
		for _, n := range strings.Fields("a b c d e f g h i j k l m n o p") {
			calls.Go(func() {
				a := c.ask(`"`+n+`"`, "tools/call", `"name":"twice","arguments":{"text":"`+n+`"}`)
				q := a.question()
				if !strings.Contains(string(q.Params), `"message":"`+n+`?"`) {
					t.Errorf("%s: %s", n, q.Params)
				}
				c.reply(string(q.ID), `{"action":"accept","content":{"name":"`+n+`"}}`)
				if got := a.end(); got.text() != n+n {
					t.Errorf("%s: %s", n, got.body)
				}
			})
		}
		calls.Wait()
	})
}
