package banktest_test

import (
	"strings"
	"testing"
	"time"
)

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
	t.Parallel()
	const ttl = 3 * time.Second
	alices, late := map[string]customer{}, map[string]map[string]call{}
	for _, framework := range frameworks {
		alice, _ := start(t, "-framework", framework, "-state-ttl", ttl.String()).newcomer(t)
		alices[framework], late[framework] = alice, map[string]call{}
		for _, s := range stories {
			late[framework][s.name] = alice.last(t, s)
		}
	}
	until(time.Now().Add(ttl))
	for framework, alice := range alices {
		t.Run(framework, func(t *testing.T) {
			for _, s := range stories {
				alice.refusedBecause(t, late[framework][s.name], "state_expired")
			}
			if n := alice.booked(t); n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			alice.complete(t, alice.last(t, transfer))
		})
	}
}

// TestM14FlowExpires: the end of a flow does not move, however often its state
// is sealed anew.
func TestM14FlowExpires(t *testing.T) {
	t.Parallel()
	const flow = 5 * time.Second // and as long for a round
	banks := map[string]*bank{}
	for _, framework := range frameworks {
		banks[framework] = start(t, "-framework", framework, "-state-ttl", flow.String(), "-flow-ttl", flow.String())
	}
	alices, calls := map[string]customer{}, map[string]call{}
	for framework, b := range banks {
		alice, _ := b.newcomer(t)
		alices[framework], calls[framework] = alice, alice.play(t, transfer.first, 1)
	}
	began := time.Now()
	until(began.Add(flow / 2))
	for framework, alice := range alices {
		calls[framework] = alice.play(t, calls[framework], 1)
	}
	until(began.Add(flow)) // these states have lived for half a round
	for framework, alice := range alices {
		t.Run(framework, func(t *testing.T) {
			alice.refusedBecause(t, calls[framework], "state_flow_expired")
			if n := alice.booked(t); n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			alice.complete(t, alice.last(t, transfer))
		})
	}
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
