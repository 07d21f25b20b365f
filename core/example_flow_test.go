package core_test

import (
	"context"
	"fmt"

	"github.com/parleymcp/parley/core"
)

type Account struct{ ID, Label string }

func (a Account) choice() core.Choice { return core.Choice{Value: a.ID, Title: a.Label} }

type Note struct {
	Note string `json:"note" maxLength:"80"`
}

type Transfer struct {
	To    string `json:"to"`
	Cents int    `json:"cents" minimum:"1"`
}

var (
	pickAccount = core.Select("account", "From which account?", Account.choice)
	addNote     = core.Form[Note]("note", "Add a note?")
)

// A flow that reads like a program. It runs from the top on every round: what
// stands between two questions runs again, a memo keeps its value, and the
// effect of a commit happens once.
func ExampleCommit() {
	accounts := []Account{{"a1", "Current"}, {"a2", "Savings"}}
	transfer := core.NewTool("transfer", "Sends money.",
		func(_ context.Context, ev *core.Event, in Transfer) (string, error) {
			var (
				from Account
				note Note
			)
			err := core.RequireAll(ev, // one round, two questions
				pickAccount.From(accounts).Messagef("Send %d cents to %s from which account?", in.Cents, in.To).Into(&from),
				addNote.Optional(&note))
			if err != nil {
				return "", err
			}
			fee, err := core.Memo(ev, "fee", func() (int, error) { return 25, nil }) // pinned across rounds
			if err != nil {
				return "", err
			}
			if err := core.Confirm(ev, "sure", fmt.Sprintf("Send %d cents to %s, fee %d?", in.Cents, in.To, fee)); err != nil {
				return "", err
			}
			return core.Commit(ev, "send", func(string) (string, error) { // once, however often it is retried
				return fmt.Sprintf("Sent %d cents from %s to %s.", in.Cents, from.Label, in.To), nil
			})
		}, core.Destructive())

	answers := map[string]string{
		"account": `{"action":"accept","content":{"account":"a2"}}`,
		"note":    `{"action":"decline"}`,
		"sure":    `{"action":"accept"}`,
	}
	play(transfer, "tools/call", "transfer", `{"to":"bob","cents":500}`, answers)
	answers["sure"] = `{"action":"decline"}`
	play(transfer, "tools/call", "transfer", `{"to":"bob","cents":500}`, answers)
	// Output:
	// asks account: Send 500 cents to bob from which account?
	// asks note: Add a note?
	// asks sure: Send 500 cents to bob, fee 25?
	// Sent 500 cents from Savings to bob.
	// asks account: Send 500 cents to bob from which account?
	// asks note: Add a note?
	// asks sure: Send 500 cents to bob, fee 25?
	// The question "sure" was declined by the user.
}

// A form whose choices are known only during a call.
func ExampleAsk_Choices() {
	type order struct {
		Size string `json:"size" enum:"*"`
	}
	askOrder := core.Form[order]("order", "Which size?")
	shop := core.NewTool("shop", "Sells what there is.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			inStock := []core.Choice{{Value: "m", Title: "Medium"}}
			o, err := askOrder.Choices("size", inStock...).Require(ev)
			if err != nil {
				return "", err
			}
			return "Size " + o.Size + " it is.", nil
		})

	play(shop, "tools/call", "shop", `{}`, map[string]string{"order": `{"action":"accept","content":{"size":"m"}}`})
	// Output:
	// asks order: Which size?
	// Size m it is.
}

// A secret is never asked for by form: the user types it on a page. Where that is
// a page of the application's own, Page makes it know whom it was opened for.
func ExampleURL() {
	var keys struct{ known bool }
	askConnect := core.URL("connect", "Connect your bank", "https://bank.example/connect")
	connect := core.NewTool("connect", "Connects a bank.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			if keys.known { // done, says our own database: consent alone proves nothing
				return "Connected.", nil
			}
			switch a := askConnect.Answer(ev); a.State {
			case core.Declined, core.Cancelled:
				return "Not connected.", nil
			default:
				keys.known = a.State == core.Accepted // stands for: the page was visited
				return "", ev.InputRequired(askConnect)
			}
		})

	play(connect, "tools/call", "connect", `{}`, map[string]string{"connect": `{"action":"accept"}`})
	// Output:
	// asks connect: Connect your bank
	// asks connect: Connect your bank
	// Connected.
}
