package seal_test

import (
	"testing"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

// TestPrincipals seals as each of these and opens as each: only the same opens.
// Among them are lists built to read the same when they are put one after the
// other, or when one holds the encoding of the other (M10 and M11 of the field
// bugs).
func TestPrincipals(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	bindings := []seal.Binding{
		anonymous(),
		principal("https://id.example", "ada", "", ""),
		principal("https://id.example", "bob", "", ""),
		principal("https://id2.example", "ada", "", ""),
		principal("https://id.example", "ada", "t", ""),
		principal("https://id.example", "ada", "", "t"),
		principal("https://id.example", "ada"),
		principal("https://id.example", "ada", ""),
		principal("https://id.examplea", "da", "", ""),
		principal("https://id.example", "", "ada", ""),
		principal("https://id.exampleada"),
		principal("ada", "https://id.example", "", ""),
		principal("anonymous"),
		principal("\x00\x00\x00\x01\x00\x00\x00\tanonymous"),
		principal("", "anonymous"),
		principal("https://id.example\x00\x00\x00\x03ada", "", ""),
		principal("https://id.example", "ada\x00\x00\x00\x00\x00\x00\x00\x00"),
	}
	for m := range bothModes() {
		for i, by := range bindings {
			token, err := c.Seal(m, by, claims(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for j, as := range bindings {
				_, _, err := c.Open(m, as, token, start)
				if i == j && err != nil {
					t.Errorf("%s: sealed and opened as %q: %v", name(m), by.Principal, err)
				}
				if i != j {
					wantReason(t, err, seal.ReasonPrincipal)
				}
			}
		}
	}
}

func TestRequests(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	digest := func(parts ...string) [32]byte {
		list := make([][]byte, len(parts))
		for i, p := range parts {
			list[i] = []byte(p)
		}
		return seal.Digest(list...)
	}
	requests := [][32]byte{
		{},
		digest(),
		digest(""),
		digest("request", "tools/call", "send", "{}"),
		digest("request", "tools/call", "sen", "d{}"),
		digest("request", "tools/call", "send{}"),
		digest("request", "tools/call", "send", "{}", ""),
		digest("request", "tools/callsend", "{}"),
		digest("requesttools/callsend{}"),
		digest("request", "prompts/get", "send", "{}"),
		digest("request\x00\x00\x00\ntools/call", "send", "{}"),
	}
	for m := range bothModes() {
		for i, sealed := range requests {
			b := user()
			b.Request = sealed
			token, err := c.Seal(m, b, claims(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for j, opened := range requests {
				b.Request = opened
				_, _, err := c.Open(m, b, token, start)
				if i == j && err != nil {
					t.Errorf("%s: request %d: %v", name(m), i, err)
				}
				if i != j {
					wantReason(t, err, seal.ReasonRequest)
				}
			}
		}
	}
}

// TestDigest pins the encoding: the digest is part of tokens in flight.
func TestDigest(t *testing.T) {
	for _, parts := range [][][]byte{
		nil,
		{nil},
		{{}, {}},
		{[]byte("request"), []byte("tools/call"), make([]byte, 100_000)},
	} {
		all := append([][]byte{[]byte(refNS)}, parts...)
		if got, want := seal.Digest(parts...), sha(refPAE(all...)); got != want {
			t.Errorf("%d parts: %x, want %x", len(parts), got, want)
		}
	}
}

// TestTimes goes to the edge of each limit and over it by a millisecond.
func TestTimes(t *testing.T) {
	c := newRing(t, keyA()).Codec("p", "a")
	ms := time.Millisecond
	for m := range bothModes() {
		seal1 := func(change func(*seal.Claims)) string {
			cl := claims()
			change(&cl)
			token, err := c.Seal(m, user(), cl, nil)
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		round := seal1(func(*seal.Claims) {})
		flow := seal1(func(cl *seal.Claims) { cl.FlowUntil = cl.Issued.Add(time.Minute) })
		// The tenth round of a flow is fresh, its flow is not (M14).
		tenth := seal1(func(cl *seal.Claims) {
			cl.Issued = cl.FlowUntil.Add(-time.Minute)
			cl.Expires = cl.Issued.Add(10 * time.Minute)
			cl.Round = 10
		})
		for _, s := range []struct {
			name  string
			token string
			now   time.Time
			want  seal.Reason // "": opens
		}{
			{"at once", round, start, ""},
			{"issued 60 s ahead", round, start.Add(-time.Minute), ""},
			{"issued 60.001 s ahead", round, start.Add(-time.Minute - ms), seal.ReasonFuture},
			{"issued a year ahead", round, start.AddDate(-1, 0, 0), seal.ReasonFuture},
			{"last millisecond", round, start.Add(10*time.Minute - ms), ""},
			{"within the last millisecond", round, start.Add(10*time.Minute - 1), ""},
			{"expired", round, start.Add(10 * time.Minute), seal.ReasonExpired},
			{"expired a year ago", round, start.AddDate(1, 0, 0), seal.ReasonExpired},
			{"flow's last millisecond", flow, start.Add(time.Minute - ms), ""},
			{"flow over", flow, start.Add(time.Minute), seal.ReasonFlowExpired},
			{"both over", flow, start.Add(10 * time.Minute), seal.ReasonExpired},
			{"fresh round, flow's last millisecond", tenth, start.Add(time.Hour - ms), ""},
			{"fresh round, flow over", tenth, start.Add(time.Hour), seal.ReasonFlowExpired},
			{"another time zone", round, start.In(time.FixedZone("", -12*3600)), ""},
			{"the zero time", round, time.Time{}, seal.ReasonFuture},
		} {
			_, _, err := c.Open(m, user(), s.token, s.now)
			if s.want != "" {
				wantReason(t, err, s.want)
			} else if err != nil {
				t.Errorf("%s, %s: %v", name(m), s.name, err)
			}
		}
	}
}
