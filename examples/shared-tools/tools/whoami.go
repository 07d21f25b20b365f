package tools

import (
	"context"

	"github.com/parleymcp/parley/core"
)

// Name is the form that the user fills in.
type Name struct {
	Name string `json:"name" title:"Your name" maxLength:"80"`
}

var askName = core.Form[Name]("username", "What is your name?") // asks and reads

// Whoami greets by a name that it asks for.
var Whoami = core.NewTool("whoami", "Greets the user by name.",
	func(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		switch a := askName.Answer(ev); a.State {
		case core.Accepted:
			return "Hello, " + a.Value.Name + "!", nil
		case core.Declined, core.Cancelled:
			return "No problem, carrying on without a name.", nil
		default: // not asked yet, or not a valid answer
			return "", ev.InputRequired(askName)
		}
	})
