package banktest_test

import (
	"strings"
	"testing"
)

// attacks are those on a state that one request shows. The ones on answers are
// in answers_test.go, those that take time in time_test.go.
var attacks = map[string]attack{
	// The token.
	"payload, encrypted": tampered("state_integrity", transfer, func(s string) string { return flip(s, len(s)/2) }),
	"payload, signed":    tampered("state_integrity", closeAccount, func(s string) string { return flip(s, len(s)/2) }),
	"nonce":              tampered("state_integrity", transfer, func(s string) string { return flip(s, nonceAt) }),
	"truncated":          tampered("state_integrity", transfer, func(s string) string { return s[:len(s)-4] }),
	"halves of two": instead("state_integrity", transfer, func(t *testing.T, s *scene) string {
		other := strings.Trim(s.alice.last(t, transfer).state, `"`)
		return s.token()[:len(other)/2] + other[len(other)/2:]
	}),
	"name of the key":      tampered("state_unknown_key", transfer, func(s string) string { return flip(s, keyAt) }),
	"M9: unsigned":         tampered("state_encoding", transfer, func(string) string { return "eyJzdXJlIjp0cnVlfQ" }),
	"M12: other spelling":  tampered("state_encoding", closeAccount, func(s string) string { return s + "=" }),
	"signed, it says":      tampered("state_encoding", transfer, func(s string) string { return "s1" + s[2:] }),
	"empty":                tampered("state_encoding", transfer, func(string) string { return "" }),
	"number":               altered("state_encoding", transfer, func(c *call) { c.state = `5` }),
	"object":               altered("state_encoding", transfer, func(c *call) { c.state = `{"token":` + c.state + `}` }),
	"array":                altered("state_encoding", transfer, func(c *call) { c.state = `[` + c.state + `]` }),
	"boolean":              altered("state_encoding", transfer, func(c *call) { c.state = `true` }),
	"M24: 65 536":          tampered("state_encoding", transfer, func(s string) string { return s + strings.Repeat("A", 65_536-len(s)) }),
	"M24: 65 537":          tampered("state_oversize", transfer, func(s string) string { return s + strings.Repeat("A", 65_537-len(s)) }),
	"M24: 65 537, escaped": altered("state_oversize", transfer, func(c *call) { c.state = `"` + strings.Repeat(`\u0041`, 65_537) + `"` }),
	"M24: 200 KB":          tampered("state_oversize", closeAccount, func(s string) string { return s + strings.Repeat("A", 200_000-len(s)) }),
	"M24: 3 MB":            tampered("state_oversize", transfer, func(string) string { return strings.Repeat("A", 3_000_000) }),

	// Whose it is. M13: of another key; a server that made one up would be the same.
	"of another key": instead("state_unknown_key", transfer, func(t *testing.T, s *scene) string {
		what := s.at(t, s.other["key"], nil).last(t, transfer)
		return strings.Trim(what.state, `"`)
	}),
	"of another audience": instead("state_unknown_key", transfer, func(t *testing.T, s *scene) string {
		what := s.at(t, s.other["audience"], claims{"aud": audience + "/2"}).last(t, transfer)
		return strings.Trim(what.state, `"`)
	}),
	"M10: bob":          stolen(func(t *testing.T, s *scene) customer { return s.alice.bank.customer(t, "bob-of-all-tests") }),
	"M10: no token":     stolen(func(_ *testing.T, s *scene) customer { return customer{bank: s.alice.bank} }),
	"M10: other issuer": stolen(func(t *testing.T, s *scene) customer { return s.at(t, s.other["issuer"], claims{"iss": issuer + "/2"}) }),
	"M11: anonymous state": {reason: "state_principal", story: transfer, send: func(t *testing.T, s *scene) (customer, call) {
		return s.alice, customer{bank: s.alice.bank}.last(t, transfer)
	}},

	// The request.
	"amount":            persuaded(transfer.first.arguments, `{"to":"bob","amount":50000}`),
	"recipient":         persuaded(transfer.first.arguments, `{"to":"eve","amount":500}`),
	"added":             persuaded(transfer.first.arguments, `{"to":"bob","amount":500,"when":"now"}`),
	"removed":           persuaded(`{"to":"bob","amount":500,"when":"now"}`, `{"to":"bob","amount":500}`),
	"null for absent":   persuaded(transfer.first.arguments, `{"to":"bob","amount":500,"when":null}`),
	"absent for null":   persuaded(`{"to":"bob","amount":500,"when":null}`, `{"to":"bob","amount":500}`),
	"M23: another case": persuaded(`{"to":"bob","amount":500,"when":"now"}`, `{"to":"bob","amount":500,"When":"now"}`),
	"M23: 2^53 + 1":     persuaded(`{"to":"bob","amount":500,"x":9007199254740992}`, `{"to":"bob","amount":500,"x":9007199254740993}`),
	"of a prompt": instead("state_request", transfer, func(t *testing.T, s *scene) string {
		return strings.Trim(s.alice.last(t, prompt).state, `"`)
	}),
	"of another month": instead("state_request", resource, func(t *testing.T, s *scene) string {
		august := resource
		august.first.name = "bank://statements/2026-08"
		return strings.Trim(s.alice.last(t, august).state, `"`)
	}),
	"of another tool": instead("state_encoding", closeAccount, func(t *testing.T, s *scene) string {
		return strings.Trim(s.alice.last(t, transfer).state, `"`)
	}),
}

// Places in a token: in the name of its key, and in its nonce.
const (
	keyAt   = len("e1.") + 2
	nonceAt = len("e1.") + 20
)

// flip is the token with another character at i.
func flip(token string, i int) string {
	other := "A"
	if token[i] == 'A' {
		other = "B"
	}
	return token[:i] + other + token[i+1:]
}
