package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

var (
	alice = core.Principal{Issuer: "https://id.example", Subject: "alice"}
	rent  = transfer{To: "bob", Amount: 500_00}
)

// pays answers the questions of a transfer with yes, from alice's account of
// that label.
func pays(l *ledger, label string) []coretest.Option {
	return []coretest.Option{
		coretest.As(alice), coretest.Accept(askAccount, l.labelled(label)),
		coretest.Accept(askNote, note{Note: "rent"}), coretest.Confirm("sure"),
	}
}

// labelled is alice's account of that label.
func (l *ledger) labelled(label string) account {
	for _, a := range l.accountsOf(ownerOf(alice)) {
		if a.Label == label {
			return a
		}
	}
	return account{}
}

func TestTransfer(t *testing.T) {
	l := newLedger()
	got, err := coretest.Call(t, l.transferTool(), rent, pays(l, "Savings")...)
	if err != nil || got.From != "Savings" || got.To != "bob" || got.Amount != 500_00 {
		t.Fatalf("got %+v, %v", got, err)
	}
	entries := l.entriesOf(ownerOf(alice))
	if len(entries) != 1 || entries[0].Note != "rent" || entries[0].Fee != got.Fee {
		t.Errorf("got the entries %+v, want one with the fee of %v that was confirmed", entries, got.Fee)
	}
	if got, want := l.labelled("Savings").Balance, 5_000_00-got.Amount-got.Fee; got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
	if others := l.entriesOf(owner{alice.Issuer, "bob"}); len(others) != 0 {
		t.Errorf("bob sees %v", others)
	}
}

// The fee is another one for each quote: what the user agreed to is what he
// pays, and he is not asked again.
func TestTransferPinsTheFee(t *testing.T) {
	l := newLedger()
	flow := coretest.Start(t, l.transferTool(), rent, pays(l, "Current")...).Next()
	asked := flow.Asked()
	if len(asked) != 1 || asked[0].Key != "sure" {
		t.Fatalf("asked %+v, want a confirmation", asked)
	}
	l.quote()
	got, err := flow.Next().Result()
	if err != nil || !strings.Contains(string(asked[0].Params), "a fee of "+got.Fee.String()) {
		t.Errorf("got %+v, %v after %s", got, err, asked[0].Params)
	}
	if l.quotes != 2 {
		t.Errorf("%d quotes, want one by the flow and one by the test", l.quotes)
	}
}

// What was true when the questions were asked need not be true when the money
// moves.
func TestTransferChecksAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		meanwhile func(l *ledger)
		want      error
	}{
		"the money is gone": {func(l *ledger) { l.accounts[0].Balance = rent.Amount }, errShort}, // the fee is missing
		"the account is another's": {func(l *ledger) {
			l.accounts[0].owner.subject = "eve"
		}, errNotYours},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger()
			from := l.labelled("Current")
			tt.meanwhile(l)
			_, err := l.send(ownerOf(alice), "0123456789abcdef", from.Number, rent, 25, "")
			if !errors.Is(err, tt.want) || len(l.entries) != 0 {
				t.Errorf("got %v and %v, want %v and nothing booked", err, l.entries, tt.want)
			}
		})
	}
}

// The note may be declined; nothing else may.
func TestTransferDeclined(t *testing.T) {
	l := newLedger()
	from := coretest.Accept(askAccount, l.labelled("Current"))
	for name, answers := range map[string][]coretest.Option{
		"the account": {coretest.Decline(askAccount), coretest.Decline(askNote)},
		"the fee":     {from, coretest.Decline(askNote), coretest.Refuse("sure")},
	} {
		_, err := coretest.Call(t, l.transferTool(), rent, append(answers, coretest.As(alice))...)
		if !errors.Is(err, core.ErrDeclined) || len(l.entries) != 0 {
			t.Errorf("%s: got %v, booked %v", name, err, l.entries)
		}
	}
	_, err := coretest.Call(t, l.transferTool(), rent, coretest.As(alice), from, coretest.Decline(askNote), coretest.Confirm("sure"))
	if err != nil || len(l.entries) != 1 {
		t.Errorf("the note: got %v, booked %v", err, l.entries)
	}
}

// A store that has lost a claim lets an effect run twice: the key makes it one.
func TestSendOncePerKey(t *testing.T) {
	l := newLedger()
	from := l.labelled("Current").Number
	first, err := l.send(ownerOf(alice), "0123456789abcdef", from, rent, 25, "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := l.send(ownerOf(alice), "0123456789abcdef", from, rent, 25, "")
	if err != nil || *again != *first || len(l.entries) != 1 {
		t.Errorf("again: got %+v, %v, %v", again, err, l.entries)
	}
	if _, err := l.send(ownerOf(alice), "another key, another transfer", from, rent, 25, ""); !errors.Is(err, errShort) {
		t.Errorf("another one: got %v, want what is left to be too little", err)
	}
}
