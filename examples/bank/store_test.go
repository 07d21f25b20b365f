package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

// store is a replay.Store with a fault for each of its methods.
type store struct {
	replay.Store

	begin, finish atomic.Pointer[error]
}

func newStore() *store { return &store{Store: replay.NewMemory(100)} }

func (s *store) Begin(ctx context.Context, id, digest [32]byte, until time.Time) (replay.Claim, error) {
	if err := s.begin.Load(); err != nil {
		return replay.Claim{}, *err
	}
	return s.Store.Begin(ctx, id, digest, until)
}

func (s *store) Finish(ctx context.Context, id [32]byte, result []byte) error {
	if err := s.finish.Load(); err != nil {
		return *err
	}
	return s.Store.Finish(ctx, id, result)
}

// TestM15StoreFails has the store fail behind every framework: nothing is
// booked while it does, and no claim is lost for when it works again.
func TestM15StoreFails(t *testing.T) {
	faults := map[string]error{
		"down": errors.New("connection refused"),
		"full": replay.ErrFull,
		"slow": context.DeadlineExceeded,
	}
	for framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			l, broken := newLedger(), newStore()
			call := serveBank(t, framework, l, broken)
			state := ""
			for _, answers := range []string{"", yes("account", l.accountsOf(owner{})[0].Number) + `,"note":{"action":"decline"}`} {
				state = call(state, answers).State
			}
			for name, fault := range faults {
				broken.begin.Store(&fault)
				got := call(state, `"sure":{"action":"accept"}`)
				if !got.IsError || !strings.Contains(got.text(), "nothing was done") || len(l.entriesOf(owner{})) != 0 {
					t.Fatalf("%s: got %+v, booked %v, want nothing", name, got, l.entriesOf(owner{}))
				}
			}
			broken.begin.Store(nil)
			// The money moves, and then the store cannot keep what became of it: the
			// caller is told, and it does not move again.
			broken.finish.Store(new(errors.New("connection reset")))
			if got := call(state, `"sure":{"action":"accept"}`); got.IsError || len(l.entriesOf(owner{})) != 1 {
				t.Errorf("the control: got %+v, booked %v, want one transfer", got, l.entriesOf(owner{}))
			}
			broken.finish.Store(nil)
			if got := call(state, `"sure":{"action":"accept"}`); !got.IsError || len(l.entriesOf(owner{})) != 1 {
				t.Errorf("again: got %+v, booked %v, want no second transfer", got, l.entriesOf(owner{}))
			}
		})
	}
}

func yes(key, value string) string {
	return fmt.Sprintf(`%q:{"action":"accept","content":{%q:%q}}`, key, key, value)
}

// result is that of a tool.
type result struct {
	State   string `json:"requestState"`
	IsError bool   `json:"isError"`
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
}

func (r result) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// serveBank serves until the test ends and returns what calls the tool transfer.
func serveBank(t *testing.T, framework string, l *ledger, s replay.Store) func(state, answers string) result {
	t.Helper()
	settings := settings{keys: []seal.Key{seal.HexKey(seal.GenerateKey())}, anonymous: true}
	cfg, err := settings.serverConfig()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Replay, cfg.Logger = s, slog.New(slog.DiscardHandler)
	srv, err := server.New(cfg, features(l, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	app, client := frameworks[framework](srv, http.NotFoundHandler()), &http.Client{Transport: new(http.Transport)}
	ended := make(chan error, 1)
	go func() { ended <- app.Serve(listener) }()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Second)
		defer cancel()
		if err := errors.Join(srv.Close(ctx), app.Shutdown(ctx)); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil && !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return func(state, answers string) result {
		t.Helper()
		return post(t, client, "http://"+listener.Addr().String()+path, state, answers)
	}
}

func post(t *testing.T, client *http.Client, url, state, answers string) result {
	t.Helper()
	more := ""
	if state != "" {
		more = fmt.Sprintf(`,"requestState":%q,"inputResponses":{%s}`, state, answers)
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transfer","arguments":{"to":"bob","amount":500},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}` + more + `}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", "tools/call")
	req.Header.Set("Mcp-Name", "transfer")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var message struct {
		Result *result `json:"result"`
	}
	if err := json.Unmarshal(raw, &message); err != nil || message.Result == nil || bytes.Contains(raw, []byte("connection")) {
		t.Fatalf("got %s %s (%v), want a result that says nothing of the store", resp.Status, raw, err)
	}
	return *message.Result
}
