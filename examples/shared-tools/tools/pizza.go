package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/parleymcp/parley/core"
)

// Size is the form of the first question.
type Size struct {
	Size string `json:"size" title:"Size" enum:"small,medium,large"`
}

// Toppings is the form of the second one.
type Toppings struct {
	Toppings []string `json:"toppings" title:"Toppings" enum:"basil,mushrooms,olives" minItems:"1"`
}

// order is what is known after the first round. The client keeps it, sealed:
// answers do not accumulate. It opens only for the caller who gave them.
type order struct{ Size string }

var (
	askSize     = core.Form[Size]("size", "Which size?")
	askToppings = core.Form[Toppings]("toppings", "What goes on it?")
	orders      = core.NewState[order]("pizza-order")
)

// Pizza asks for a size and then for toppings.
var Pizza = core.NewTool("pizza", "Orders a pizza.", pizza)

func pizza(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	o, err := orders.Open(ev) // the zero order on the first round
	if err != nil {
		return "", err
	}
	switch a := askSize.Answer(ev); a.State {
	case core.Accepted:
		o.Size = a.Value.Size
	case core.Declined, core.Cancelled:
		return "No pizza, then.", nil // to ask again would be to ask for ever
	}
	if o.Size == "" {
		return "", orders.InputRequired(ev, o, askSize)
	}
	switch a := askToppings.Answer(ev); a.State {
	case core.Accepted:
		return fmt.Sprintf("One %s pizza with %s.", o.Size, strings.Join(a.Value.Toppings, ", ")), nil
	case core.Declined, core.Cancelled:
		return fmt.Sprintf("One plain %s pizza.", o.Size), nil
	default:
		return "", orders.InputRequired(ev, o, askToppings.Messagef("What goes on your %s pizza?", o.Size))
	}
}
