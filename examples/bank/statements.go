package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parleymcp/parley/core"
)

// month is the argument of the prompt, and the variable of the template.
type month struct {
	Month string `json:"month" description:"Year and month, such as 2026-07"`
}

const monthLayout = "2006-01"

func (m month) valid() bool {
	_, err := time.Parse(monthLayout, m.Month)
	return err == nil
}

var askStatement = core.Select("statement", "The statement of which account?", account.choice)

// statementPrompt asks like a tool does; so do the statements to read.
func (l *ledger) statementPrompt(_ context.Context, ev *core.Event, in month) (string, error) {
	if !in.valid() {
		return "", core.InvalidParams("The month must be a year and a month, such as 2026-07")
	}
	text, err := l.statement(ev, in)
	return "Explain this statement to me, and what I could save on.\n\n" + text, err
}

func (l *ledger) readStatement(_ context.Context, ev *core.Event, in month) (string, error) {
	if !in.valid() {
		return "", core.ResourceNotFound(ev.Target())
	}
	return l.statement(ev, in)
}

// statement is in the straight-line style, although one question needs no
// memory: an answer that was never asked for counts for nothing.
func (l *ledger) statement(ev *core.Event, in month) (string, error) {
	who := ownerOf(ev.Principal())
	about, err := askStatement.From(l.accountsOf(who)).Require(ev)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s in %s\n", about.choice().Title, in.Month)
	for _, e := range l.entriesOf(who) {
		if e.Account == about.Number && e.Time.Format(monthLayout) == in.Month {
			fmt.Fprintf(&text, "%s %v (fee %v) to %q\n", e.Time.Format(time.DateOnly), e.Amount, e.Fee, e.To)
		}
	}
	return text.String(), nil
}

// completeMonth proposes months in which something was booked for the caller.
func (l *ledger) completeMonth(_ context.Context, ev *core.Event, prefix string) ([]string, error) {
	var months []string
	for _, e := range l.entriesOf(ownerOf(ev.Principal())) {
		if m := e.Time.Format(monthLayout); strings.HasPrefix(m, prefix) && !slices.Contains(months, m) {
			months = append(months, m)
		}
	}
	return months, nil
}
