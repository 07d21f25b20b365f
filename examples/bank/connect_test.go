package main

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
	"github.com/parleymcp/parley/core/seal"
)

func testSite() *website { return newWebsite("https://bank.example", nil) }

// linkOf is the token in the link that a round asks to open.
func linkOf(t *testing.T, asked []core.Request) string {
	t.Helper()
	if len(asked) != 1 || asked[0].Key != connectPage.Key() {
		t.Fatalf("asked %+v", asked)
	}
	_, link, _ := strings.Cut(string(asked[0].Params), `"url":"`)
	link, _, _ = strings.Cut(link, `"`)
	u, err := url.Parse(link)
	if err != nil || u.Host != "bank.example" || u.Path != connectPath {
		t.Fatalf("the link is %q, %v", link, err)
	}
	return u.Query().Get(core.LinkParam)
}

func TestConnectBank(t *testing.T) {
	ring, err := seal.NewRing(seal.EphemeralKey())
	if err != nil {
		t.Fatal(err)
	}
	site := testSite()
	flow := coretest.Start(t, site.connectTool(), elsewhere{Bank: "Other"},
		coretest.As(alice), coretest.Keys(ring), coretest.Accept(connectPage, core.Consent{}))
	link := linkOf(t, flow.Asked())

	// To agree to open a page is not to have used it.
	flow = flow.Next()
	if again := linkOf(t, flow.Asked()); again == link {
		t.Error("the same link twice: it would not live longer")
	}

	host := &core.Host{Keys: ring, Audience: "coretest"}
	eve := core.Principal{Issuer: alice.Issuer, Subject: "eve"}
	if _, err := connectPage.Open(t.Context(), host, eve, link); !errors.Is(err, core.ErrLink) {
		t.Errorf("somebody else: %v", err)
	}
	visit, err := connectPage.Open(t.Context(), host, alice, link)
	if err != nil || visit.Data.Bank != "Other" {
		t.Fatalf("got %+v, %v", visit, err)
	}
	site.connections.agree(visit.Flow)
	if got, err := flow.Next().Result(); err != nil || got != "The account at Other is connected." {
		t.Errorf("got %q, %v", got, err)
	}
	// Another call is another flow.
	linkOf(t, coretest.Start(t, site.connectTool(), elsewhere{Bank: "Other"}, coretest.As(alice), coretest.Keys(ring)).Asked())
}

func TestConnectBankDeclined(t *testing.T) {
	for _, no := range []coretest.Option{coretest.Decline(connectPage), coretest.Cancel(connectPage)} {
		got, err := coretest.Call(t, testSite().connectTool(), elsewhere{Bank: "Other"}, coretest.As(alice), no)
		if err != nil || got != "Nothing was connected." {
			t.Errorf("got %q, %v", got, err)
		}
	}
}
