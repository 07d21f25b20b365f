package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
)

// A page of the application that finds out whether its visitor is the user who
// was asked. The tool and the page share a package variable, as here.
func ExamplePage() {
	type card struct{ Shop string }
	payPage := core.NewPage[card]("pay", "Pay?")
	paying := core.NewState[struct{}]("paying")
	paid := map[string]bool{} // by flow; a database, in earnest

	pay := core.NewTool("pay", "Pays in a shop.",
		func(_ context.Context, ev *core.Event, in card) (string, error) {
			if _, err := paying.Open(ev); err != nil {
				return "", err
			}
			if paid[ev.Flow()] {
				return "Paid.", nil
			}
			ask := payPage.To(ev, "https://shop.example/pay", in)
			switch ask.Answer(ev).State {
			case core.Declined, core.Cancelled:
				return "Not paid.", nil
			}
			return "", paying.InputRequired(ev, struct{}{}, ask)
		}, core.Scopes("shop:pay"))

	// What a server does with a call of the tool.
	ring, _ := seal.NewRing(seal.EphemeralKey())
	host := &core.Host{Keys: ring, Audience: "shop"}
	ada := core.Principal{Issuer: "https://id.example", Subject: "ada"}
	call := core.Call{
		Method: "tools/call", Target: "pay", Version: "2026-07-28", CanAsk: true, Principal: ada,
		Arguments: []byte(`{"Shop":"Books"}`), Capabilities: []byte(`{"elicitation":{"url":{}}}`),
	}
	round := core.Run(context.Background(), host, pay, &call)
	link := linkIn(round.Interim.Requests[0].Params)

	// What the handler of the page does, with the visitor of its own session. In
	// a server, host is srv.Host().
	visit := func(visitor core.Principal) {
		v, err := payPage.Open(context.Background(), host, visitor, link)
		if errors.Is(err, core.ErrLink) {
			fmt.Println("the page for", visitor.Subject+":", "this link is not for you")
			return
		}
		fmt.Println("the page for", visitor.Subject+":", "paid at", v.Data.Shop)
		paid[v.Flow] = true
	}
	visit(core.Principal{Issuer: "https://id.example", Subject: "eve"})
	visit(ada)

	call.State = &round.Interim.State
	fmt.Println(core.Run(context.Background(), host, pay, &call).Result.(*core.ToolResult).Content[0].Text)
	// Output:
	// the page for eve: this link is not for you
	// the page for ada: paid at Books
	// Paid.
}

// linkIn is the token of the link in a question.
func linkIn(params []byte) string {
	var asked struct{ URL string }
	_ = json.Unmarshal(params, &asked)
	u, _ := url.Parse(asked.URL)
	return u.Query().Get(core.LinkParam)
}

// The middleware of an application has found out who is calling; the context
// hook of an adapter hands him over.
func ExampleWithIdentity() {
	hook := func(r *http.Request) context.Context { // mcphttp.WithContext(hook)
		user := r.Header.Get("X-Verified-User") // where your middleware keeps it
		if user == "" {
			return r.Context()
		}
		return core.WithIdentity(r.Context(), core.Identity{
			Principal: core.Principal{Issuer: "https://app.example", Subject: user},
			Scopes:    []string{"files:read"},
		})
	}
	who := core.IdentityFromContext() // server.Config.Authenticator

	r, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, "/mcp", http.NoBody)
	_, err := who.Authenticate(hook(r), r.Header)
	fmt.Println(err)
	r.Header.Set("X-Verified-User", "ada")
	id, err := who.Authenticate(hook(r), r.Header)
	fmt.Println(id.Subject, id.Scopes, err)
	// Output:
	// parley: no credentials
	// ada [files:read] <nil>
}
