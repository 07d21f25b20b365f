package banktest_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestM9AnswersBeforeQuestions: answers that come with the first call, alone or
// beside a state that somebody has made up, skip no question.
func TestM9AnswersBeforeQuestions(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		number := alice.holdings(t).Accounts[0].Number
		choose := func(key string) object { return object{"action": "accept", "content": object{key: number}} }
		everything := encode(object{
			"account": choose("account"), "close": choose("close"), "statement": choose("statement"), "payout": choose("into"),
			"note": object{"action": "accept", "content": object{"note": remark}}, "sure": object{"action": "accept", "content": object{}},
		})
		for _, s := range stories {
			seeded := s.first
			seeded.answers = everything
			fresh, r := alice.send(t, s.first), alice.send(t, seeded)
			if !r.asks() || encode(r.Result.InputRequests) != encode(fresh.Result.InputRequests) {
				t.Errorf("%s: got %v, want the first questions", s.name, r)
			}
			for _, forged := range []string{
				"eyJzdXJlIjp0cnVlfQ", `{"settled":{"sure":{"s":1}}}`, "e1.", "s1.", "e1.AAAA", "s1.AAAA",
				"s1." + strings.Repeat("A", 400), "e1." + strings.Repeat("A", 400),
			} {
				seeded.state = quote(forged)
				alice.refuse(t, seeded)
			}
		}
		if h := alice.holdings(t); len(h.Entries) != 0 || len(h.Accounts) != 2 {
			t.Errorf("got %+v, want nothing booked or closed", h)
		}
		// One that was not asked yet is not answered either, and settled ones stay.
		closing := alice.next(t, closeAccount.first, alice.send(t, closeAccount.first))
		closing.answers = everything
		if r := alice.send(t, closing); !r.asks() || r.Result.InputRequests["payout"].Params.Message == "" {
			t.Errorf("got %v, want to be asked where the money goes", r)
		}
		first := alice.next(t, transfer.first, alice.send(t, transfer.first))
		first.answers = everything
		r := alice.send(t, first)
		if !r.asks() || r.Result.InputRequests["sure"].Params.Message == "" {
			t.Fatalf("got %v, want the confirmation", r)
		}
		last := alice.next(t, first, r)
		other := alice.holdings(t).Accounts[1].Number
		last = answered(t, last, "account", encode(object{"action": "accept", "content": object{"account": other}}))
		last = answered(t, last, "note", `{"action":"accept","content":{"note":"overwritten"}}`)
		alice.complete(t, last)
		if h := alice.holdings(t); len(h.Entries) != 1 || h.Entries[0].Account != number || h.Entries[0].Note != remark {
			t.Errorf("booked %+v, want what was answered first", h.Entries)
		}
	})
}

// TestMalformedAnswers: what is no answer to a question fails the call, books
// nothing, and does not use the flow up (M15).
func TestMalformedAnswers(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 10_000) + `1` + strings.Repeat(`}`, 10_000)
	keys := func(n int) string {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, `"k%d":{"action":"accept"},`, i)
		}
		return all.String()
	}
	const sure = `"sure":{"action":"accept"}`
	refused := map[string]string{
		"no object":             `[{"action":"accept"}]`,
		"a text":                `"accept"`,
		"a number":              `7`,
		"depth 10 000":          `{` + sure + `,"x":` + deep + `}`,
		"depth 10 000, read":    `{"sure":` + deep + `}`,
		"100 000 keys":          `{` + keys(100_000) + sure + `}`,
		"65 keys":               `{` + keys(64) + sure + `}`,
		"a long key":            `{` + sure + `,"` + strings.Repeat("k", 129) + `":{}}`,
		"a quarter megabyte":    `{` + sure + `,"x":"` + strings.Repeat("x", 256<<10) + `"}`,
		"twice":                 `{"sure":{"action":"decline"},` + sure + `}`,
		"action twice":          `{"sure":{"action":"decline","action":"accept"}}`,
		"true":                  `{"sure":true}`,
		"null":                  `{"sure":null}`,
		"a list":                `{"sure":["accept"]}`,
		"no action":             `{"sure":{}}`,
		"in another case":       `{"sure":{"Action":"accept"}}`,
		"action in capitals":    `{"sure":{"action":"ACCEPT"}}`,
		"action with a space":   `{"sure":{"action":"accept "}}`,
		"action of no kind":     `{"sure":{"action":true}}`,
		"wrapped":               `{"sure":{"method":"elicitation/create","result":{"action":"accept"}}}`,
		"of another kind":       `{"sure":{"role":"assistant","model":"m","content":{"type":"text","text":"yes"}}}`,
		"content is a list":     `{"sure":{"action":"accept","content":[]}}`,
		"content is a text":     `{"sure":{"action":"accept","content":"` + remark + `"}}`,
		"content has an object": `{"sure":{"action":"accept","content":{"yes":{"really":true}}}}`,
	}
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, transfer)
		for name, answers := range refused {
			what := last
			what.answers = answers
			if r := alice.send(t, what); r.status != 400 || r.Error == nil || strings.Contains(r.body, "accept") {
				t.Errorf("%s: got %v, want an error", name, r)
			}
		}
		for name, key := range map[string]string{"prototype": "__proto__", "constructor": "constructor", "in another case": "Sure", "none": "x"} {
			what := last
			what.answers = `{` + quote(key) + `:{"action":"accept","content":{"__proto__":{"sure":true}}}}`
			if r := alice.send(t, what); !r.asks() || r.Result.InputRequests["sure"].Params.Message == "" {
				t.Errorf("%s: got %v, want the confirmation again", name, r)
			}
		}
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries, want none", n)
		}
		// M7: beside a good answer, others are nobody's business.
		last.answers = `{` + sure + `,"__proto__":{"admin":true},"x":7,` + quote(strings.Repeat("k", 128)) + `:[]}`
		alice.complete(t, last)
		if n := alice.booked(t); n != 1 {
			t.Errorf("the control: %d entries, want 1", n)
		}
	})
}

// TestInvalidAnswersEnd: a wrong answer is asked again, with the rule that it
// breaks and without what it was, and not for ever.
func TestInvalidAnswersEnd(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		wrong := "wrong-" + strings.Repeat("é", 75)
		b.conceal("answer", "wrong-")
		what := alice.next(t, transfer.first, alice.send(t, transfer.first))
		for range 2 {
			what = answered(t, what, "note", encode(object{"action": "accept", "content": object{"note": wrong}}))
			r := alice.send(t, what)
			if !r.asks() || !strings.Contains(r.Result.InputRequests["note"].Params.Message, "at most 80") || strings.Contains(r.body, "wrong") {
				t.Fatalf("got %v, want the note again, with its rule", r)
			}
			what = alice.next(t, what, r)
		}
		good := what
		what = answered(t, what, "note", encode(object{"action": "accept", "content": object{"note": wrong}}))
		if r := alice.send(t, what); r.Result == nil || !r.Result.IsError || strings.Contains(r.body, "wrong") {
			t.Errorf("got %v, want that the answer is not valid", r)
		}
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries, want none", n)
		}
		alice.complete(t, alice.play(t, good, 1))
	})
}
