package companions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// firstEvent reads the first event of a tool that goes on only then.
func (m *measurement) firstEvent(ctx context.Context) error {
	if m.report.JSON {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	held := m.held("first event")
	a, err := m.open(ctx, both, protocol.MethodToolsCall, tool("hold", object{"id": "first event", "stream": true}))
	if err != nil {
		return err
	}
	defer a.close()
	if a.events == nil {
		return errors.New("it is no stream")
	}
	first, err := a.events.next()
	if err != nil || first.Method != protocol.NotificationProgress {
		return unexpected("the first event", first, err)
	}
	close(held.release)
	if _, last, err := a.rest(); err != nil || last.text() != "let go" {
		return unexpected("the answer", last, err)
	}
	return nil
}

// longStreams calls a tool that reports its progress, and one that is quiet.
// Without streams they are answered in JSON.
func (m *measurement) longStreams(ctx context.Context) error {
	if m.report.JSON {
		return nil // a slow answer, then
	}
	quiet := make(chan error)
	go func() { quiet <- m.longStream(ctx, false) }()
	return errors.Join(m.longStream(ctx, true), <-quiet)
}

func (m *measurement) longStream(ctx context.Context, progress bool) error {
	_, before, last, err := m.call(ctx, both, protocol.MethodToolsCall, tool("work", object{"progress": progress}))
	if err != nil || last.text() != "done" {
		return unexpected(fmt.Sprintf("%v, with progress %v", Long, progress), last, err)
	}
	if progress && len(before) != 10 {
		return fmt.Errorf("%d of 10 notifications", len(before))
	}
	return nil
}

// slowAnswers calls a tool that is quiet for a long time, for an answer in JSON.
func (m *measurement) slowAnswers(ctx context.Context) error {
	accept := onlyJSON
	if m.report.JSON {
		accept = both
	}
	_, _, last, err := m.call(ctx, accept, protocol.MethodToolsCall, tool("work", object{}))
	if err != nil || last.text() != "done" {
		return unexpected(Long.String(), last, err)
	}
	return nil
}

// subscriptions opens a stream, waits for longer than every timeout, and lets
// something happen.
func (m *measurement) subscriptions(ctx context.Context) error {
	a, err := m.listen(ctx)
	if a == nil {
		return err // nil, if it was refused as it should
	}
	defer a.close()
	<-time.After(Long)
	if err := m.server.Add(core.NewTool("new", "Is new.", count)); err != nil {
		return err
	}
	if news, err := a.events.next(); err != nil || news.Method != protocol.NotificationToolsListChanged {
		return unexpected("after "+Long.String(), news, err)
	}
	return nil
}

// closing closes the server while somebody listens.
func (m *measurement) closing(ctx context.Context) error {
	a, err := m.listen(ctx)
	if a == nil {
		return err
	}
	defer a.close()
	if err := m.server.Close(ctx); err != nil {
		return err
	}
	if _, last, err := a.rest(); err != nil || last.Result == nil {
		return unexpected("the server closes", last, err)
	}
	return nil
}

// listen subscribes and reads the acknowledgement. Without streams it returns
// nil, and an error unless the subscription was refused with one.
func (m *measurement) listen(ctx context.Context) (*answer, error) {
	params := object{"notifications": object{"toolsListChanged": true}}
	if m.report.JSON {
		_, _, last, err := m.call(ctx, both, protocol.MethodListen, params)
		if err != nil || last.code() != protocol.CodeInternalError {
			return nil, unexpected("without streams", last, err)
		}
		return nil, nil
	}
	a, err := m.open(ctx, both, protocol.MethodListen, params)
	if err != nil {
		return nil, err
	}
	if a.events == nil {
		a.close()
		return nil, errors.New("it is no stream")
	}
	if first, err := a.events.next(); err != nil || first.Method != protocol.NotificationAcknowledged {
		a.close()
		return nil, unexpected("the first event", first, err)
	}
	return a, nil
}

// disconnects leaves a stream that has begun, and a call that says nothing.
func (m *measurement) disconnects(ctx context.Context) error {
	for _, stream := range []bool{true, false} {
		id := fmt.Sprintf("disconnect, stream %v", stream)
		held := m.held(id)
		ctx, leave := context.WithCancel(ctx)
		left := make(chan struct{})
		go func() {
			defer close(left)
			if a, err := m.open(ctx, both, protocol.MethodToolsCall, tool("hold", object{"id": id, "stream": stream})); err == nil {
				_, _, _ = a.rest()
				a.close()
			}
		}()
		err := wait(held.started, id+": the tool starts")
		leave()
		<-left
		if err == nil {
			err = wait(held.ended, id+": the tool hears of it")
		}
		if err != nil {
			return err
		}
		if !errors.Is(held.cause, server.ErrClientGone) {
			return fmt.Errorf("%s: the cause is %w", id, held.cause)
		}
	}
	return nil
}
