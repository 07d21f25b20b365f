package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

// closes answers the questions of close_account: the savings go to the current
// account.
func closes(l *ledger) []coretest.Option {
	return []coretest.Option{
		coretest.As(alice), coretest.Accept(askClose, l.labelled("Savings")),
		coretest.Raw("payout", `{"action":"accept","content":{"into":"`+l.labelled("Current").Number+`"}}`),
	}
}

func TestCloseAccount(t *testing.T) {
	l := newLedger()
	flow := coretest.Start(t, l.closeAccountTool(), core.NoInput{}, closes(l)...).Next()
	last := flow.Fork()
	if got, err := flow.Next().Result(); err != nil || got != "The account is closed." {
		t.Fatalf("got %q, %v", got, err)
	}
	mine := l.accountsOf(ownerOf(alice))
	if len(mine) != 1 || mine[0].Label != "Current" || mine[0].Balance != 6_000_00 {
		t.Errorf("got the accounts %+v, want one with all the money", mine)
	}
	if _, err := last.Next().Result(); err == nil {
		t.Error("the account was closed again")
	}
	_, err := coretest.Call(t, l.closeAccountTool(), core.NoInput{}, coretest.As(alice), coretest.Accept(askClose, mine[0]))
	if failed, ok := errors.AsType[*coretest.ToolError](err); !ok || failed.Text != errLast.Error() {
		t.Errorf("the last account: got %v", err)
	}
}

// The user agreed to another sum: he is asked again, with what is there now.
func TestCloseAccountAsksAgain(t *testing.T) {
	l := newLedger()
	flow := coretest.Start(t, l.closeAccountTool(), core.NoInput{}, closes(l)...).Next()
	if _, err := coretest.Call(t, l.transferTool(), rent, pays(l, "Savings")...); err != nil {
		t.Fatal(err)
	}
	left := l.labelled("Savings").Balance
	asked := flow.Next().Asked()
	if len(asked) != 1 || !strings.Contains(string(asked[0].Params), left.String()) {
		t.Fatalf("asked %+v, want the question for %v", asked, left)
	}
	if got, err := flow.Next().Result(); err != nil || l.labelled("Current").Balance != 1_000_00+left {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestCloseAccountDeclined(t *testing.T) {
	for name, opts := range map[string]func(l *ledger) []coretest.Option{
		"at once": func(*ledger) []coretest.Option { return []coretest.Option{coretest.Decline(askClose)} },
		"at the end": func(l *ledger) []coretest.Option {
			return []coretest.Option{coretest.Accept(askClose, l.labelled("Savings")), coretest.Cancel(askPayout)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger()
			got, err := coretest.Call(t, l.closeAccountTool(), core.NoInput{}, append(opts(l), coretest.As(alice))...)
			if err != nil || got != nothingClosed || len(l.accountsOf(ownerOf(alice))) != 2 {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	l := newLedger()
	current, savings := l.labelled("Current").Number, l.labelled("Savings").Number
	bobs := l.accountsOf(owner{alice.Issuer, "bob"})[0].Number
	for name, tt := range map[string]struct {
		number, into string
		agreed       cents
		want         error
	}{
		"into itself":        {savings, savings, 5_000_00, errNotYours},
		"of somebody else":   {bobs, current, 1_000_00, errNotYours},
		"into somebody else": {savings, bobs, 5_000_00, errNotYours},
		"another balance":    {savings, current, 5_000_01, errChanged},
	} {
		if err := l.merge(ownerOf(alice), tt.number, tt.into, tt.agreed); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
	if len(l.accounts) != 4 || len(l.entries) != 0 {
		t.Errorf("left %d accounts, %v", len(l.accounts), l.entries)
	}
}
