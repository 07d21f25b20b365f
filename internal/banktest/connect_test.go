package banktest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// connectBank is a call that sends its user to a page.
var connectBank = call{
	method: "tools/call", name: "connect_bank", arguments: `{"bank":"Other Bank"}`, capabilities: `{"elicitation":{"url":{}}}`,
}

// connector is somebody whose token has the scope of connect_bank.
func (b *bank) connector(t *testing.T) (c customer, subject string) {
	t.Helper()
	_, subject = b.newcomer(t)
	return customer{b, sign(t, subject, claims{"scope": "bank:connect"})}.at(b), subject
}

// link is the page that a reply asks to open. Nobody else may read its token.
func (c customer) link(t *testing.T, r reply) string {
	t.Helper()
	var asked struct {
		Result struct {
			InputRequests struct {
				Connect struct {
					Params struct{ URL, Message, Mode string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(r.body), &asked); err != nil || !r.asks() {
		t.Fatalf("got %v (%v), want a page to open", r, err)
	}
	p := asked.Result.InputRequests.Connect.Params
	if p.Mode != "url" || p.Message != "Connect your account at Other Bank?" || !strings.Contains(p.URL, "/connect?link=e1.") {
		t.Fatalf("asked %+v", p)
	}
	_, token, _ := strings.Cut(p.URL, "link=")
	c.bank.conceal("link", token)
	return p.URL
}

// agreed is the next round, whose user has agreed to open the page.
func agreed(what call, r reply) call {
	what.state, what.answers = quote(r.Result.RequestState), `{"connect":{"action":"accept"}}`
	return what
}

// TestConnectInABrowser is the whole way: the page finds out that its visitor is
// the user who was asked, and the tool that he has agreed.
func TestConnectInABrowser(t *testing.T) {
	t.Parallel()
	chrome := startDriver(t)
	alices, eves := chrome.browser(t), chrome.browser(t)
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			b := sharedBank(t, framework)
			alice, subject := b.connector(t)
			eve, other := b.connector(t)
			first := alice.send(t, connectBank)
			page := alice.link(t, first)

			// Somebody who is made to follow another one's link gets nowhere.
			eves.visit(page)
			eves.shows("nobody", "Who are you?")
			eves.fill("input[name=token]", "nonsense")
			eves.press()
			eves.shows("nobody", "That is no good token.")
			eves.fill("input[name=token]", eve.bearer)
			eves.press()
			eves.shows("nobody", "This link is not for you, or too old. Nothing was done.")
			if eves.has("form") {
				t.Error("there is a form for somebody else")
			}

			// A user who says that he will open the page has not done it yet.
			second := alice.send(t, agreed(connectBank, first))
			page = alice.link(t, second)
			alices.visit(page)
			alices.fill("input[name=token]", alice.bearer)
			alices.press()
			alices.shows(subject, "Connect your account at Other Bank?")
			third := alice.send(t, agreed(connectBank, second))
			if !third.asks() {
				t.Fatalf("to look at the page was enough: %v", third)
			}
			alices.press()
			alices.shows(subject, "Connected. You can close this page.")

			last := alice.complete(t, agreed(connectBank, third))
			if want := "The account at Other Bank is connected."; last.text() != want {
				t.Errorf("got %q, want %q", last.text(), want)
			}
			// One who has logged in is known, and the link of another call is for another page.
			eves.visit(eve.link(t, eve.send(t, connectBank)))
			eves.shows(other, "Connect your account at Other Bank?")
		})
	}
}

// TestConnectNeedsAScope: without it the tool is not there. Who has shown a token is told that it
// lacks the scope, who has shown none is asked for one.
func TestConnectNeedsAScope(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		with, _ := b.connector(t)
		for c, want := range map[customer]int{
			{bank: b}: http.StatusUnauthorized,
			alice:     http.StatusForbidden,
			with:      http.StatusOK,
		} {
			list := c.send(t, call{method: "tools/list"})
			if strings.Contains(list.body, `"connect_bank"`) != (want == http.StatusOK) {
				t.Errorf("got %v, want connect_bank only for who has the scope", list)
			}
			if got := c.send(t, connectBank); got.status != want || got.asks() != (want == http.StatusOK) {
				t.Errorf("got %v, want status %d", got, want)
			}
		}
	})
}

// TestMetadata: a client finds out where tokens come from, as does a web page.
func TestMetadata(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		const want = `{"resource":"` + audience + `","authorization_servers":["` + issuer + `"],"scopes_supported":["bank:connect"],` +
			`"bearer_methods_supported":["header"],"resource_name":"A bank"}`
		root := strings.TrimSuffix(b.url, "/mcp") + "/.well-known/oauth-protected-resource"
		for _, at := range []string{root, root + "/mcp"} {
			resp := visit(t, http.MethodGet, at, nil, nil)
			if resp.status != http.StatusOK || resp.body != want || resp.header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s: got %+v", at, resp)
			}
		}
		if resp := visit(t, http.MethodGet, root+"/other", nil, nil); resp.status != http.StatusNotFound {
			t.Errorf("got %+v", resp)
		}
	})
}

// TestLinksOfThePage: without a browser, every link that is none.
func TestLinksOfThePage(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.connector(t)
		good, err := url.Parse(alice.link(t, alice.send(t, connectBank)))
		if err != nil {
			t.Fatal(err)
		}
		token := good.Query().Get("link")
		base := strings.TrimSuffix(b.url, "/mcp")
		in := visit(t, http.MethodPost, base+"/login", url.Values{"token": {alice.bearer}, "link": {token}}, nil)
		cookie := in.header.Get("Set-Cookie")
		if in.status != http.StatusSeeOther || in.header.Get("Location") != "/connect?link="+token ||
			!strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
			t.Fatalf("got %+v", in)
		}
		cookie, _, _ = strings.Cut(cookie, ";")
		state := alice.send(t, call{method: "tools/call", name: "close_account", arguments: `{}`}).Result.RequestState
		for name, tc := range map[string]struct {
			link string
			want int
		}{
			"good":          {token, http.StatusOK},
			"none":          {"", http.StatusForbidden},
			"altered":       {token[:len(token)-2] + "AA", http.StatusForbidden},
			"a state":       {state, http.StatusForbidden},
			"of a transfer": {alice.send(t, transfer.first).Result.RequestState, http.StatusForbidden},
		} {
			got := visit(t, http.MethodGet, base+"/connect?link="+url.QueryEscape(tc.link), nil, object{"Cookie": cookie})
			if got.status != tc.want || got.header.Get("Referrer-Policy") != "no-referrer" || got.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: got %+v", name, got)
			}
		}
		// A form of another site does nothing, whoever is logged in.
		got := visit(t, http.MethodPost, base+"/connect", url.Values{"link": {token}},
			object{"Cookie": cookie, "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
		if got.status != http.StatusForbidden {
			t.Errorf("a form of another site: %+v", got)
		}
	})
}

// page is what a visitor without a browser gets.
type page struct {
	status int
	header http.Header
	body   string
}

func visit(t *testing.T, method, at string, form url.Values, header object) page {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, at, bytes.NewReader([]byte(form.Encode())))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range header {
		req.Header.Set(name, fmt.Sprint(value))
	}
	resp, err := client.Transport.RoundTrip(req) // which follows no redirect
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return page{resp.StatusCode, resp.Header, string(raw)}
}
