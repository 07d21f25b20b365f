package server

import (
	"context"
	"encoding/json"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/internal/jsonx"
)

// listener is one open subscriptions/listen stream. It writes from one
// goroutine, the framework's, and is all that an idle stream keeps in memory.
type listener struct {
	srv   *Server
	id    json.RawMessage // of the request, which names the subscription
	sub   *hub.Subscription
	hello []byte // written first
	who   string // the caller's fingerprint, if his credentials expire

	scopes []string // of the caller's credentials
}

func (l *listener) mute(ctx context.Context) *Response {
	x := &exchange{srv: l.srv, msg: envelope.Message{ID: l.id}}
	return x.refuse(ctx, refuseNoStream)
}

// run opens the stream and writes until the client leaves, his credentials
// expire or the server closes.
func (l *listener) run(ctx context.Context, open func() (Sink, error)) (err error) {
	defer l.end()
	defer l.srv.survive(&err)
	sink, err := open()
	if err != nil {
		return err
	}
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
		case err != nil, news.End, news.Expired:
			if news.Expired {
				l.srv.notices.expired(ctx, l.who)
			}
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
	l.srv.audience.leave()
}

func (l *listener) count() {
	if m := l.srv.cfg.Metrics; m != nil {
		m.Listening(l.srv.hub.Open())
	}
}

// events are the messages for what happened, in one piece.
func (l *listener) events(news hub.News) []byte {
	var out []byte
	for _, c := range changes {
		if news.Lists&c.kind != 0 {
			out = append(out, l.notification(c.method, nil)...)
		}
	}
	for _, uri := range news.Updated {
		if !l.srv.hears(l.scopes, uri) {
			continue
		}
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
