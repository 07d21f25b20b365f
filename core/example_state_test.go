package core_test

import (
	"context"
	"fmt"

	"github.com/parleymcp/parley/core"
)

type Size struct {
	Size string `json:"size" enum:"small,large"`
}

type Toppings struct {
	Toppings []string `json:"toppings" enum:"cheese,olives" minItems:"1"`
}

// pizzaOrder is what the rounds remember: sealed, bound to the call and the
// caller, and sealed again on every round, since nothing accumulates.
type pizzaOrder struct{ Size string }

var (
	askSize     = core.Form[Size]("size", "Which size?")
	askToppings = core.Form[Toppings]("toppings", "What goes on it?")
	orders      = core.NewState[pizzaOrder]("pizza-order")
)

// A wizard in return style: what was answered earlier lives in typed state.
func ExampleState() {
	pizza := core.NewTool("pizza", "Orders a pizza.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			o, err := orders.Open(ev) // the zero order on the first round
			if err != nil {
				return "", err
			}
			switch size := askSize.Answer(ev); size.State {
			case core.Accepted:
				o.Size = size.Value.Size
			case core.Declined, core.Cancelled:
				return "No pizza, then.", nil
			}
			if o.Size == "" {
				return "", orders.InputRequired(ev, o, askSize)
			}
			switch a := askToppings.Answer(ev); a.State {
			case core.Accepted:
				return fmt.Sprintf("One %s pizza with %v.", o.Size, a.Value.Toppings), nil
			case core.Declined, core.Cancelled:
				return fmt.Sprintf("One plain %s pizza.", o.Size), nil
			default:
				return "", orders.InputRequired(ev, o, askToppings.Messagef("What goes on your %s pizza?", o.Size))
			}
		})

	play(pizza, "tools/call", "pizza", `{}`, map[string]string{
		"size":     `{"action":"accept","content":{"size":"large"}}`,
		"toppings": `{"action":"accept","content":{"toppings":["olives"]}}`,
	})
	// Output:
	// asks size: Which size?
	// asks toppings: What goes on your large pizza?
	// One large pizza with [olives].
}
