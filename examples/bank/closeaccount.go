package main

import (
	"context"
	"errors"

	"github.com/parleymcp/parley/core"
)

// closing is what the rounds of close_account remember. It is signed: the user
// can read it, and cannot change it. The balance he was shown is in it because
// an answer in this style is not tied to the text of its question.
type closing struct {
	Account string
	Balance cents
}

type payout struct {
	Into string `json:"into" title:"Account" enum:"*"`
}

var (
	closings  = core.NewState[closing]("closing")
	askClose  = core.Select("close", "Close which account?", account.choice)
	askPayout = core.Form[payout]("payout", "Where does the money go?")
)

const nothingClosed = "Nothing was closed."

var errLast = errors.New("the caller has one account left, which cannot be closed")

func (l *ledger) closeAccountTool() *core.Tool[core.NoInput, string] {
	return core.NewTool("close_account", "Closes an account that the user chooses, and moves its money to another of his.",
		l.closeAccount, core.Title("Close an account"), core.Destructive())
}

// closeAccount is in return style: it looks at what has come, and returns the
// next question. It does without a Commit: who comes again with the same answers
// finds no account to close.
func (l *ledger) closeAccount(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	st, err := closings.Open(ev) // nothing on the first round
	if err != nil {
		return "", err
	}
	who := ownerOf(ev.Principal())
	if st.Account == "" {
		ask := askClose.From(l.accountsOf(who))
		switch a := ask.Answer(ev); a.State {
		case core.Accepted:
			st.Account = a.Value.Number
		case core.Declined, core.Cancelled:
			return nothingClosed, nil
		default: // not asked yet, or not a valid answer
			return "", closings.InputRequired(ev, st, ask)
		}
	}
	now, ask, err := l.payout(who, st.Account)
	if err != nil {
		return "", err
	}
	switch a := ask.Answer(ev); a.State { // only what the sealed round has asked can be answered
	case core.Accepted:
		err := l.merge(who, st.Account, a.Value.Into, st.Balance)
		if err == nil {
			return "The account is closed.", nil
		}
		if !errors.Is(err, errChanged) {
			return "", err
		}
	case core.Declined, core.Cancelled:
		return nothingClosed, nil
	}
	return "", closings.InputRequired(ev, now, ask)
}

// payout is what the user is asked before an account is closed, with the state
// that remembers what he was shown.
func (l *ledger) payout(o owner, number string) (closing, core.Ask[payout], error) {
	var (
		closed account
		others []core.Choice
	)
	for _, a := range l.accountsOf(o) {
		if a.Number == number {
			closed = a
		} else {
			others = append(others, a.choice())
		}
	}
	ask := askPayout.Choices("into", others...).Messagef("To close %s: where do its %v go?", closed.Label, closed.Balance)
	switch {
	case closed.Number == "":
		return closing{}, ask, errNotYours
	case len(others) == 0:
		return closing{}, ask, errLast
	}
	return closing{closed.Number, closed.Balance}, ask, nil
}
