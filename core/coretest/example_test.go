package coretest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

type Size struct {
	Size string `json:"size" enum:"small,large"`
}

var (
	askSize = core.Form[Size]("size", "Which size?")
	coffee  = core.NewTool("coffee", "Makes coffee.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			size, err := askSize.Require(ev)
			if err != nil {
				return "", err
			}
			return "One " + size.Size + " coffee.", nil
		})
)

// A test of a tool gives the answers and looks at the result; however many
// rounds there are in between does not matter.
func Example() {
	// In a test of yours, t is its argument.
	test := func(t *testing.T) {
		out, err := coretest.Call(t, coffee, core.NoInput{}, coretest.Accept(askSize, Size{Size: "large"}))
		if err != nil || out != "One large coffee." {
			t.Fatalf("got %q, %v", out, err)
		}
		_, err = coretest.Call(t, coffee, core.NoInput{}, coretest.Decline(askSize))
		if !errors.Is(err, core.ErrDeclined) {
			t.Fatalf("got %v", err)
		}
	}
	_ = test
}
