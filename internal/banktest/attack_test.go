package banktest_test

import (
	"strings"
	"testing"
)

// attack is a way to send a state that must not open.
type attack struct {
	reason    string // in the log; there are at most ten attacks for each
	story     story
	arguments string // of the story's first call, if not its own
	send      func(t *testing.T, s *scene) (customer, call)
}

// scene is where an attack happens: alice has a call that completes her story,
// and has not sent it.
type scene struct {
	subject string
	alice   customer
	last    call
	other   map[string]*bank // by what is other about it
}

// token is the state of alice's last call.
func (s *scene) token() string { return strings.Trim(s.last.state, `"`) }

// at is alice as a customer of another bank.
func (s *scene) at(t *testing.T, b *bank, changes claims) customer {
	t.Helper()
	return customer{bearer: sign(t, s.subject, changes)}.at(b)
}

// altered has alice change her last call.
func altered(reason string, s story, change func(c *call)) attack {
	return attack{reason: reason, story: s, send: func(_ *testing.T, s *scene) (customer, call) {
		what := s.last
		change(&what)
		return s.alice, what
	}}
}

// instead has alice send another token.
func instead(reason string, s story, token func(t *testing.T, s *scene) string) attack {
	return attack{reason: reason, story: s, send: func(t *testing.T, s *scene) (customer, call) {
		what := s.last
		what.state = quote(token(t, s))
		return s.alice, what
	}}
}

// tampered is [instead] with something made of her token.
func tampered(reason string, s story, with func(token string) string) attack {
	return instead(reason, s, func(_ *testing.T, s *scene) string { return with(s.token()) })
}

// persuaded has alice send other arguments than those of the first round.
func persuaded(first, then string) attack {
	a := altered("state_request", transfer, func(c *call) { c.arguments = then })
	a.arguments = first
	return a
}

// stolen has somebody else send alice's last call.
func stolen(by func(t *testing.T, s *scene) customer) attack {
	return attack{reason: "state_principal", story: transfer, send: func(t *testing.T, s *scene) (customer, call) {
		return by(t, s), s.last
	}}
}

// TestM18Attacks makes each attack: the answer is the same for all of them, the
// log has the reason, and nothing is booked. After it alice's own call is still
// good, which is the control.
func TestM18Attacks(t *testing.T) {
	t.Parallel()
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			b := start(t, "-framework", framework, "-anonymous")
			other := map[string]*bank{
				"key":      start(t, "-framework", framework, "-keys", "active:"+key2),
				"issuer":   start(t, "-framework", framework, "-issuer", issuer+"/2"),
				"audience": start(t, "-framework", framework, "-audience", audience+"/2"),
			}
			for name, a := range attacks {
				t.Run(name, func(t *testing.T) { a.test(t, b, other) })
			}
		})
	}
}

func (a attack) test(t *testing.T, b *bank, other map[string]*bank) {
	s := &scene{other: other}
	s.alice, s.subject = b.newcomer(t)
	first := a.story
	if a.arguments != "" {
		first.first.arguments = a.arguments
	}
	s.last = s.alice.last(t, first)
	attacker, what := a.send(t, s)
	before := encode(attacker.holdings(t))

	logged := len(attacker.bank.log())
	attacker.refuse(t, what)
	if log := attacker.bank.log()[logged:]; !strings.Contains(log, "reason="+a.reason+" ") {
		t.Errorf("logged is %q, want the reason %s", log, a.reason)
	}
	if after := encode(attacker.holdings(t)); after != before {
		t.Errorf("the attacker has %s, had %s", after, before)
	}
	if n := s.alice.booked(t); n != 0 {
		t.Errorf("%d entries of alice's, want none", n)
	}
	s.alice.complete(t, s.last)
}
