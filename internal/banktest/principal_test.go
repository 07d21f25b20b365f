package banktest_test

import (
	"crypto/rand"
	"testing"
)

// TestM10BoundToTheCaller: a state is its caller's, whatever token he shows, and
// nobody else's. Everything that asks is bound alike.
func TestM10BoundToTheCaller(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		for _, s := range stories {
			alice, subject := b.newcomer(t)
			bob, _ := b.newcomer(t)
			last := alice.last(t, s)
			before := bob.holdings(t)

			bob.refuse(t, last)
			customer{bank: b}.refuse(t, last) // M11
			b.customer(t, subject+" ").refuse(t, last)
			if after := bob.holdings(t); encode(after) != encode(before) {
				t.Errorf("%s: bob has %+v, had %+v", s.name, after, before)
			}

			refreshed := b.customer(t, subject)
			if refreshed.bearer == alice.bearer {
				t.Fatal("the token is the same")
			}
			refreshed.complete(t, last)
		}
	})
}

// TestM11AnonymousIsAKindOfItsOwn: what was sealed for a caller without a token
// opens for none with one.
func TestM11AnonymousIsAKindOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			b := start(t, "-framework", framework, "-anonymous")
			nobody := customer{bank: b}
			alice, _ := b.newcomer(t)
			for _, s := range stories {
				last := nobody.last(t, s)
				alice.refuse(t, last)
				nobody.complete(t, last)
			}
		})
	}
}

// TestM10SubjectIsTheIssuers: the same name of another issuer is somebody else,
// and so is one that reads the same when both are joined.
func TestM10SubjectIsTheIssuers(t *testing.T) {
	t.Parallel()
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			b := sharedBank(t, framework)
			alice, subject := b.newcomer(t)
			for other, sub := range map[string]string{
				"https://id.other.example":  subject,
				issuer + "x":                subject,
				issuer[:len(issuer)-1]:      issuer[len(issuer)-1:] + subject,
				issuer + subject[:len("a")]: subject[len("a"):],
			} {
				last := alice.last(t, transfer)
				elsewhere := start(t, "-framework", framework, "-issuer", other)
				customer{bearer: sign(t, sub, claims{"iss": other})}.at(elsewhere).refuse(t, last)
				customer{bearer: sign(t, sub, claims{"iss": other})}.at(elsewhere).complete(t,
					customer{bearer: sign(t, sub, claims{"iss": other})}.at(elsewhere).last(t, transfer))
				alice.complete(t, last)
			}
		})
	}
}

// TestOthersAccounts: the choices of one customer are no choice of another.
func TestOthersAccounts(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		bob, _ := b.newcomer(t)
		for _, s := range stories {
			key := map[string]string{"transfer": "account", "close_account": "close"}[s.name]
			if key == "" {
				key = "statement"
			}
			ours := bob.next(t, s.first, bob.send(t, s.first))
			for _, number := range []string{alice.holdings(t).Accounts[0].Number, rand.Text()[:8], ""} {
				theirs := ours
				theirs.answers = encode(object{key: object{"action": "accept", "content": object{key: number}}})
				if r := bob.send(t, theirs); !r.asks() || r.Result.InputRequests[key].Params.Message == "" {
					t.Errorf("%s from %q: got %v, want the question again", s.name, number, r)
				}
			}
			bob.complete(t, bob.play(t, ours, s.rounds-1))
		}
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries of alice's, want none", n)
		}
	})
}
