package banktest_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
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

// TestM24TenMegabytes: what is too long to be read is not read. Fiber itself
// refuses what is far above the server's limit.
func TestM24TenMegabytes(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		last := alice.last(t, transfer)
		huge := last
		huge.state = quote(strings.Repeat("A", 4_300_000))
		if r := alice.send(t, huge); r.status != 413 || r.Error == nil || r.Error.Code != -32600 {
			t.Errorf("got %v, want 413", r)
		}
		began := time.Now()
		if status := alice.announce(t, huge, 10_000_000); status != 413 {
			t.Errorf("10 MB: got %d, want 413", status)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("10 MB are refused in %v, and were not sent", took)
		}
		if n := alice.booked(t); n != 0 {
			t.Errorf("%d entries, want none", n)
		}
		alice.complete(t, last)
	})
}

// announce begins a call whose body is as long as length, and sends a little of
// it.
func (c customer) announce(t *testing.T, what call, length int) (status int) {
	t.Helper()
	url := strings.TrimPrefix(c.bank.url, "http://")
	host, path, _ := strings.Cut(url, "/")
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(client.Timeout)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\n"+
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\nMcp-Name: %s\r\nContent-Length: %d\r\n\r\n%s",
		path, host, c.bearer, what.method, what.name, length, what.body()[:1000])
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
