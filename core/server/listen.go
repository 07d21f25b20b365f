package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/internal/jsonx"
)

// maxSubscribed is how many resources one stream may subscribe to; each is kept
// in memory for as long as the stream is open.
const maxSubscribed = 1024

// filter is what a client asks to hear of, and what it is told that it will.
type filter struct {
	Tools     bool     `json:"toolsListChanged,omitzero"`
	Prompts   bool     `json:"promptsListChanged,omitzero"`
	Resources bool     `json:"resourcesListChanged,omitzero"`
	URIs      []string `json:"resourceSubscriptions,omitempty"`
}

// listen answers subscriptions/listen (MCP 2026-07-28,
// basic/utilities/subscriptions).
func (x *exchange) listen(ctx context.Context) *Response {
	if !x.sse {
		return x.refuse(ctx, refuseNotStream)
	}
	f, why := readFilter(x.msg.Params.Notifications)
	if why != nil {
		return x.refuse(ctx, why)
	}
	lists := x.honour(&f)
	l := &listener{srv: x.srv, id: bytes.Clone(x.msg.ID)}
	if lists == 0 && len(f.URIs) == 0 {
		resp := x.srv.eventStream()
		resp.Body = append(l.acknowledge(f), l.result()...)
		return resp
	}
	if !x.req.CanStream {
		return x.refuse(ctx, refuseNoStream)
	}
	sub, err := x.srv.hub.Subscribe(lists, f.URIs)
	switch {
	case errors.Is(err, hub.ErrFull):
		return x.refuse(ctx, refuseListens, slog.Int("limit", x.srv.cfg.MaxListens))
	case err != nil:
		return x.refuse(ctx, refuseClosing)
	}
	l.sub, l.hello = sub, l.acknowledge(f)
	return x.stay(ctx, l)
}

func readFilter(raw []byte) (filter, *refusal) {
	var f filter
	if raw == nil || jsonx.Unmarshal(raw, &f) != nil {
		return f, refuseFilter
	}
	if len(f.URIs) > maxSubscribed {
		return f, refuseManyURIs
	}
	return f, nil
}

// honour leaves in f what this caller will hear of: lists that are advertised,
// and resources that he could read, each once.
func (x *exchange) honour(f *filter) hub.Kind {
	var lists hub.Kind
	for _, l := range []struct {
		asked  *bool
		served bool
		kind   hub.Kind
	}{
		{&f.Tools, x.snap.served[core.KindTool], hub.Tools},
		{&f.Prompts, x.snap.served[core.KindPrompt], hub.Prompts},
		{&f.Resources, x.snap.resources(), hub.Resources},
	} {
		if *l.asked = *l.asked && l.served; *l.asked {
			lists |= l.kind
		}
	}
	seen := make(map[string]bool, len(f.URIs))
	f.URIs = slices.DeleteFunc(f.URIs, func(uri string) bool {
		if seen[uri] {
			return true
		}
		seen[uri] = true
		e := x.snap.resource(uri)
		return e == nil || !x.sees(e)
	})
	return lists
}

// stay keeps the stream open: within Handle where the framework can, or after
// it. The body of the request is not kept for as long.
func (x *exchange) stay(ctx context.Context, l *listener) *Response {
	x.handed, x.inside = true, false
	x.msg = envelope.Message{ID: l.id}
	l.count()
	head := x.srv.eventStream()
	if x.req.Open == nil {
		head.Stream = func(sink Sink) error { return l.run(ctx, sink) }
		return head
	}
	sink, err := x.req.Open(head)
	if err != nil {
		l.end()
		if errors.Is(err, errors.ErrUnsupported) { // and nothing was written
			return x.refuse(ctx, refuseNoStream)
		}
		return nil
	}
	_ = l.run(ctx, sink) // a client that has gone is nobody's error
	return nil
}

// listener is one open stream. It writes from one goroutine.
type listener struct {
	srv   *Server
	id    json.RawMessage // of the request, which names the subscription
	sub   *hub.Subscription
	hello []byte // written first
}

// run writes until the client leaves or the server closes.
func (l *listener) run(ctx context.Context, sink Sink) (err error) {
	defer l.end()
	defer func() {
		if r := recover(); r != nil { // in Send, which is the adapter's
			l.srv.panicked("an open stream", r)
			err = ErrClientGone
		}
	}()
	next := l.hello
	l.hello = nil
	for {
		if sink.Send(next) != nil {
			return ErrClientGone
		}
		news, err := l.sub.Next(ctx)
		switch {
		case err != nil && abandoned(ctx):
			return context.Cause(ctx)
		case err != nil, news.End:
			if sink.Send(l.result()) != nil {
				return ErrClientGone
			}
			return nil
		}
		next = l.events(news)
	}
}

func (l *listener) end() {
	l.sub.Close()
	l.count()
	l.srv.door.leave()
}

func (l *listener) count() {
	if m := l.srv.cfg.Metrics; m != nil {
		m.Listening(l.srv.hub.Open())
	}
}

// events are the messages for what happened, in one piece.
func (l *listener) events(news hub.News) []byte {
	var out []byte
	for _, c := range []struct {
		kind   hub.Kind
		method string
	}{
		{hub.Tools, protocol.NotificationToolsListChanged},
		{hub.Prompts, protocol.NotificationPromptsListChanged},
		{hub.Resources, protocol.NotificationResourcesListChanged},
	} {
		if news.Lists&c.kind != 0 {
			out = append(out, l.notification(c.method, nil)...)
		}
	}
	for _, uri := range news.Updated {
		out = append(out, l.notification(protocol.NotificationResourceUpdated,
			jsonx.AppendString([]byte(`,"uri":`), uri))...)
	}
	if out == nil {
		return comment // a beat, and nothing else
	}
	return out
}

func (l *listener) acknowledge(f filter) []byte {
	honoured, _ := jsonx.Marshal(f) // booleans and strings
	return l.notification(protocol.NotificationAcknowledged, append([]byte(`,"notifications":`), honoured...))
}

// notification is a message of this subscription; members, each with a comma
// before it, follow _meta in its params.
func (l *listener) notification(method string, members []byte) message {
	params := append([]byte(`{"_meta":{"`+protocol.MetaSubscriptionID+`":`), l.id...)
	params = append(append(params, '}'), members...)
	return notification(method, append(params, '}'))
}

// result is how the server ends the stream (SubscriptionsListenResult).
func (l *listener) result() message {
	m := newMessage(256).answering(l.id)
	m = append(m, `,"result":{"resultType":"`+protocol.ResultComplete+`","_meta":{"`+protocol.MetaSubscriptionID+`":`...)
	m = append(append(append(m, l.id...), ','), l.srv.encoder.serverInfo...)
	return append(append(m, `}}}`...), eventTail...)
}
