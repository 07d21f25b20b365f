package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// LinkParam is the parameter of the query in which a page finds the token of a
// [Page].
const LinkParam = "link"

// linkTTL is how long a link opens; a server whose rounds are shorter has
// shorter links.
const linkTTL = 10 * time.Minute

// Page is a page of the application that a user is sent to by a [URL] ask, and
// that must know for whom it was opened (MCP 2026-07-28, client/elicitation: safe
// URL handling). Its link carries a token, sealed with the server's keys, that
// opens only for the user who was asked, in this call, for some minutes; with it
// data of type T, which the client cannot read. Somebody who is made to follow
// another one's link gets nowhere, because the page asks its own visitor who he
// is, by its own session, and [Page.Open] compares.
//
// It is declared once, usually as a package variable, and shared by the tool
// that asks and the handler that serves the page.
type Page[T any] struct{ key, message string }

// NewPage declares a page. The key is that of the question, and keeps its tokens
// apart from those of other pages; T is anything that encoding/json can encode.
// It panics on a key that is no key.
func NewPage[T any](key, message string) *Page[T] {
	if key == "" || len(key) > maxKey {
		panic(fmt.Sprintf("parley: NewPage %q: the key must have 1 to %d bytes", key, maxKey))
	}
	return &Page[T]{key: key, message: message}
}

// Key is the name under which the question is asked and answered.
func (p *Page[T]) Key() string { return p.key }

// Encode returns the inputResponses entry of a client whose user agreed to open
// the page: for tests.
func (p *Page[T]) Encode(Consent) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"accept"}`), nil
}

// To derives the ask for this call. link is as for [URL], may have a query, and
// gets one parameter more. The call needs typed state that is open, or goes on in
// the straight-line style, and a caller who is not [Anonymous]; what is wrong is
// reported by whatever uses the ask.
//
// An accepted answer says that the user agreed to open the page, and no more.
// What was done there the page keeps under [Visit.Flow], which is [Event.Flow]
// of every round of the call.
func (p *Page[T]) To(ev *Event, link string, data T) Ask[Consent] {
	ask := URL(p.key, p.message, link)
	q := &ask.spec.question
	raw, err := jsonx.MarshalUser(data)
	switch {
	case q.mistake != nil:
		return ask
	case err != nil:
		q.mistake = fmt.Errorf("the data of the page %q cannot be encoded: %w", p.key, err)
		return ask
	}
	ev.mu.Lock()
	defer ev.mu.Unlock()
	token, err := p.seal(ev, raw)
	if err != nil {
		q.failure = err
		return ask
	}
	q.url, err = withToken(link, token)
	q.mistake = err
	q.lasting = append([]byte(link+"\x00"), raw...)
	return ask
}

func withToken(link, token string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.Fragment != "" {
		return "", fmt.Errorf("the link %q of a page must not have a fragment", link)
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += LinkParam + "=" + token // which needs no escapes
	return u.String(), nil
}

// seal makes the token; ev.mu is held.
func (p *Page[T]) seal(ev *Event, data json.RawMessage) (string, error) {
	if ev.opened == nil {
		if _, err := ev.flowing("Page.To"); err != nil {
			return "", err
		}
	}
	codec, err := ev.codec(p.purpose())
	if err != nil {
		return "", err
	}
	binding, err := p.binding(ev.call.Principal)
	if err != nil {
		return "", ev.misuse("the page %q: %v", p.key, err)
	}
	ttl := linkTTL
	if ev.host.RoundTTL > 0 {
		ttl = min(ttl, ev.host.RoundTTL)
	}
	claims := ev.opened.claims
	claims.Issued = ev.now()
	claims.Expires = claims.Issued.Add(ttl)
	claims.ID = [16]byte{}
	if !claims.FlowUntil.After(claims.Issued) {
		ev.note(slog.LevelWarn, "the flow is over", string(seal.ReasonFlowExpired))
		return "", errTooLong
	}
	return codec.Seal(seal.Encrypted, binding, claims, data)
}

func (p *Page[T]) purpose() string { return "page/" + p.key }

// binding leaves the OAuth client out: the page is visited with a browser.
func (p *Page[T]) binding(who Principal) (seal.Binding, error) {
	if who.anonymous || !who.Valid() {
		return seal.Binding{}, errors.New("parley: a page is for a caller who is known by name")
	}
	return seal.Binding{
		Request:   seal.Digest([]byte("page"), []byte(p.key)),
		Principal: [][]byte{[]byte(who.Issuer), []byte(who.Subject), []byte(who.Tenant)},
	}, nil
}

// ErrLink is matched by the error of [Page.Open] for a link that does not open.
var ErrLink = errors.New("parley: the link does not open")

// Visit is what the handler of a [Page] learns.
type Visit[T any] struct {
	// Flow is [Event.Flow] of the call that asked. It is no secret and no
	// permission.
	Flow string

	// Data is what [Page.To] was given.
	Data T
}

// Open is for the handler of the page, in whatever framework: visitor is whom
// its own session says, with the same issuer, subject and tenant as in the
// tokens of the server, h is the server's Host, and token the parameter
// [LinkParam]. A link that was altered, is too old, of another kind, of another
// server, or for somebody else is [ErrLink]: show the visitor one fixed text for
// all of these. The reason is in the error and in the log.
//
// A link opens as often as it is followed, so what the page does must be
// harmless twice. It shows what will happen and does it when the visitor agrees,
// by a POST that opens the token again: a link that is only fetched must change
// nothing.
func (p *Page[T]) Open(ctx context.Context, h *Host, visitor Principal, token string) (Visit[T], error) {
	if h.Keys == nil {
		return Visit[T]{}, errors.New("parley: links need a key, and the server has none: set Config.Keys")
	}
	binding, err := p.binding(visitor)
	if err != nil {
		return Visit[T]{}, err
	}
	now := time.Now
	if h.Now != nil {
		now = h.Now
	}
	claims, raw, err := h.Keys.Codec(p.purpose(), h.Audience).Open(seal.Encrypted, binding, token, now())
	if err != nil {
		return Visit[T]{}, h.refuseLink(ctx, p.key, visitor, err)
	}
	var data T
	if jsonx.UnmarshalUserStrict(raw, &data) != nil {
		return Visit[T]{}, h.refuseLink(ctx, p.key, visitor, &seal.OpenError{Reason: seal.ReasonEncoding})
	}
	return Visit[T]{Flow: flowID(claims), Data: data}, nil
}

func (h *Host) refuseLink(ctx context.Context, key string, visitor Principal, err error) error {
	open, ok := errors.AsType[*seal.OpenError](err)
	if !ok {
		return err // the server's own mistake
	}
	if h.Count != nil {
		h.Count(string(open.Reason))
	}
	if h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelWarn, "link refused", slog.String("reason", string(open.Reason)),
			slog.String("key", key), slog.String("principal", visitor.Fingerprint()))
	}
	return fmt.Errorf("%w: %w", ErrLink, err)
}

// Flow is the id of the call that this round belongs to: the same in all rounds,
// and in no other call. It is empty before typed state is open or the
// straight-line style has begun.
func (ev *Event) Flow() string {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if ev.opened == nil {
		return ""
	}
	return ev.opened.flowID()
}
