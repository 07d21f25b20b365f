package core_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
	"github.com/parleymcp/parley/core/seal"
)

type card struct {
	Shop string `json:"shop"`
}

const shop = "https://shop.example/pay?lang=en"

var (
	payPage  = core.NewPage[card]("pay", "Pay?")
	otherKey = core.NewPage[card]("refund", "Refund?")
	paying   = core.NewState[step]("paying")
	somebody = core.Principal{Issuer: "https://id.example", Subject: "alice", Tenant: "t", Client: "mcp"}

	// payInLine and payByState ask for the same page in both styles that have a flow.
	payInLine = core.NewTool("pay-line", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if _, err := payPage.To(ev, shop, card{"Shop"}).Require(ev); err != nil {
			return "", err
		}
		return ev.Flow(), core.Confirm(ev, "done", "Have you paid?")
	})
	payByState = core.NewTool("pay-state", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		st, err := paying.Open(ev)
		if err != nil {
			return "", err
		}
		ask := payPage.To(ev, shop, card{"Shop"})
		if ask.Answer(ev).State == core.Accepted && st.N == 2 {
			return ev.Flow(), nil
		}
		return "", paying.InputRequired(ev, step{N: st.N + 1}, ask)
	})
)

// token is that of the link in a round's question.
func token(t *testing.T, asked []core.Request) string {
	t.Helper()
	var params struct{ Mode, URL string }
	if len(asked) != 1 || json.Unmarshal(asked[0].Params, &params) != nil || params.Mode != "url" {
		t.Fatalf("asked %+v", asked)
	}
	u, err := url.Parse(params.URL)
	if err != nil || u.Host != "shop.example" || u.Path != "/pay" || u.Query().Get("lang") != "en" {
		t.Fatalf("the link is %q, %v", params.URL, err)
	}
	return u.Query().Get(core.LinkParam)
}

func TestPage(t *testing.T) {
	keys := ring(t)
	host := &core.Host{Keys: keys, Audience: "coretest"}
	for name, tool := range map[string]*core.Tool[core.NoInput, string]{"straight line": payInLine, "typed state": payByState} {
		t.Run(name, func(t *testing.T) {
			opts := []coretest.Option{coretest.As(somebody), coretest.Keys(keys), coretest.Accept(payPage, core.Consent{})}
			if name == "straight line" {
				opts = append(opts, coretest.Confirm("done"))
			}
			flow := coretest.Start(t, tool, core.NoInput{}, opts...)
			link := token(t, flow.Asked())
			browser := somebody
			browser.Client = "" // the page is visited with no OAuth client
			visit, err := payPage.Open(t.Context(), host, browser, link)
			if err != nil || visit.Data.Shop != "Shop" || len(visit.Flow) != 32 {
				t.Fatalf("got %+v, %v", visit, err)
			}
			if again, err := payPage.Open(t.Context(), host, somebody, link); err != nil || again != visit {
				t.Errorf("a second time: %+v, %v", again, err)
			}
			flow = flow.Next().Next()
			if got, err := flow.Result(); err != nil || got != visit.Flow {
				t.Errorf("the flow is %q, %v, that of the visit %q", got, err, visit.Flow)
			}
			if other := token(t, coretest.Start(t, tool, core.NoInput{}, opts[:2]...).Asked()); open(t, host, somebody, other).Flow == visit.Flow {
				t.Error("two calls have one flow")
			}
		})
	}
}

func open(t *testing.T, h *core.Host, who core.Principal, link string) core.Visit[card] {
	t.Helper()
	visit, err := payPage.Open(t.Context(), h, who, link)
	if err != nil {
		t.Fatal(err)
	}
	return visit
}

// What does not open says the same to everybody, and why to the operator.
func TestPageRefuses(t *testing.T) {
	keys := ring(t)
	flow := coretest.Start(t, payByState, core.NoInput{}, coretest.As(somebody), coretest.Keys(keys))
	link := token(t, flow.Asked())
	foreign := token(t, coretest.Start(t, payByState, core.NoInput{}, coretest.As(somebody)).Asked()) // another key
	who := func(change func(*core.Principal)) core.Principal {
		p := somebody
		change(&p)
		return p
	}
	later := func(d time.Duration) func() time.Time { return func() time.Time { return time.Now().Add(d) } }
	for name, tc := range map[string]struct {
		page     *core.Page[card]
		visitor  core.Principal
		link     string
		audience string
		now      func() time.Time
		reason   seal.Reason // "": opens
	}{
		"good":                 {now: later(9 * time.Minute)},
		"M10: another subject": {visitor: who(func(p *core.Principal) { p.Subject = "bob" }), reason: seal.ReasonPrincipal},
		"M10: another issuer":  {visitor: who(func(p *core.Principal) { p.Issuer = "https://evil.example" }), reason: seal.ReasonPrincipal},
		"another tenant":       {visitor: who(func(p *core.Principal) { p.Tenant = "" }), reason: seal.ReasonPrincipal},
		"another page":         {page: otherKey, reason: seal.ReasonUnknownKey},
		"another server":       {audience: "other", reason: seal.ReasonUnknownKey},
		"another key":          {link: foreign, reason: seal.ReasonUnknownKey},
		"too old":              {now: later(10*time.Minute + time.Second), reason: seal.ReasonExpired},
		"altered":              {link: link[:len(link)-3] + "AAA", reason: seal.ReasonIntegrity},
		"cut":                  {link: link[:20], reason: seal.ReasonEncoding},
		"a state":              {link: flow.State(), reason: seal.ReasonEncoding},
		"nothing":              {link: "-", reason: seal.ReasonEncoding},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			var counted []string
			h := &core.Host{
				Keys: keys, Audience: "coretest", Now: tc.now,
				Logger: slog.New(slog.NewTextHandler(&log, nil)), Count: func(reason string) { counted = append(counted, reason) },
			}
			page, visitor := payPage, somebody
			if tc.page != nil {
				page = tc.page
			}
			if tc.visitor.Valid() {
				visitor = tc.visitor
			}
			if tc.audience != "" {
				h.Audience = tc.audience
			}
			if tc.link == "" {
				tc.link = link
			}
			visit, err := page.Open(t.Context(), h, visitor, tc.link)
			if tc.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, core.ErrLink) || visit != (core.Visit[card]{}) || !strings.HasPrefix(err.Error(), core.ErrLink.Error()) {
				t.Fatalf("got %+v, %v", visit, err)
			}
			if len(counted) != 1 || counted[0] != string(tc.reason) ||
				!strings.Contains(log.String(), "reason="+string(tc.reason)+" key="+page.Key()+" principal="+visitor.Fingerprint()+"\n") ||
				strings.Contains(log.String(), tc.link) && len(tc.link) > 1 {
				t.Errorf("want %s, counted %q, log %s", tc.reason, counted, &log)
			}
		})
	}
	h := &core.Host{Keys: keys, Audience: "coretest"}
	for name, nobody := range map[string]core.Principal{"M11: anonymous": core.Anonymous, "M11: nobody": {}, "M11: no subject": {Issuer: "i"}} {
		if _, err := payPage.Open(t.Context(), h, nobody, link); err == nil {
			t.Errorf("%s opened it", name)
		}
	}
	if _, err := payPage.Open(t.Context(), &core.Host{}, somebody, link); err == nil || errors.Is(err, core.ErrLink) {
		t.Errorf("without keys: %v", err)
	}
}

// A link lives no longer than the round that asks for it.
func TestPageOfAShortRound(t *testing.T) {
	h := &core.Host{Keys: ring(t), RoundTTL: time.Minute}
	call := askable("pay-state")
	call.Principal, call.Capabilities = somebody, json.RawMessage(`{"elicitation":{"url":{}}}`)
	link := token(t, core.Run(t.Context(), h, payByState, call).Interim.Requests)
	for age, opens := range map[time.Duration]bool{59 * time.Second: true, 61 * time.Second: false} {
		h.Now = func() time.Time { return time.Now().Add(age) }
		if _, err := payPage.Open(t.Context(), h, somebody, link); (err == nil) != opens {
			t.Errorf("after %v: %v", age, err)
		}
	}
}

// A mistake in a page is the program's, and is found by the first test.
func TestPageMisuse(t *testing.T) {
	ask := func(link string, data any, style string) *core.Tool[core.NoInput, string] {
		p := core.NewPage[any]("p", "P?")
		return core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			if style == "return" {
				if a := askName.Answer(ev); a.State == core.Missing {
					return "", ev.InputRequired(p.To(ev, link, data))
				}
			}
			_, err := p.To(ev, link, data).Require(ev)
			return "", err
		})
	}
	for name, tc := range map[string]struct {
		tool *core.Tool[core.NoInput, string]
		as   core.Principal
	}{
		"anonymous":    {ask(shop, 1, ""), core.Anonymous},
		"no https":     {ask("http://shop.example/", 1, ""), somebody},
		"a fragment":   {ask("https://shop.example/#x", 1, ""), somebody},
		"user info":    {ask("https://me:you@shop.example/", 1, ""), somebody},
		"no JSON":      {ask(shop, func() {}, ""), somebody},
		"return style": {ask(shop, 1, "return"), somebody},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := coretest.Call(t, tc.tool, core.NoInput{}, coretest.As(tc.as), coretest.AllowMisuse())
			if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 {
				t.Errorf("got %v, want an internal error", err)
			}
		})
	}
	defer func() {
		if recover() == nil {
			t.Error("a page without a key")
		}
	}()
	core.NewPage[card]("", "")
}

// A link that is new on every round is the same question; another text or other
// data is another one.
func TestPageIsOneQuestion(t *testing.T) {
	shopName, text := "Shop", "Pay?"
	tool := core.NewTool("pay", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if _, err := payPage.To(ev, shop, card{shopName}).Messagef("%s", text).Require(ev); err != nil {
			return "", err
		}
		return "paid", nil
	})
	for name, change := range map[string]func(){"nothing": func() {}, "data": func() { shopName = "Other" }, "text": func() { text = "Really?" }} {
		shopName, text = "Shop", "Pay?"
		flow := coretest.Start(t, tool, core.NoInput{}, coretest.As(somebody), coretest.Accept(payPage, core.Consent{}))
		change()
		flow = flow.Next()
		if again := len(flow.Asked()) > 0; again != (name != "nothing") {
			t.Errorf("%s changed: asked again is %v", name, again)
		}
	}
}
