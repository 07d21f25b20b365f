package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/wireschema"
)

// ear reads one subscription, message by message.
type ear struct {
	t      *testing.T
	resp   *http.Response
	lines  *bufio.Scanner
	cancel context.CancelFunc
}

func hear(t *testing.T, url, id, filter string) *ear {
	t.Helper()
	return hearWith(t, url, listening(id, filter))
}

func listening(id, filter string) ask {
	return ask{method: "subscriptions/listen", id: id, params: `"notifications":` + filter}
}

func hearWith(t *testing.T, url string, a ask) *ear {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	resp, err := http.DefaultClient.Do(a.build(t, url).WithContext(ctx)) //nolint:bodyclose // leave does
	if err != nil {
		t.Fatal(err)
	}
	e := &ear{t: t, resp: resp, lines: bufio.NewScanner(resp.Body), cancel: cancel}
	t.Cleanup(e.leave)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("status %d, %s", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	return e
}

func (e *ear) leave() {
	e.cancel()
	e.resp.Body.Close()
}

// next is the next message as it was spelled; "" at the end.
func (e *ear) next() string {
	e.t.Helper()
	for e.lines.Scan() {
		if data, ok := strings.CutPrefix(e.lines.Text(), "data: "); ok {
			wireschema.Validate(e.t, "subscriptions/listen", []byte(data))
			return data
		}
	}
	return ""
}

func (e *ear) want(want string) {
	e.t.Helper()
	if got := e.next(); got != want {
		e.t.Errorf("got  %s\nwant %s", got, want)
	}
}

func changed(kind, id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/` + kind + `","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
}

func updated(uri, id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"uri":"` + uri + `"}}`
}

func acknowledged(filter, id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"notifications":` + filter + `}}`
}

func ended(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `,` +
		serverInfo[len(`"_meta":{`):] + `}}`
}

func documents() []core.Feature {
	type vars struct {
		ID string `json:"id"`
	}
	text := func(context.Context, *core.Event) (string, error) { return "text", nil }
	return []core.Feature{
		echoTool,
		core.NewResource("docs://readme", "readme", text),
		core.NewResource("docs://secret", "secret", text),
		core.NewTemplate("docs://rows/{id}", "row", func(context.Context, *core.Event, vars) (string, error) { return "text", nil }),
	}
}

// The first event says what is honoured; after it comes only that, with the
// request's id.
func TestListen(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, func(c *server.Config) {
			c.Visible = func(_ core.Principal, f core.Feature) bool { return f.Name() != "docs://secret" }
		}, documents()...)
		url := serve(t, &bridge{srv: srv, detached: detached})
		all := hear(t, url, `"all"`, `{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"other":5,
			"resourceSubscriptions":["docs://readme","docs://secret","docs://rows/7","docs://readme","nobody"]}`)
		all.want(acknowledged(`{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["docs://readme","docs://rows/7"]}`, `"all"`))
		tools := hear(t, url, `7`, `{"toolsListChanged":true,"promptsListChanged":false}`)
		tools.want(acknowledged(`{"toolsListChanged":true}`, `7`))

		srv.ResourceUpdated("docs://secret")
		srv.ResourceUpdated("docs://rows/8")
		srv.ResourceUpdated("docs://rows/7")
		all.want(updated("docs://rows/7", `"all"`))
		if err := srv.Add(core.NewTool("more", "More.", echo)); err != nil {
			t.Fatal(err)
		}
		all.want(changed("tools/list_changed", `"all"`))
		tools.want(changed("tools/list_changed", `7`))
		srv.Remove(documents()[3])
		all.want(changed("resources/list_changed", `"all"`))
		srv.Remove(documents()[3]) // is gone, so nothing changes
		if err := srv.Close(t.Context()); err != nil {
			t.Error(err)
		}
		all.want(ended(`"all"`))
		tools.want(ended(`7`))
		all.want("")
		tools.want("")
	})
}

// Nothing honoured: acknowledgement, result, end.
func TestListenToNothing(t *testing.T) {
	url := start(t, nil, echoTool)
	for _, filter := range []string{`{}`, `{"promptsListChanged":true}`, `{"resourceSubscriptions":["docs://readme"]}`, `{"toolsListChanged":false}`} {
		e := hear(t, url, "0", filter)
		e.want(acknowledged(`{}`, "0"))
		e.want(ended("0"))
		e.want("")
	}
}

func TestListenLimits(t *testing.T) {
	srv := newServer(t, func(c *server.Config) { c.MaxListens = 2 }, documents()...)
	url := serve(t, &bridge{srv: srv})
	one, two := hear(t, url, "1", `{"toolsListChanged":true}`), hear(t, url, "2", `{"toolsListChanged":true}`)
	one.next()
	two.next()
	full := ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`}
	refused{200, -32603, "Too many open streams"}.check(t, tell(t, url, full), "1")
	two.leave()
	for { // the place is free when the server has noticed
		ctx, cancel := context.WithCancel(t.Context())
		resp, err := http.DefaultClient.Do(full.build(t, url).WithContext(ctx))
		if err != nil {
			t.Fatal(err)
		}
		kind := resp.Header.Get("Content-Type")
		cancel()
		resp.Body.Close()
		if kind == "text/event-stream" {
			break
		}
	}
	many := make([]string, 1025)
	for i := range many {
		many[i] = fmt.Sprintf("docs://rows/%d", i)
	}
	// Few, but long: each costs time for every byte and template.
	long := []string{"docs://rows/" + strings.Repeat("1", 40<<10), "docs://rows/" + strings.Repeat("2", 40<<10)}
	for _, uris := range [][]string{many, long} {
		list, err := json.Marshal(uris)
		if err != nil {
			t.Fatal(err)
		}
		refused{400, -32602, "Invalid params: resourceSubscriptions has too many URIs"}.check(t, tell(t, url,
			ask{method: "subscriptions/listen", params: `"notifications":{"resourceSubscriptions":` + string(list) + `}`}), "1")
	}
}

// A reader that does not read blocks nobody, and has one event of each kind
// waiting when it does.
func TestSlowListener(t *testing.T) {
	srv := newServer(t, nil, documents()...)
	hold, held := make(chan struct{}), make(chan struct{}, 100)
	var sent []string
	resp := handle(t, srv, ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true,"resourceSubscriptions":["docs://readme"]}`},
		func(r *server.Request) {})
	done := make(chan error, 1)
	go func() {
		done <- resp.Stream(sendFunc(func(p []byte) error {
			sent = append(sent, string(p))
			held <- struct{}{}
			<-hold
			return nil
		}))
	}()
	wait(t, held, "the acknowledgement")
	began := time.Now()
	extra := core.NewTool("extra", "Comes and goes.", echo)
	for range 100 {
		if err := srv.Add(extra); err != nil {
			t.Fatal(err)
		}
		srv.Remove(extra)
		srv.ResourceUpdated("docs://readme")
	}
	if took := time.Since(began); took > patience {
		t.Errorf("publishing took %v", took)
	}
	close(hold)
	wait(t, held, "the changes")
	if err := srv.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := wait(t, done, "the end"); err != nil {
		t.Error(err)
	}
	if len(sent) != 3 || strings.Count(sent[1], "data: ") != 2 ||
		!strings.Contains(sent[1], "tools/list_changed") || !strings.Contains(sent[1], "docs://readme") {
		t.Errorf("sent %q", sent)
	}
}

type sendFunc func([]byte) error

func (f sendFunc) Send(p []byte) error { return f(p) }

// T14: comments on a stream that says nothing.
func TestListenKeepAlive(t *testing.T) {
	inStyles(t, func(t *testing.T, detached bool) {
		srv := newServer(t, func(c *server.Config) { c.KeepAlive = 20 * time.Millisecond }, echoTool)
		e := hear(t, serve(t, &bridge{srv: srv, detached: detached}), "1", `{"toolsListChanged":true}`)
		e.next()
		for comments := 0; comments < 3; {
			if !e.lines.Scan() {
				t.Fatal("the stream ended")
			}
			if e.lines.Text() == ":" {
				comments++
			}
		}
	})
}

// T12: a stream whose client left ends without another write; one whose
// application set a deadline ends with its result.
func TestListenEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		cause error
		sent  int
	}{"client": {context.Canceled, 1}, "deadline": {context.DeadlineExceeded, 2}} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t, nil, echoTool)
			ctx, end := context.WithCancelCause(t.Context())
			r := ask{method: "subscriptions/listen", params: `"notifications":{"toolsListChanged":true}`}.build(t, "http://127.0.0.1/")
			sent := 0
			resp := srv.Handle(ctx, &server.Request{
				Method: r.Method, Host: r.Host, Header: r.Header, Body: r.Body, ContentLength: r.ContentLength, CanStream: true,
				Open: func(*server.Response) (server.Sink, error) {
					return sendFunc(func([]byte) error {
						sent++
						end(tc.cause)
						return nil
					}), nil
				},
			})
			if resp != nil || sent != tc.sent {
				t.Errorf("%d writes, want %d; %+v", sent, tc.sent, resp)
			}
		})
	}
}
