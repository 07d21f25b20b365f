package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

// tally counts by name.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *tally) add(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[what]++
}

func (c *tally) take() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := maps.Clone(c.counts)
	c.counts = nil
	return out
}

func (c *tally) Call(method, name, outcome string, took time.Duration) {
	if took < 0 || took > time.Minute {
		c.add("odd duration")
	}
	c.add(method + " " + name + " " + outcome)
}
func (c *tally) Refused(reason string) { c.add("refused " + reason) }
func (c *tally) Event(reason string)   { c.add("event " + reason) }
func (c *tally) Listening(open int)    { c.add(fmt.Sprint("listening ", open)) }

func TestMetrics(t *testing.T) {
	var counts tally
	fail := toolOf("fail", func(context.Context, *core.Event) (string, error) { return "", errors.New("x") })
	code := toolOf("code", func(context.Context, *core.Event) (string, error) { return "", core.InvalidParams("x") })
	greet := toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) })
	srv := newServer(t, func(c *server.Config) { c.Metrics = &counts }, append(documents(), fail, code, greet)...)
	url := serve(t, &bridge{srv: srv})
	stateful := elicited(call("greet", ""))
	stateful.params += `,"requestState":5`
	for want, a := range map[string]ask{
		"map[tools/call echo complete:1]":                          call("echo", ""),
		"map[tools/call fail tool_error:1]":                        call("fail", ""),
		"map[tools/call code error:1]":                             call("code", ""),
		"map[tools/call greet input_required:1]":                   elicited(call("greet", "")),
		"map[resources/read docs://rows/{id} complete:1]":          {method: "resources/read", name: "docs://rows/7", params: `"uri":"docs://rows/7"`},
		"map[refused unknown:1]":                                   call("nobody", ""),
		"map[refused method:1]":                                    {method: "x"},
		"map[refused origin_null:1]":                               {method: "x", header: map[string]string{"Origin": "null"}},
		"map[refused json:1]":                                      {body: "{"},
		"map[refused version:1]":                                   {method: "x", body: `{"jsonrpc":"2.0","id":1,"method":"x"}`, header: map[string]string{"MCP-Protocol-Version": "2024-11-05"}},
		"map[event capability_refused:1 tools/call greet error:1]": call("greet", ""),
		"map[event state_encoding:1 refused state_encoding:1]":     stateful,
		"map[listening 0:1 listening 1:1]":                         {method: "subscriptions/listen"},
		"map[]":                                                    {method: "tools/list"},
	} {
		if a.method == "subscriptions/listen" {
			e := hear(t, url, "1", `{"toolsListChanged":true}`)
			e.next()
			e.leave()
			for srvListening(&counts) < 2 {
				<-time.After(time.Millisecond)
			}
		} else {
			tell(t, url, a)
		}
		if got := fmt.Sprint(counts.take()); got != want {
			t.Errorf("%+v\ngot  %s\nwant %s", a, got, want)
		}
	}
}

func srvListening(c *tally) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.counts)
}

var metricsState = core.NewState[int]("metrics")

var stateTool = toolOf("stateful", func(_ context.Context, ev *core.Event) (string, error) {
	_, err := metricsState.Open(ev)
	return "", err
})

// Refusals of anybody's requests are logged so often and no more; the record
// names what to change, and nothing that is secret.
func TestLog(t *testing.T) {
	var mu sync.Mutex
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(writerFunc(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return out.Write(p)
	}), &slog.HandlerOptions{Level: slog.LevelDebug}))
	url := start(t, func(c *server.Config) {
		c.Logger = logger
		c.Principal = func(_ context.Context, h core.Header) (core.Principal, error) {
			if h.Get("Authorization") == "" {
				return core.Anonymous, nil
			}
			return core.Principal{}, errors.New("token expired")
		}
		c.Keys = []seal.Key{seal.EphemeralKey()}
	}, echoTool, stateTool)
	read := func() string {
		mu.Lock()
		defer mu.Unlock()
		s := out.String()
		out.Reset()
		return s
	}
	for range 50 {
		tell(t, url, ask{method: "x", header: map[string]string{"Host": "mcp.example"}})
	}
	log := read()
	if n := strings.Count(log, "\n"); n < 10 || n > 15 {
		t.Errorf("%d records of 50 refusals", n)
	}
	for _, want := range []string{"level=WARN", "reason=host_not_loopback", "option=AllowedHosts", "host=mcp.example", "behind a proxy"} {
		if !strings.Contains(log, want) {
			t.Errorf("T1: the log does not say %s:\n%s", want, log)
		}
	}
	// What core refuses is limited as well, and a bad state has one reason
	// whichever of the two found it.
	for _, state := range []string{`"e1.tell-nobody"`, `5`} {
		read()
		for range 50 {
			a := elicited(call("stateful", ""))
			a.params += `,"requestState":` + state
			tell(t, url, a)
		}
		log := read()
		if n := strings.Count(log, "reason=state_encoding"); n > 15 || state != `5` && n < 10 {
			t.Errorf("%d records of 50 bad states", n)
		}
		if strings.Contains(log, "tell-nobody") {
			t.Errorf("the log has a token: %s", log)
		}
	}
	a := ask{method: "x", header: map[string]string{"Authorization": "Bearer tell-nobody"}}
	tell(t, url, a)
	if log := read(); !strings.Contains(log, "token expired") || strings.Contains(log, "tell-nobody") {
		t.Errorf("got %s", log)
	}
	tell(t, url, ask{method: "x", header: map[string]string{"Origin": "https://" + strings.Repeat("a", 5000)}})
	if log := read(); len(log) > 1000 {
		t.Errorf("a record of %d bytes", len(log))
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
