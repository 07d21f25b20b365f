package server_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

// one is a request that can be served again and again.
type one struct {
	req  server.Request
	body *strings.Reader
}

func newOne(tb testing.TB, a ask) *one {
	r := a.build(tb, "http://127.0.0.1/")
	buf := new(strings.Builder)
	if err := r.Write(buf); err != nil {
		tb.Fatal(err)
	}
	_, body, _ := strings.Cut(buf.String(), "\r\n\r\n")
	o := &one{body: strings.NewReader(body)}
	o.req = server.Request{
		Method: http.MethodPost, Host: "127.0.0.1", LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80},
		Header: r.Header, Body: o.body, ContentLength: int64(len(body)), CanStream: true,
		Open: func(*server.Response) (server.Sink, error) { panic("a small call does not stream") },
	}
	return o
}

func (o *one) serve(tb testing.TB, srv *server.Server) {
	if _, err := o.body.Seek(0, 0); err != nil {
		tb.Fatal(err)
	}
	resp := srv.Handle(context.Background(), &o.req)
	if resp == nil || resp.Status != 200 || !strings.Contains(string(resp.Body[:40]), `"result"`) {
		tb.Fatalf("got %+v", resp)
	}
}

var clientMeta = metaWith(`{"elicitation":{}}`, `"io.modelcontextprotocol/clientInfo":{"name":"probe","version":"1.0.0"}`)

func smallCall(tb testing.TB) *one {
	a := call("echo", `{"text":"hello"}`)
	a.meta = clientMeta
	return newOne(tb, a)
}

func largeCall(tb testing.TB) *one {
	a := call("echo", `{"text":"`+strings.Repeat("a", 1<<20)+`"}`)
	a.meta = clientMeta
	return newOne(tb, a)
}

// What a small call costs in allocations.
func TestCallAllocations(t *testing.T) {
	srv, o := newServer(t, nil, echoTool), smallCall(t)
	if n := testing.AllocsPerRun(200, func() { o.serve(t, srv) }); n > 60 {
		t.Errorf("%v allocations", n)
	} else {
		t.Logf("%v allocations", n)
	}
}

// 1 MiB of arguments is in memory about three times at most: the body, what is
// decoded of it, and what of that goes into the answer; here it does not.
func TestLargeCallMemory(t *testing.T) {
	raw, err := core.NewRawTool(core.ToolDefinition{
		Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","minLength":1}}}`),
	}, func(context.Context, *core.Event, json.RawMessage) (*core.ToolResult, error) {
		return &core.ToolResult{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	typed := core.NewTool("echo", "Takes a text.", func(context.Context, *core.Event, echoIn) (string, error) { return "", nil })
	for label, tc := range map[string]struct {
		tool core.Feature
		most float64
	}{"typed": {typed, 2.3}, "raw": {raw, 2.3}} {
		t.Run(label, func(t *testing.T) {
			srv, o := newServer(t, nil, tc.tool), largeCall(t)
			o.serve(t, srv)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range 10 {
				o.serve(t, srv)
			}
			runtime.ReadMemStats(&after)
			per := float64(after.TotalAlloc-before.TotalAlloc) / 10 / (1 << 20)
			t.Logf("%.2f bytes a byte", per)
			if per > tc.most {
				t.Errorf("%.2f bytes were allocated for each that was received", per)
			}
		})
	}
}

func BenchmarkCallSmall(b *testing.B) {
	srv, o := newServer(b, nil, echoTool), smallCall(b)
	b.ReportAllocs()
	for b.Loop() {
		o.serve(b, srv)
	}
}

func BenchmarkCall1MiB(b *testing.B) {
	srv, o := newServer(b, nil, echoTool), largeCall(b)
	b.ReportAllocs()
	b.SetBytes(1 << 20)
	for b.Loop() {
		o.serve(b, srv)
	}
}

// Ten thousand tools cost a call what ten do.
func BenchmarkCallAmongMany(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			srv, o := newServer(b, nil, append(numbered(0, n), echoTool)...), smallCall(b)
			for b.Loop() {
				o.serve(b, srv)
			}
		})
	}
}
