package banktest_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// answered is the last call with another answer to one question.
func answered(t *testing.T, what call, key, answer string) call {
	t.Helper()
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(what.answers), &all); err != nil {
		t.Fatal(err)
	}
	all[key] = json.RawMessage(answer)
	what.answers = encode(all)
	return what
}

// M4: whatever comes beside a no, and whatever is no yes, moves nothing.
var noes = map[string]string{
	"declined":              `{"action":"decline"}`,
	"declined with content": `{"action":"decline","content":{}}`,
	"declined with a yes":   `{"action":"decline","content":{"sure":true,"action":"accept"}}`,
	"cancelled":             `{"action":"cancel"}`,
	"cancelled, with null":  `{"action":"cancel","content":null}`,
}

func TestM4NoIsNo(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, transfer)
		for name, no := range noes {
			r := alice.send(t, answered(t, last, "sure", no))
			if r.Result == nil || !r.Result.IsError || !strings.Contains(r.text(), "by the user") {
				t.Errorf("%s: got %v, want that the user said no", name, r)
			}
			first := alice.next(t, transfer.first, alice.send(t, transfer.first))
			r = alice.send(t, answered(t, first, "account", strings.ReplaceAll(no, "sure", "account")))
			if r.Result == nil || !r.Result.IsError {
				t.Errorf("%s, the account: got %v, want that the user said no", name, r)
			}
		}
		if h := alice.holdings(t); len(h.Entries) != 0 {
			t.Errorf("booked %+v, want nothing", h.Entries)
		}
		// M15: none of it has used the flow up.
		alice.complete(t, last)
		if n := alice.booked(t); n != 1 {
			t.Errorf("the control: %d entries, want 1", n)
		}
	})
}

func TestM4NoClosesNothing(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, closeAccount)
		into := alice.holdings(t).Accounts[1].Number
		for name, no := range noes {
			no = strings.ReplaceAll(no, `"sure":true`, `"into":`+quote(into))
			if r := alice.send(t, answered(t, last, "payout", no)); !r.completes() || r.text() != "Nothing was closed." {
				t.Errorf("%s: got %v", name, r)
			}
		}
		if h := alice.holdings(t); len(h.Accounts) != 2 || len(h.Entries) != 0 {
			t.Errorf("got %+v, want nothing closed", h)
		}
		if r := alice.complete(t, last); r.text() != "The account is closed." || len(alice.holdings(t).Accounts) != 1 {
			t.Errorf("the control: got %v", r)
		}
	})
}

// TestM4CannotAsk: who cannot be asked has not said yes.
func TestM4CannotAsk(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		for _, s := range stories {
			last := alice.last(t, s)
			for _, capabilities := range []string{
				`{}`, `{"elicitation":{"url":{}}}`, `{"elicitation":true}`, `{"elicitation":[]}`, `{"elicitation":null}`, `{"sampling":{},"roots":{}}`,
			} {
				first := s.first
				first.capabilities = capabilities
				r := alice.send(t, first)
				if r.status != 400 || r.Error == nil || r.Error.Code != -32021 ||
					string(r.Error.Data) != `{"requiredCapabilities":{"elicitation":{"form":{}}}}` {
					t.Errorf("%s of a client with %s: got %v, want −32021", s.name, capabilities, r)
				}
			}
			if n := alice.booked(t); s.name == "transfer" && n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			last.capabilities = `{"elicitation":{"form":{}}}`
			alice.complete(t, last)
		}
	})
}

// TestM17Reworded: an answer counts for the question as it was asked. A choice
// that is gone makes it another question, also when it was settled before.
func TestM17Reworded(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		for name, rounds := range map[string]int{"just answered": 1, "settled": 2} {
			alice, _ := b.newcomer(t)
			what := alice.play(t, transfer.first, rounds)
			alice.closeSecond(t)
			before := alice.booked(t)
			r := alice.send(t, what)
			if !r.asks() || r.Result.InputRequests["account"].Params.Message == "" || alice.booked(t) != before {
				t.Errorf("%s: got %v, want the account again, and nothing booked", name, r)
				continue
			}
			what = alice.next(t, what, r)
			for range 2 {
				if r = alice.send(t, what); r.asks() {
					what = alice.next(t, what, r)
				}
			}
			if !r.completes() || alice.booked(t) != before+1 {
				t.Errorf("%s: the control: got %v", name, r)
			}
		}
	})
}

// closeSecond closes an account, though not the one that yes chooses.
func (c customer) closeSecond(t *testing.T) {
	t.Helper()
	r := c.send(t, closeAccount.first)
	what := c.next(t, closeAccount.first, r)
	number := r.Result.InputRequests["close"].Params.RequestedSchema.Properties["close"].OneOf[1].Const
	what = answered(t, what, "close", encode(object{"action": "accept", "content": object{"close": number}}))
	c.complete(t, c.play(t, what, 1))
}

// TestM17AnotherBalance: in return style the question may read otherwise than it
// did, so what the user was shown is in the state, and looked at again.
func TestM17AnotherBalance(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		what := alice.last(t, closeAccount)
		alice.complete(t, alice.last(t, transfer)) // from the account that is to be closed
		r := alice.send(t, what)
		if !r.asks() || !strings.Contains(r.Result.InputRequests["payout"].Params.Message, "994.") || len(alice.holdings(t).Accounts) != 2 {
			t.Fatalf("got %v, want the question for what is left", r)
		}
		alice.complete(t, alice.next(t, what, r))
		if h := alice.holdings(t); len(h.Accounts) != 1 || h.Accounts[0].Balance != 6_000_00-500-h.Entries[0].Fee {
			t.Errorf("the control: got %+v", h)
		}
	})
}

// TestMoneyIsThereOnce: two transfers that were both confirmed while there was
// enough for one of them.
func TestMoneyIsThereOnce(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		much := transfer
		much.first.arguments = `{"to":"bob","amount":60000}`
		one, two := alice.last(t, much), alice.last(t, much)
		alice.complete(t, one)
		if r := alice.send(t, two); r.Result == nil || !r.Result.IsError || !strings.Contains(r.text(), "not enough money") {
			t.Errorf("got %v, want that there is not enough", r)
		}
		h := alice.holdings(t)
		if len(h.Entries) != 1 || h.Accounts[0].Balance != 1_000_00-60_000-h.Entries[0].Fee {
			t.Errorf("got %+v, want one transfer", h)
		}
		alice.complete(t, alice.last(t, transfer))
	})
}
