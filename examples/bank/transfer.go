package main

import (
	"context"
	"fmt"

	"github.com/parleymcp/parley/core"
)

// transfer is what the model asks for; whose account pays is for the user to
// say.
type transfer struct {
	To     string `json:"to" description:"Who gets the money" minLength:"1" maxLength:"80"`
	Amount cents  `json:"amount" description:"In cents" minimum:"1" maximum:"100000000"`
}

// receipt is what a transfer leaves.
type receipt struct {
	Number string `json:"number"`
	From   string `json:"from"`
	To     string `json:"to"`
	Amount cents  `json:"amount"`
	Fee    cents  `json:"fee"`
}

type note struct {
	Note string `json:"note" title:"Note" maxLength:"80"`
}

var (
	askAccount = core.Select("account", "From which account?", account.choice)
	askNote    = core.Form[note]("note", "Add a note?")
)

func (l *ledger) transferTool() *core.Tool[transfer, *receipt] {
	return core.NewTool("transfer", "Sends money, after the user has chosen an account and agreed to the fee.",
		l.transfer, core.Title("Transfer"), core.Destructive())
}

// transfer runs from the top on every round: what stands between two questions
// runs again. Answers stay in the sealed state, and count only for the question
// as it was asked.
func (l *ledger) transfer(_ context.Context, ev *core.Event, in transfer) (*receipt, error) {
	who := ownerOf(ev.Principal())
	var (
		from account
		text note
	)
	err := core.RequireAll(ev, // one round, two questions
		askAccount.From(l.accountsOf(who)).Messagef("Send %v to %q from which account?", in.Amount, in.To).Into(&from),
		askNote.Optional(&text))
	if err != nil {
		return nil, err
	}
	// Pinned: the user pays what he was told, whatever a quote is by then.
	fee, err := core.Memo(ev, "fee", func() (cents, error) { return l.quote(), nil })
	if err != nil {
		return nil, err
	}
	sure := fmt.Sprintf("Send %v to %q from %s, for a fee of %v?", in.Amount, in.To, from.Label, fee)
	if err := core.Confirm(ev, "sure", sure); err != nil {
		return nil, err
	}
	return core.Commit(ev, "send", func(key string) (*receipt, error) { // once, however often it is retried
		return l.send(who, key, from.Number, in, fee, text.Note)
	})
}
