package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
)

// cents is an amount of money; it has no fraction that could be rounded.
type cents int64

func (c cents) String() string { return fmt.Sprintf("%d.%02d", c/100, c%100) }

// owner is whose an account is. The subject alone would not do: two issuers may
// have the same.
type owner struct{ issuer, subject string }

func ownerOf(p core.Principal) owner { return owner{p.Issuer, p.Subject} }

// account is one of an owner's.
type account struct {
	Number  string `json:"number"`
	Label   string `json:"label"`
	Balance cents  `json:"balance"`

	owner owner
}

// choice is how an account is offered. It shows no balance: a question that
// reads otherwise than it did when it was asked is asked again.
func (a account) choice() core.Choice {
	return core.Choice{Value: a.Number, Title: a.Label + " " + a.Number}
}

// entry is money that left an account.
type entry struct {
	Time    time.Time `json:"time"`
	Account string    `json:"account"`
	To      string    `json:"to"`
	Amount  cents     `json:"amount"`
	Fee     cents     `json:"fee"`
	Note    string    `json:"note,omitempty"`

	owner owner
}

// ledger is the bank's book. What moves money checks and books under one lock,
// as a database does in one transaction.
type ledger struct {
	mu       sync.Mutex
	accounts []*account
	entries  []entry
	receipts map[string]*receipt // by idempotency key
	quotes   int
}

func newLedger() *ledger { return &ledger{receipts: map[string]*receipt{}} }

// These texts reach the model, and the log: they say nothing that was answered.
var (
	errNotYours = errors.New("the account is closed, or not the caller's")
	errShort    = errors.New("there is not enough money in the account")
	errChanged  = errors.New("the balance has changed")
)

// accountsOf returns copies of an owner's accounts.
func (l *ledger) accountsOf(o owner) []account {
	l.mu.Lock()
	defer l.mu.Unlock()
	var mine []account
	for _, a := range l.accounts {
		if a.owner == o {
			mine = append(mine, *a)
		}
	}
	if mine == nil {
		mine = []account{newAccount(o, "Current", 1_000_00), newAccount(o, "Savings", 5_000_00)}
		l.accounts = append(l.accounts, new(mine[0]), new(mine[1]))
	}
	return mine
}

// newAccount is what everybody has who comes by. The number follows from the
// owner, so that two instances of this example agree on it without a database.
func newAccount(o owner, label string, balance cents) account {
	id := seal.Digest([]byte(o.issuer), []byte(o.subject), []byte(label))
	return account{Number: hex.EncodeToString(id[:4]), Label: label, Balance: balance, owner: o}
}

// owned is an account if it is the owner's; the caller holds the lock.
func (l *ledger) owned(o owner, number string) (*account, error) {
	for _, a := range l.accounts {
		if a.Number == number && a.owner == o {
			return a, nil
		}
	}
	return nil, errNotYours
}

// entriesOf returns what was booked for an owner, from the oldest on.
func (l *ledger) entriesOf(o owner) []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := []entry{}
	for _, e := range l.entries {
		if e.owner == o {
			mine = append(mine, e)
		}
	}
	return mine
}

// quote is what a transfer costs just now: it is another one each time.
func (l *ledger) quote() cents {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.quotes++
	return cents(25 + l.quotes%10)
}

// send books a transfer, once for each key. Whatever was true when its
// questions were asked is looked at again here.
func (l *ledger) send(o owner, key, from string, in transfer, fee cents, note string) (*receipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r, ok := l.receipts[key]; ok {
		return r, nil // Commit asks twice only after the store has lost a claim
	}
	a, err := l.owned(o, from)
	if err != nil {
		return nil, err
	}
	if a.Balance < in.Amount+fee {
		return nil, errShort
	}
	a.Balance -= in.Amount + fee
	l.entries = append(l.entries, entry{time.Now().UTC(), from, in.To, in.Amount, fee, note, o})
	r := &receipt{Number: key[:12], From: a.Label, To: in.To, Amount: in.Amount, Fee: fee}
	l.receipts[key] = r
	return r, nil
}

// merge closes an account and moves its money to another of the same owner, if
// it is still as much as he has agreed to.
func (l *ledger) merge(o owner, number, into string, agreed cents) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	from, err := l.owned(o, number)
	if err != nil {
		return err
	}
	to, err := l.owned(o, into)
	if err != nil {
		return err
	}
	switch {
	case from == to:
		return errNotYours
	case from.Balance != agreed:
		return errChanged
	}
	to.Balance += from.Balance
	l.entries = append(l.entries, entry{Time: time.Now().UTC(), Account: number, To: to.Number, Amount: from.Balance, owner: o})
	l.accounts = slices.DeleteFunc(l.accounts, func(a *account) bool { return a == from })
	return nil
}
