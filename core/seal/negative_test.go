package seal_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

// negativeCorpus makes the tokens of testdata/negative.json: each is one step
// away from a token that opens, and some are made with the right key, which the
// package itself never would.
func negativeCorpus(t *testing.T) []badToken {
	var corpus []badToken
	for _, prefix := range []string{"s1", "e1"} {
		other := map[string]string{"s1": "e1", "e1": "s1"}[prefix]
		add := func(name, token string, reason seal.Reason) {
			corpus = append(corpus, badToken{Name: name, Mode: prefix[:1], Token: token, Reason: reason})
		}
		made := func(name string, reason seal.Reason, change func(*refToken)) string {
			ref := goldenRef()
			change(ref)
			token, err := ref.seal(prefix)
			if err != nil {
				t.Fatal(err)
			}
			if name != "" {
				add(name, token, reason)
			}
			return token
		}
		good := made("", "", func(*refToken) {})

		for _, c := range []struct {
			name   string
			reason seal.Reason
			change func(*refToken)
		}{
			{"foreign key", seal.ReasonUnknownKey, func(r *refToken) { r.root = fixedKey("foreign") }},
			{"retired key", seal.ReasonUnknownKey, func(r *refToken) { r.root = fixedKey("retired") }},
			{"other purpose", seal.ReasonUnknownKey, func(r *refToken) { r.purpose = "pizza" }},
			{"other audience", seal.ReasonUnknownKey, func(r *refToken) { r.audience = "pizzerias" }},
			{"purpose and audience shifted", seal.ReasonUnknownKey, func(r *refToken) { r.purpose, r.audience = "pizza-orderp", "izzeria" }},
			{"version 0", seal.ReasonEncoding, func(r *refToken) { r.version = 0 }},
			{"version 2", seal.ReasonEncoding, func(r *refToken) { r.version = 2 }},
			{"a flag", seal.ReasonEncoding, func(r *refToken) { r.flags = 1 }},
			{"all flags", seal.ReasonEncoding, func(r *refToken) { r.flags = 255 }},
			{"envelope one byte short", seal.ReasonEncoding, func(r *refToken) { r.payload, r.cut = nil, 1 }},
			{"expired now", seal.ReasonExpired, func(r *refToken) { r.expires = r.issued }},
			{"expired at the beginning of time", seal.ReasonExpired, func(r *refToken) { r.expires = -1 << 63 }},
			{"flow expired now", seal.ReasonFlowExpired, func(r *refToken) { r.flowUntil = r.issued }},
			{"issued in 60 001 ms", seal.ReasonFuture, func(r *refToken) { r.issued += 60_001 }},
			{"issued at the end of time", seal.ReasonFuture, func(r *refToken) { r.issued = 1<<63 - 1 }},
			{"other request", seal.ReasonRequest, func(r *refToken) { r.request[31] ^= 1 }},
			{"other subject", seal.ReasonPrincipal, func(r *refToken) { r.principal[1] = []byte("bob") }},
			{"other issuer", seal.ReasonPrincipal, func(r *refToken) { r.principal[0] = []byte("https://id2.example") }},
			{"tenant for client", seal.ReasonPrincipal, func(r *refToken) { r.principal[2] = []byte("x") }},
			{"one part fewer", seal.ReasonPrincipal, func(r *refToken) { r.principal = r.principal[:3] }},
			{"anonymous", seal.ReasonPrincipal, func(r *refToken) { r.principal = nil }},
			{"no parts", seal.ReasonPrincipal, func(r *refToken) { r.principal = [][]byte{} }},
			{"a user called anonymous", seal.ReasonPrincipal, func(r *refToken) { r.principal = [][]byte{[]byte("anonymous")} }},
			{"other request and other subject", seal.ReasonRequest, func(r *refToken) { r.request[0] ^= 1; r.principal[1] = nil }},
		} {
			made(c.name, c.reason, c.change)
		}

		add("empty", "", seal.ReasonEncoding)
		add("prefix alone", prefix+".", seal.ReasonEncoding)
		add("prefix without a dot", prefix+good[3:], seal.ReasonEncoding)
		add("prefix of the other mode", other+good[2:], seal.ReasonEncoding)
		add("prefix in upper case", strings.ToUpper(prefix)+good[2:], seal.ReasonEncoding)
		add("prefix of a later format", prefix[:1]+"2"+good[2:], seal.ReasonEncoding)
		add("prefix twice", prefix+"."+good, seal.ReasonEncoding)
		add("no prefix", good[3:], seal.ReasonEncoding)
		add("space before", " "+good, seal.ReasonEncoding)
		add("line feed after", good+"\n", seal.ReasonEncoding)
		add("carriage return and line feed inside", good[:40]+"\r\n"+good[40:], seal.ReasonEncoding)
		add("padded", good+strings.Repeat("=", -len(good[3:])&3), seal.ReasonEncoding)
		add("percent encoded dot", prefix+"%2E"+good[3:], seal.ReasonEncoding)
		add("trailing bits", trailingBits(t, good), seal.ReasonEncoding)
		add("one character more", good+"A", seal.ReasonIntegrity)
		add("proof of zeros", zeroed(good, len(good)-20, len(good)), seal.ReasonIntegrity)
		add("kid of zeros", zeroed(good, 3, 13), seal.ReasonUnknownKey)
		corpus = append(corpus,
			badToken{Name: "65 536 characters", Mode: prefix[:1], Token: prefix + ".", Repeat: 65536 - 3, Reason: seal.ReasonEncoding},
			badToken{Name: "65 535 characters", Mode: prefix[:1], Token: prefix + ".", Repeat: 65535 - 3, Reason: seal.ReasonUnknownKey},
			badToken{Name: "65 537 characters", Mode: prefix[:1], Token: prefix + ".", Repeat: 65537 - 3, Reason: seal.ReasonOversize})
	}
	return corpus
}

// trailingBits spells the last byte of a token with bits that do not count.
func trailingBits(t *testing.T, token string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	if len(token[3:])%4 == 0 {
		t.Fatal("a token of whole groups has no trailing bits")
	}
	last := strings.IndexByte(alphabet, token[len(token)-1])
	return token[:len(token)-1] + alphabet[last+1:last+2]
}

func zeroed(token string, from, to int) string {
	return token[:from] + strings.Repeat("A", to-from) + token[to:]
}
