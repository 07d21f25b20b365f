package server

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/internal/jsonx"
)

// maxSubscribed is how many resources one stream may subscribe to, and
// maxSubscribedBytes how long their URIs may be together: each is matched
// against every template, and kept in memory for as long as the stream is open.
const (
	maxSubscribed      = 1024
	maxSubscribedBytes = 64 << 10
)

// maxSubscriptionID is how long the id of a subscription may be, in bytes as it
// is spelled: every event repeats it.
const maxSubscriptionID = 1024

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
	if len(x.msg.ID) > maxSubscriptionID {
		return x.refuse(ctx, refuseLongID)
	}
	f, why := readFilter(x.msg.Params.Get(envelope.ParamNotifications))
	if why != nil {
		return x.refuse(ctx, why)
	}
	lists := x.honour(&f)
	// An open stream must not keep the body.
	l := &listener{srv: x.srv, id: bytes.Clone(x.msg.ID), scopes: x.call.Scopes}
	if lists == 0 && len(f.URIs) == 0 {
		all := x.srv.eventStream()
		all.Body = append(l.acknowledge(f), l.result()...)
		return all
	}
	if !x.req.CanStream {
		return x.refuse(ctx, refuseNoStream)
	}
	sub, err := x.srv.hub.Subscribe(lists, f.URIs, x.expires)
	switch {
	case errors.Is(err, hub.ErrFull):
		return x.refuse(ctx, refuseListens, slog.Int("limit", x.srv.cfg.MaxListens))
	case err != nil:
		return x.refuse(ctx, refuseClosing)
	}
	if !x.srv.audience.enter() {
		sub.Close()
		return x.refuse(ctx, refuseClosing)
	}
	l.sub, l.hello = sub, l.acknowledge(f)
	if !x.expires.IsZero() {
		l.who = x.call.Principal.Fingerprint() // for the record of its end
	}
	l.count()
	return x.goOn(ctx, l)
}

func readFilter(raw []byte) (filter, *refusal) {
	var f filter
	if raw == nil || jsonx.Unmarshal(raw, &f) != nil || slices.Contains(f.URIs, "") { // as null is read
		return f, refuseFilter
	}
	total := 0
	for _, uri := range f.URIs {
		total += len(uri)
	}
	if len(f.URIs) > maxSubscribed || total > maxSubscribedBytes {
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
		return e == nil || !x.sees(e) || !x.granted(e)
	})
	return lists
}
