package main

import (
	"context"

	"github.com/parleymcp/parley/core"
)

// features are what the server offers, all on one ledger. Without a website, where
// nobody has a name, there is nothing to connect.
func features(l *ledger, site *website) []core.Feature {
	all := []core.Feature{
		l.transferTool(),
		l.closeAccountTool(),
		core.NewPrompt("statement", "Explains a month of an account that the user chooses.",
			l.statementPrompt, core.Title("Explain a statement"), core.Complete("month", l.completeMonth)),
		core.NewTemplate("bank://statements/{month}", "statement", l.readStatement,
			core.Title("Statement"), core.Description("A month of an account that the user chooses."),
			core.Complete("month", l.completeMonth)),
		core.NewResource("bank://ledger", "ledger", l.read,
			core.Title("Ledger"), core.Description("The caller's accounts, and everything that was booked for him.")),
	}
	if site != nil {
		all = append(all, site.connectTool())
	}
	return all
}

// holdings are the contents of bank://ledger. Nobody is told when they change:
// the URI is the same for all callers, and one would learn when another books.
type holdings struct {
	Accounts []account `json:"accounts"`
	Entries  []entry   `json:"entries"`
}

func (l *ledger) read(_ context.Context, ev *core.Event) (holdings, error) {
	who := ownerOf(ev.Principal())
	return holdings{Accounts: l.accountsOf(who), Entries: l.entriesOf(who)}, nil
}
