package companions

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parleymcp/parley/core/protocol"
)

// Measure starts an application, asks for all that MCP needs, and ends it. The
// error says that the application did not listen or end, or is that of also,
// which may be nil.
func Measure(ctx context.Context, start Start, also Also) (r Report, err error) {
	h, err := newHouse()
	if err != nil {
		return r, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return r, err
	}
	stop := start(h.server, listener)
	transport := new(http.Transport)
	m := &measurement{house: h, Client: Client{
		Server: h.server, url: "http://" + listener.Addr().String(),
		http: &http.Client{Transport: transport},
	}}
	defer func() {
		close(h.done)
		transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*patience)
		defer cancel()
		err = errors.Join(err, h.server.Close(ctx), stop(ctx))
	}()
	m.report.Faults = map[Need]error{}
	m.run(ctx)
	if also != nil {
		err = also(ctx, &m.Client)
	}
	if m.report.Faults[Answers] == nil && m.report.Faults[Subscriptions] == nil {
		m.try(ctx, Subscriptions, m.closing)
	}
	return m.report, err
}

type measurement struct {
	*house
	Client

	mu     sync.Mutex
	report Report
}

// run tries answers first, which tell whether there are streams at all, and
// then everything else at the same time.
func (m *measurement) run(ctx context.Context) {
	m.try(ctx, Answers, m.answers)
	if m.report.Faults[Answers] != nil {
		return // there is nothing to say about the rest
	}
	var all sync.WaitGroup
	for need, probe := range map[Need]func(context.Context) error{
		FirstEvent: m.firstEvent, LongStreams: m.longStreams, SlowAnswers: m.slowAnswers,
		Disconnects: m.disconnects, Subscriptions: m.subscriptions,
	} {
		all.Go(func() { m.try(ctx, need, probe) })
	}
	all.Wait()
}

func (m *measurement) try(ctx context.Context, need Need, probe func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, Long+patience)
	defer cancel()
	if err := probe(ctx); err != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.report.Faults[need] = err
	}
}

// answers looks at a long text, at notifications in front of an answer, and at a
// tool that panics, with and without a stream.
func (m *measurement) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text := strings.Repeat("It can be compressed. ", 100)
	a, _, last, err := m.call(ctx, onlyJSON, protocol.MethodToolsCall, tool("echo", object{"text": text}))
	if err != nil || a.status != http.StatusOK || last.text() != text {
		return unexpected("a text", last, err)
	}
	m.report.Answer = a.Head

	a, before, last, err := m.call(ctx, both, protocol.MethodToolsCall, tool("count", object{"n": 100}))
	if err != nil || a.status != http.StatusOK || last.text() != "counted" {
		return unexpected("notifications and an answer", last, err)
	}
	m.report.Event, m.report.JSON = a.Head, a.events == nil
	if !m.report.JSON && len(before) != 100 {
		return fmt.Errorf("%d of 100 notifications", len(before))
	}
	for i, n := range before {
		if n.Params.Progress != float64(i+1) {
			return fmt.Errorf("notification %d is %v", i+1, n)
		}
	}

	for _, accept := range []string{onlyJSON, both} {
		_, _, last, err := m.call(ctx, accept, protocol.MethodToolsCall, tool("panic", object{}))
		if err != nil || last.code() != protocol.CodeInternalError {
			return unexpected("a panic, accepting "+accept, last, err)
		}
	}
	return nil
}

// unexpected is the error for an answer that is another one, or none.
func unexpected(what string, m message, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s: got %v", what, m)
}

// wait is an error unless ch is closed in time.
func wait(ch <-chan struct{}, what string) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ch:
		return nil
	case <-timer.C:
		return fmt.Errorf("%s: not within %v", what, patience)
	}
}
