package banktest_test

import (
	"strings"
	"sync"
	"testing"
)

// TestOnce has a hundred clients confirm the same transfer at once: it is booked
// once, and whoever is told that it is still under way gets its receipt later.
func TestOnce(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, transfer)
		const clients = 100
		var (
			wg      sync.WaitGroup
			replies [clients]reply
			errs    [clients]error
			start   = make(chan struct{})
		)
		for i := range clients {
			wg.Go(func() {
				<-start
				replies[i], errs[i] = alice.post(t.Context(), last.method, last.name, last.body())
			})
		}
		close(start)
		wg.Wait()
		receipt := alice.complete(t, last)
		completed := 0
		for i, r := range replies {
			switch {
			case errs[i] != nil:
				t.Error(errs[i])
			case r.completes():
				completed++
				if r.body != receipt.body {
					t.Errorf("got the receipt %v, others %v", r, receipt)
				}
			case !strings.Contains(r.text(), "try again"):
				t.Errorf("got %v, want the receipt, or to try again", r)
			}
		}
		h := alice.holdings(t)
		if completed == 0 || len(h.Entries) != 1 || h.Accounts[0].Balance != 1_000_00-500-h.Entries[0].Fee {
			t.Errorf("%d receipts, and %+v, want one transfer", completed, h)
		}
	})
}

// TestReplay: the last call again is the same receipt. Another way through the
// same flow, which would have moved other money, is refused.
func TestReplay(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		r := alice.send(t, transfer.first)
		fork := alice.next(t, transfer.first, r)
		number := r.Result.InputRequests["account"].Params.RequestedSchema.Properties["account"].OneOf[1].Const
		other := answered(t, fork, "account", encode(object{"action": "accept", "content": object{"account": number}}))

		last, lastOther := alice.play(t, fork, 1), alice.play(t, other, 1)
		receipt := alice.complete(t, last)
		for range 2 {
			if again := alice.complete(t, last); again.body != receipt.body {
				t.Errorf("again: got %v, want %v", again, receipt)
			}
			alice.refuse(t, lastOther)
		}
		if n := alice.booked(t); n != 1 {
			t.Errorf("%d entries, want 1", n)
		}
		// A new call is a new flow, with the same answers.
		alice.complete(t, alice.last(t, transfer))
		if n := alice.booked(t); n != 2 {
			t.Errorf("the control: %d entries, want 2", n)
		}
	})
}

// TestCloseOnce: what needs no Commit, since the second one finds nothing.
func TestCloseOnce(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, closeAccount)
		var (
			wg      sync.WaitGroup
			replies [20]reply
			errs    [20]error
		)
		for i := range replies {
			wg.Go(func() { replies[i], errs[i] = alice.post(t.Context(), last.method, last.name, last.body()) })
		}
		wg.Wait()
		closed := 0
		for i, r := range replies {
			if errs[i] != nil {
				t.Error(errs[i])
			}
			if r.completes() {
				closed++
			}
		}
		if h := alice.holdings(t); closed != 1 || len(h.Accounts) != 1 || len(h.Entries) != 1 || h.Accounts[0].Balance != 6_000_00 {
			t.Errorf("closed %d times, left %+v, want once, with all the money there", closed, h)
		}
	})
}
