package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

var loud = metaWith("{}", `"progressToken":7`, `"io.modelcontextprotocol/logLevel":"info"`)

func loudCall(tool string) ask {
	a := call(tool, "")
	a.meta = loud
	return a
}

// T15: nothing is lost, the order is kept, nothing comes after the response.
func TestThousandNotifications(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		counter := toolOf("count", func(_ context.Context, ev *core.Event) (string, error) {
			for i := range 1000 {
				ev.Progress(float64(i), 1000, "")
			}
			return "counted", nil
		})
		url := serve(t, &bridge{srv: newServer(t, nil, counter), detached: detached})
		got := tell(t, url, loudCall("count"))
		if len(got.messages) != 1001 || got.text() != "counted" {
			t.Fatalf("%d messages", len(got.messages))
		}
		for i, m := range got.messages[:1000] {
			if p, _ := m["params"].(map[string]any); p["progress"] != float64(i) || p["progressToken"] != float64(7) {
				t.Fatalf("message %d is %s", i, got.raw[i])
			}
		}
	})
}

// T15: goroutines that the handler joins write one after the other.
func TestConcurrentNotifications(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		many := toolOf("many", func(_ context.Context, ev *core.Event) (string, error) {
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					for i := range 50 {
						ev.Log(0, fmt.Sprintf("%d/%d", g, i))
					}
				})
			}
			wg.Wait()
			return "done", nil
		})
		srv := newServer(t, func(c *server.Config) { c.KeepAlive = time.Millisecond }, many)
		url := serve(t, &bridge{srv: srv, detached: detached})
		if got := tell(t, url, loudCall("many")); len(got.messages) != 401 || got.text() != "done" {
			t.Errorf("%d messages", len(got.messages))
		}
	})
}

// T14: header and first event leave before the handler goes on.
func TestFirstEventAtOnce(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		proceed := make(chan struct{})
		tool := toolOf("wait", func(_ context.Context, ev *core.Event) (string, error) {
			ev.Progress(1, 1, "")
			<-proceed
			return "done", nil
		})
		url := serve(t, &bridge{srv: newServer(t, nil, tool), detached: detached})
		resp, err := http.DefaultClient.Do(loudCall("wait").build(t, url))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		for name, want := range map[string]string{
			"Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no",
		} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		const first = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\""
		buf := make([]byte, len(first))
		if _, err := resp.Body.Read(buf); err != nil || string(buf) != first {
			t.Errorf("first event %q, %v", buf, err)
		}
		close(proceed)
	})
}

// T14: a call that says nothing becomes a stream after one interval and gets
// comments from then on.
func TestKeepAlive(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		slow := toolOf("slow", func(ctx context.Context, _ *core.Event) (string, error) {
			select {
			case <-ctx.Done():
			case <-time.After(210 * time.Millisecond):
			}
			return "done", nil
		})
		srv := newServer(t, func(c *server.Config) { c.KeepAlive = 50 * time.Millisecond }, slow)
		url := serve(t, &bridge{srv: srv, detached: detached})
		got := tell(t, url, call("slow", ""))
		if got.header.Get("Content-Type") != "text/event-stream" || got.comments < 2 || got.comments > 4 || got.text() != "done" {
			t.Errorf("%d comments: %s", got.comments, got.body)
		}
		a := call("slow", "")
		a.header = map[string]string{"Accept": "application/json"}
		if got := tell(t, url, a); got.header.Get("Content-Type") != "application/json" || got.text() != "done" {
			t.Errorf("JSON only: %s", got.body)
		}
	})
}

// T16: an error after the stream has started is an event under status 200.
func TestErrorInStream(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		tool := toolOf("fail", func(_ context.Context, ev *core.Event) (string, error) {
			ev.Progress(1, 1, "")
			return "", &core.Error{Code: -32021, Message: "late", Data: map[string]any{"requiredCapabilities": map[string]any{}}}
		})
		url := serve(t, &bridge{srv: newServer(t, nil, tool), detached: detached})
		got := tell(t, url, loudCall("fail"))
		if got.status != 200 || got.code() != -32021 || len(got.messages) != 2 {
			t.Errorf("got %d %s", got.status, got.body)
		}
	})
}

// T17: a panic and a Goexit, before and after the first event: a generic error,
// and the next request works.
func TestPanicAndGoexit(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		end := map[string]func(){
			"panic":  func() { panic("secret") },
			"error":  func() { panic(errors.New("secret")) },
			"goexit": runtime.Goexit,
		}
		var features []core.Feature
		for name, f := range end {
			features = append(features, toolOf(name, func(_ context.Context, ev *core.Event) (string, error) {
				ev.Progress(1, 1, "")
				f()
				return "", nil
			}))
		}
		url := serve(t, &bridge{srv: newServer(t, nil, append(features, echoTool)...), detached: detached})
		for name := range end {
			for _, a := range []ask{call(name, ""), loudCall(name)} {
				var got told
				if name == "goexit" && a.meta != "" && !detached {
					got = cutOff(t, url, a)
				} else {
					got = tell(t, url, a)
				}
				if got.status != 200 || got.code() != -32603 || got.message() != "Internal error" {
					t.Errorf("%s: got %d %s", name, got.status, got.body)
				}
				if strings.Contains(got.body, "secret") {
					t.Errorf("%s: the panic reached the client: %s", name, got.body)
				}
				if got := tell(t, url, call("echo", `{"text":"next"}`)); got.text() != "next" {
					t.Errorf("the next request: %s", got.body)
				}
			}
		}
	})
}

// cutOff reads a stream whose goroutine net/http has lost: the connection ends
// after the answer, not the response.
func cutOff(t *testing.T, url string, a ask) told {
	t.Helper()
	resp, err := http.DefaultClient.Do(a.build(t, url))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	out := told{status: resp.StatusCode}
	buf := make([]byte, 4096)
	for err == nil {
		var n int
		n, err = resp.Body.Read(buf)
		out.body += string(buf[:n])
	}
	for line := range strings.Lines(out.body) {
		out.line(t, strings.TrimSuffix(line, "\n"))
	}
	return out
}

// Panics in what the application configures are the request's error, too.
func TestPanicInConfig(t *testing.T) {
	url := start(t, func(c *server.Config) {
		c.Visible = func(core.Principal, core.Feature) bool { panic("secret") }
	}, echoTool)
	for _, a := range []ask{call("echo", ""), {method: "tools/list"}} {
		refused{200, -32603, "Internal error"}.check(t, tell(t, url, a), "1")
	}
	url = start(t, func(c *server.Config) {
		c.Authenticator = core.PrincipalFunc(func(context.Context, core.Header) (core.Principal, error) { panic("secret") })
	}, echoTool)
	refused{500, -32603, "Internal error"}.check(t, tell(t, url, call("echo", "")), "")
}
