package main

import (
	"testing"

	"github.com/parleymcp/parley/core"
)

// An owner is issuer and subject: neither alone, and not one after the other.
func TestOwners(t *testing.T) {
	l := newLedger()
	seen := map[string]core.Principal{}
	for _, p := range []core.Principal{
		core.Anonymous,
		{Issuer: "https://id.example", Subject: "alice"},
		{Issuer: "https://id.example", Subject: "bob"},
		{Issuer: "https://id.other.example", Subject: "alice"},
		{Issuer: "https://id.example/a", Subject: "lice"},
	} {
		mine := l.accountsOf(ownerOf(p))
		if len(mine) != 2 {
			t.Fatalf("%v has the accounts %+v, want two", p, mine)
		}
		for _, a := range mine {
			if other, ok := seen[a.Number]; ok {
				t.Errorf("%v and %v have the account %s", p, other, a.Number)
			}
			seen[a.Number] = p
		}
	}
}

// What is handed out is a copy: who changes it changes no balance.
func TestAccountsAreCopies(t *testing.T) {
	l := newLedger()
	for range 2 { // opened now, and found again
		mine := l.accountsOf(ownerOf(alice))
		if mine[0].Balance != 1_000_00 {
			t.Fatalf("the balance is %v", mine[0].Balance)
		}
		mine[0].Balance = 0
	}
}

func TestCents(t *testing.T) {
	for amount, want := range map[cents]string{0: "0.00", 5: "0.05", 1234: "12.34", 100_000_000: "1000000.00"} {
		if got := amount.String(); got != want {
			t.Errorf("%d cents are %s, want %s", int64(amount), got, want)
		}
	}
}
