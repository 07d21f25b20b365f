package banktest_test

import (
	"strings"
	"testing"
	"time"
)

// onOwn runs a test with a bank of its own on each framework; what comes of it
// is looked at later, so that the tests wait at the same time.
func onOwn(t *testing.T, args []string, begin func(t *testing.T, b *bank) (end func(t *testing.T))) {
	t.Parallel()
	ends := map[string]func(t *testing.T){}
	for _, framework := range frameworks {
		b := start(t, append([]string{"-framework", framework}, args...)...)
		ends[framework] = begin(t, b)
	}
	for framework, end := range ends {
		t.Run(framework, end)
	}
}

// until waits for a moment.
func until(moment time.Time) { <-time.After(time.Until(moment)) }

// refusedBecause is refuse, with the reason in the log.
func (c customer) refusedBecause(t *testing.T, what call, reason string) {
	t.Helper()
	before := len(c.bank.log())
	c.refuse(t, what)
	if log := c.bank.log()[before:]; !strings.Contains(log, "reason="+reason+" ") {
		t.Errorf("logged is %q, want the reason %s", log, reason)
	}
}

// TestM14RoundExpires: a state lives for one round; a new one begins anew.
func TestM14RoundExpires(t *testing.T) {
	const ttl = 2 * time.Second
	onOwn(t, []string{"-state-ttl", ttl.String()}, func(t *testing.T, b *bank) func(*testing.T) {
		alice, _ := b.newcomer(t)
		late := map[string]call{}
		for _, s := range stories {
			late[s.name] = alice.last(t, s)
		}
		sealed := time.Now()
		return func(t *testing.T) {
			until(sealed.Add(ttl))
			for _, s := range stories {
				alice.refusedBecause(t, late[s.name], "state_expired")
			}
			if n := alice.booked(t); n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			alice.complete(t, alice.last(t, transfer))
		}
	})
}

// TestM14FlowExpires: the end of a flow does not move, however often its state
// is sealed anew.
func TestM14FlowExpires(t *testing.T) {
	const (
		round = 3 * time.Second
		flow  = 4 * time.Second
	)
	onOwn(t, []string{"-state-ttl", round.String(), "-flow-ttl", flow.String()}, func(t *testing.T, b *bank) func(*testing.T) {
		alice, _ := b.newcomer(t)
		first := alice.send(t, transfer.first)
		began := time.Now()
		return func(t *testing.T) {
			until(began.Add(round / 2))
			last := alice.play(t, alice.next(t, transfer.first, first), 1)
			until(began.Add(flow)) // the last state has lived for less than a round
			alice.refusedBecause(t, last, "state_flow_expired")
			if n := alice.booked(t); n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			alice.complete(t, alice.last(t, transfer))
		}
	})
}

// TestM14RoundsEnd: who is asked and never answers is not asked for ever.
func TestM14RoundsEnd(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		for _, s := range []story{transfer, closeAccount} {
			alice, _ := b.newcomer(t)
			what := s.first
			const rounds = 8
			for i := range rounds {
				r := alice.send(t, what)
				if !r.asks() {
					t.Fatalf("%s, round %d: got %v, want questions", s.name, i+1, r)
				}
				what.state = quote(r.Result.RequestState)
			}
			if r := alice.send(t, what); r.Result == nil || !r.Result.IsError || !strings.Contains(r.text(), "too many rounds") {
				t.Errorf("%s: got %v, want that it took too many rounds", s.name, r)
			}
			alice.complete(t, alice.last(t, s))
		}
	})
}
