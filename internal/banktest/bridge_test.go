package banktest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// versions are the revisions whose clients can be asked in a session.
var versions = []string{"2025-11-25", "2025-06-18"}

// onEachOlder runs a test on a bank with sessions, on every framework.
func onEachOlder(t *testing.T, test func(t *testing.T, b *bank), args ...string) {
	t.Parallel()
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			test(t, start(t, append([]string{"-framework", framework, "-legacy", "-anonymous"}, args...)...))
		})
	}
}

// TestBridge: a transfer of an older client asks, is confirmed, and is booked
// once. M19: the flow of three questions is that of any other client.
func TestBridge(t *testing.T) {
	onEachOlder(t, func(t *testing.T, b *bank) {
		for _, version := range versions {
			alice, _ := b.newcomer(t)
			k := alice.begin(t, version).transfer(t)
			k.consent(t, k.asked(t, 2))
			sure := k.asked(t, 1)
			if n := alice.booked(t); n != 0 {
				t.Errorf("%s: %d entries before the confirmation", version, n)
			}
			k.consent(t, sure)
			text, isError := k.result(t)
			h := alice.holdings(t)
			if isError || len(h.Entries) != 1 || h.Entries[0].Note != remark || h.Accounts[0].Balance != 1_000_00-500-h.Entries[0].Fee {
				t.Errorf("%s: result %q, booked %+v", version, text, h)
			}
		}
	})
}

// TestBridgeNo: M4, whatever comes beside a no moves nothing; and the first
// answer counts.
func TestBridgeNo(t *testing.T) {
	onEachOlder(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		o := alice.begin(t, versions[0])
		for name, no := range noes {
			k := o.transfer(t)
			k.consent(t, k.asked(t, 2))
			sure := k.asked(t, 1)
			o.answer(t, sure[0].ID, no, http.StatusAccepted)
			k.consent(t, sure) // changes his mind, too late
			if text, isError := k.result(t); !isError || !strings.Contains(text, "by the user") {
				t.Errorf("%s: %q, want that the user said no", name, text)
			}
		}
		for name, bad := range map[string]string{
			"no object": `7`, "no action": `{}`, "another action": `{"action":"Accept","content":{}}`,
			"nested": `{"action":"accept","content":{"x":{"y":1}}}`,
		} {
			k := o.transfer(t)
			k.consent(t, k.asked(t, 2))
			o.answer(t, k.asked(t, 1)[0].ID, bad, http.StatusAccepted)
			if text, isError := k.result(t); !isError {
				t.Errorf("%s: %q, want an error", name, text)
			}
		}
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries, want none", n)
		}
	})
}

// TestBridgeOthers: an answer counts in the session that was asked, and from
// the principal who was asked: nobody else's, and none twice.
func TestBridgeOthers(t *testing.T) {
	onEachOlder(t, func(t *testing.T, b *bank) {
		alice, subject := b.newcomer(t)
		mallory, _ := b.newcomer(t)
		o := alice.begin(t, versions[0])
		k := o.transfer(t)
		first := k.asked(t, 2)
		k.consent(t, first)
		sure := k.asked(t, 1)

		alice.begin(t, versions[0]).consent(t, sure) // her other session
		mallory.begin(t, versions[0]).consent(t, sure)
		customer{bank: b}.begin(t, versions[0]).consent(t, sure)
		thief := o
		for _, thief.customer = range []customer{mallory, {bank: b}, b.customer(t, subject+" ")} {
			thief.answer(t, sure[0].ID, sure[0].consent(), http.StatusNotFound)
		}
		k.consent(t, first) // answered before
		if n := alice.booked(t); n != 0 {
			t.Fatalf("%d entries, and nobody who may has said yes", n)
		}

		refreshed := o
		refreshed.customer = b.customer(t, subject)
		refreshed.consent(t, sure)
		if text, isError := k.result(t); isError {
			t.Errorf("result %q", text)
		}
		k.consent(t, sure) // and again
		k.consent(t, sure)
		if n := alice.booked(t); n != 1 {
			t.Errorf("%d entries, want one", n)
		}
		for _, c := range []customer{mallory, {bank: b}} {
			if n := c.booked(t); n != 0 {
				t.Errorf("%d entries of somebody else's", n)
			}
		}
	})
}

// TestBridgeCut: the connection is lost while the call waits. Who comes back is
// asked again and books once.
func TestBridgeCut(t *testing.T) {
	onEachOlder(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		k := alice.begin(t, versions[0]).transfer(t)
		k.consent(t, k.asked(t, 2))
		k.cut() // before the confirmation is asked for, or while
		k = k.resume(t)
		sure := k.asked(t, 1)
		k.cut()
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries before the confirmation", n)
		}
		k.consent(t, sure)
		done := k.resume(t)
		text, isError := done.result(t)
		if n := alice.booked(t); isError || n != 1 {
			t.Errorf("result %q, %d entries, want one", text, n)
		}
		done = k.resume(t) // the same once more
		if again, _ := done.result(t); again != text {
			t.Errorf("result %q, was %q", again, text)
		}
		if n := alice.booked(t); n != 1 {
			t.Errorf("%d entries, want one", n)
		}
	})
}

// TestBridgeLate: who does not answer in time, there or gone, books nothing, and
// has not used up what a later transfer needs.
func TestBridgeLate(t *testing.T) {
	const timeout = 1500 * time.Millisecond
	onEachOlder(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		o := alice.begin(t, versions[0])
		silent, gone := o.transfer(t), o.transfer(t)
		silent.consent(t, silent.asked(t, 2))
		gone.consent(t, gone.asked(t, 2))
		late := append(silent.asked(t, 1), gone.asked(t, 1)...)
		gone.cut()
		if text, isError := silent.result(t); !isError || !strings.Contains(text, "in time") {
			t.Errorf("result %q, want that it was too late", text)
		}
		if text, isError := gone.resume(t).result(t); !isError || !strings.Contains(text, "in time") {
			t.Errorf("result %q, want that it was too late", text)
		}
		o.consent(t, late)
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries, want none", n)
		}
		k := o.transfer(t)
		k.consent(t, k.asked(t, 2))
		k.consent(t, k.asked(t, 1))
		if text, isError := k.result(t); isError || alice.booked(t) != 1 {
			t.Errorf("the control: result %q, %d entries", text, alice.booked(t))
		}
	}, "-answer-timeout", timeout.String())
}
