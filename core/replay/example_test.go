package replay_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log"
	"time"

	"github.com/parleymcp/parley/core/replay"
)

// An order that arrives twice is charged once, and both are told the same. A
// third that has the same id and says something else is refused.
func Example() {
	store := replay.NewMemory(10_000)
	order := func(id, content string) string {
		ctx := context.Background()
		claim := sha256.Sum256([]byte(id))
		c, err := store.Begin(ctx, claim, sha256.Sum256([]byte(content)), time.Now().Add(time.Hour))
		if err != nil {
			log.Fatal(err)
		}
		switch c.Status {
		case replay.InFlight:
			return "try again later"
		case replay.Done:
			return string(c.Result)
		case replay.Conflict:
			return "refused"
		}

		fmt.Println("charging for", content)
		receipt := "receipt for " + content
		if err := store.Finish(context.WithoutCancel(ctx), claim, []byte(receipt)); err != nil {
			log.Print(err) // The effect has happened: its result is still the answer.
		}
		return receipt
	}

	fmt.Println(order("order 1", "two pizzas"))
	fmt.Println(order("order 1", "two pizzas"))
	fmt.Println(order("order 1", "nine pizzas"))
	// Output:
	// charging for two pizzas
	// receipt for two pizzas
	// receipt for two pizzas
	// refused
}
