package banktest_test

import "testing"

// TestM22InstancesShareAFlow: whoever has the key goes on with a flow, wherever
// it began and on whatever framework. M13: who has another key does not.
func TestM22InstancesShareAFlow(t *testing.T) {
	t.Parallel()
	for i, framework := range frameworks {
		other := frameworks[(i+1)%len(frameworks)]
		t.Run(framework+" and "+other, func(t *testing.T) {
			t.Parallel()
			one := sharedBank(t, framework)
			two := start(t, "-framework", other)
			stranger := start(t, "-framework", other, "-keys", "active:"+key2)
			for _, s := range stories {
				at1, subject := one.newcomer(t)
				at2, elsewhere := two.customer(t, subject), stranger.customer(t, subject)

				what := at1.play(t, s.first, 1)
				elsewhere.refuse(t, what)
				if s.rounds > 1 {
					what = at2.play(t, what, s.rounds-1)
					elsewhere.refuse(t, what)
				}
				at2.complete(t, what)
				elsewhere.complete(t, elsewhere.last(t, s))
			}
		})
	}
}

// TestM16ChainOfThree: what was answered in a round is there in all later ones,
// although each has a state of its own.
func TestM16ChainOfThree(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		first := alice.send(t, transfer.first)
		number := first.Result.InputRequests["account"].Params.RequestedSchema.Properties["account"].OneOf[1].Const
		what := alice.next(t, transfer.first, first)
		// The account of the second choice, and no note yet: it is asked again, alone.
		what.answers = encode(object{"account": object{"action": "accept", "content": object{"account": number}}})
		second := alice.send(t, what)
		if !second.asks() || len(second.Result.InputRequests) != 1 || second.Result.InputRequests["note"].Params.Message == "" {
			t.Fatalf("got %v, want the note alone", second)
		}
		what = alice.next(t, what, second)
		third := alice.send(t, what)
		if !third.asks() || len(third.Result.InputRequests) != 1 || third.Result.InputRequests["sure"].Params.Message == "" {
			t.Fatalf("got %v, want the confirmation alone", third)
		}
		alice.complete(t, alice.next(t, what, third))
		booked := alice.holdings(t).Entries
		if len(booked) != 1 || booked[0].Account != number || booked[0].Note != remark || booked[0].Amount != 500 {
			t.Errorf("booked %+v, want what all three rounds have said", booked)
		}
	})
}

// TestRotation changes the key in three steps, each of which not every instance
// has made yet while the next one calls: no flow is lost.
func TestRotation(t *testing.T) {
	t.Parallel()
	steps := []string{
		"active:" + key1,
		"active:" + key1 + ",open:" + key2,
		"active:" + key2 + ",open:" + key1,
		"active:" + key2 + ",retired:" + key1,
	}
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			banks := make([]*bank, len(steps))
			for i, keys := range steps {
				banks[i] = start(t, "-framework", framework, "-keys", keys)
			}
			across := func(from, to *bank, s story) {
				_, subject := from.newcomer(t)
				here, there := from.customer(t, subject), to.customer(t, subject)
				here.complete(t, there.play(t, here.play(t, s.first, 1), 1))
			}
			for i, older := range banks[:len(banks)-1] {
				newer := banks[i+1]
				for _, s := range []story{transfer, closeAccount} {
					across(older, newer, s)
					across(newer, older, s)
				}
			}
			_, subject := banks[0].newcomer(t)
			at := func(step int) customer { return banks[step].customer(t, subject) }
			// A flow that lives through two steps is sealed under the new key on the way.
			at(3).complete(t, at(2).play(t, at(1).play(t, transfer.first, 1), 1))
			// One that was left open until the old key was retired is lost, and so is one
			// of an instance that has skipped a step.
			at(3).refuse(t, at(1).play(t, transfer.first, 1))
			at(0).refuse(t, at(2).play(t, transfer.first, 1))
		})
	}
}
