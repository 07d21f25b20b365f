package main

import (
	"context"
	"sync"

	"github.com/parleymcp/parley/core"
)

// scopeConnect is what a token needs to connect accounts at other banks.
const scopeConnect = "bank:connect"

// elsewhere is an account at another bank. How one logs in there is no business
// of the client's, so it happens on a page of ours.
type elsewhere struct {
	Bank string `json:"bank" description:"The other bank" minLength:"1" maxLength:"40"`
}

var (
	connecting  = core.NewState[struct{}]("connecting")
	connectPage = core.NewPage[elsewhere]("connect", "Connect an account at another bank?")
)

// connections are the calls whose user has agreed, on the page, to what they
// asked.
type connections struct {
	mu     sync.Mutex
	agreed map[string]bool // by flow
}

func (c *connections) agree(flow string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.agreed[flow] = true
}

func (c *connections) has(flow string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.agreed[flow]
}

func (s *website) connectTool() *core.Tool[elsewhere, string] {
	return core.NewTool("connect_bank", "Connects an account at another bank, after the user has logged in on a web page.",
		s.connect, core.Title("Connect a bank"), core.Additive(), core.Scopes(scopeConnect))
}

// connect asks until the page was used: that the user agreed to open a link does
// not say that he did, or what he did there.
func (s *website) connect(_ context.Context, ev *core.Event, in elsewhere) (string, error) {
	if _, err := connecting.Open(ev); err != nil {
		return "", err
	}
	if s.connections.has(ev.Flow()) {
		return "The account at " + in.Bank + " is connected.", nil
	}
	ask := connectPage.To(ev, s.base+connectPath, in).Messagef("Connect your account at %s?", in.Bank)
	switch ask.Answer(ev).State {
	case core.Declined, core.Cancelled:
		return "Nothing was connected.", nil
	}
	return "", connecting.InputRequired(ev, struct{}{}, ask)
}
