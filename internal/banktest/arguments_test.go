package banktest_test

import (
	"strings"
	"testing"
)

// TestM23SameArguments: arguments that say the same are the same call, however
// they are written.
func TestM23SameArguments(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		for _, spelled := range []string{
			`{"amount":500,"to":"bob"}`,
			`{ "to" : "bob" , "amount" : 500 }`,
			`{"to":"bob","amount":500.0}`,
			`{"to":"bob","amount":5e2}`,
			`{"to":"\u0062ob","amount":500}`,
			`{"\u0074o":"bob","amount":500}`,
		} {
			alice, _ := b.newcomer(t)
			last := alice.last(t, transfer)
			last.arguments = spelled
			alice.complete(t, last)
			if h := alice.holdings(t); len(h.Entries) != 1 || h.Entries[0].To != "bob" || h.Entries[0].Amount != 500 {
				t.Errorf("%s: booked %+v", spelled, h.Entries)
			}
		}
		// No arguments and an empty object are the same call as well.
		alice, _ := b.newcomer(t)
		last := alice.last(t, closeAccount)
		last.arguments = ""
		alice.complete(t, last)
	})
}

// TestM23WhatIsDecodedIsBound: a member whose name has another case is not the
// argument, on no round, and one that is there twice is no JSON.
func TestM23WhatIsDecodedIsBound(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		folded := transfer
		folded.first.arguments = `{"to":"bob","amount":500,"To":"eve","AMOUNT":50000}`
		last := alice.last(t, folded)
		twice := last
		twice.arguments = `{"to":"bob","amount":500,"To":"eve","AMOUNT":50000,"amount":50000}`
		if r := alice.send(t, twice); r.status != 400 || r.Error == nil || r.Error.Code == -32602 {
			t.Errorf("a member twice: got %v, want that it is no JSON", r)
		}
		twice = last
		twice.state = last.state + `,"requestState":` + last.state
		if r := alice.send(t, twice); r.status != 400 || r.Error == nil {
			t.Errorf("two states: got %v, want that it is no JSON", r)
		}
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries, want none", n)
		}
		r := alice.complete(t, last)
		if h := alice.holdings(t); len(h.Entries) != 1 || h.Entries[0].To != "bob" || h.Entries[0].Amount != 500 {
			t.Errorf("the control: got %v, booked %+v", r, h.Entries)
		}
	})
}

// TestNullIsNoState: then the call is a first one, and the answers beside it
// count for nothing.
func TestNullIsNoState(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		for _, s := range stories {
			last := alice.last(t, s)
			fresh := last
			fresh.state = `null`
			if r := alice.send(t, fresh); !r.asks() {
				t.Errorf("%s: got %v, want the first questions", s.name, r)
			}
			if n := alice.booked(t); s.name == "transfer" && n != 0 {
				t.Errorf("%d entries, want none", n)
			}
			alice.complete(t, last)
		}
	})
}

// TestM24TenMegabytes: a body that nobody has to read is not read.
func TestM24TenMegabytes(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, transfer)
		huge := last
		huge.state = quote(strings.Repeat("A", 10_000_000))
		if r := alice.send(t, huge); r.status != 413 || r.Error == nil {
			t.Errorf("got %v, want 413", r)
		}
		alice.complete(t, last)
	})
}
