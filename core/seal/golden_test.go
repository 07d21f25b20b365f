package seal_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

// The golden tokens are written by the reference implementation, never by the
// package under test.
var update = flag.Bool("update", false, "write testdata/tokens.json and testdata/negative.json anew")

// goldenToken is a token with all it was made from.
type goldenToken struct {
	Name               string
	Token              string
	Root               hexBytes
	Purpose, Audience  string
	Issued             int64 // milliseconds
	Expires, FlowUntil int64
	Flow, ID           hexBytes
	Round              uint16
	Request            hexBytes
	Principal          []string // null: anonymous
	Payload            string
	Nonce              hexBytes `json:",omitempty"`
}

// badToken is opened under the ring, binding and time of the first golden
// token, except that a second key of the ring is retired.
type badToken struct {
	Name   string
	Mode   string
	Token  string
	Repeat int `json:",omitempty"` // so many A follow
	Reason seal.Reason
}

func goldenRef() *refToken {
	t := &refToken{
		root:    fixedKey("golden"),
		purpose: "pizza-order", audience: "pizzeria",
		version: 1,
		issued:  start.UnixMilli(), expires: start.Add(10 * time.Minute).UnixMilli(), flowUntil: start.Add(time.Hour).UnixMilli(),
		round:     2,
		request:   seal.Digest([]byte("request"), []byte("tools/call"), []byte("pizza"), []byte("{}")),
		principal: [][]byte{[]byte("https://id.example"), []byte("ada"), {}, {}},
		payload:   []byte(`{"size":"large"}`),
	}
	for i := range t.flow {
		t.flow[i], t.id[i] = byte(0xf0-i), byte(0xa0+i)
	}
	for i := range t.nonce {
		t.nonce[i] = byte(i)
	}
	return t
}

func (g *goldenToken) mode() seal.Mode { return seal.Mode(g.Token[0]) }

func (g *goldenToken) codec(tb testing.TB) *seal.Codec {
	return newRing(tb, seal.RawKey(g.Root)).Codec(g.Purpose, g.Audience)
}

func (g *goldenToken) binding() seal.Binding {
	b := principal(g.Principal...)
	b.Request = [32]byte(g.Request)
	if g.Principal == nil {
		b.Principal = nil
	}
	return b
}

func (g *goldenToken) claims() seal.Claims {
	return seal.Claims{
		Issued: time.UnixMilli(g.Issued).UTC(), Expires: time.UnixMilli(g.Expires).UTC(), FlowUntil: time.UnixMilli(g.FlowUntil).UTC(),
		Flow: [16]byte(g.Flow), ID: [16]byte(g.ID), Round: g.Round,
	}
}

func TestGoldenTokens(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	tokens := readGolden[[]goldenToken](t, "tokens.json")
	if len(tokens) != 4 {
		t.Fatalf("%d golden tokens, want four", len(tokens))
	}
	for _, g := range tokens {
		t.Run(g.Name, func(t *testing.T) {
			var nonce [24]byte
			copy(nonce[:], g.Nonce)
			token, err := g.codec(t).SealFixed(g.mode(), g.binding(), g.claims(), []byte(g.Payload), nonce)
			if err != nil || token != g.Token {
				t.Errorf("sealed %s, %v, want %s", token, err, g.Token)
			}
			cl, payload, err := g.codec(t).Open(g.mode(), g.binding(), g.Token, time.UnixMilli(g.Issued))
			if err != nil || cl != g.claims() || string(payload) != g.Payload {
				t.Errorf("opened %+v, %q, %v, want %+v, %q", cl, payload, err, g.claims(), g.Payload)
			}

			var principal [][]byte
			if g.Principal != nil {
				principal = g.binding().Principal
			}
			ref := &refToken{
				root: g.Root, purpose: g.Purpose, audience: g.Audience, version: 1,
				issued: g.Issued, expires: g.Expires, flowUntil: g.FlowUntil,
				flow: [16]byte(g.Flow), id: [16]byte(g.ID), round: g.Round,
				request: [32]byte(g.Request), principal: principal, payload: []byte(g.Payload), nonce: nonce,
			}
			token, err = ref.seal(g.Token[:2])
			if err != nil || token != g.Token {
				t.Errorf("reference: sealed %s, %v, want %s", token, err, g.Token)
			}
		})
	}
}

func TestNegativeCorpus(t *testing.T) {
	control := readGolden[[]goldenToken](t, "tokens.json")[0]
	c := newRing(t, seal.RawKey(control.Root), seal.RawKey(fixedKey("retired")).Retired()).Codec(control.Purpose, control.Audience)
	now := time.UnixMilli(control.Issued)
	if _, _, err := c.Open(control.mode(), control.binding(), control.Token, now); err != nil {
		t.Fatalf("the control does not open: %v", err)
	}

	corpus := readGolden[[]badToken](t, "negative.json")
	unseen := map[seal.Reason]bool{
		seal.ReasonEncoding: true, seal.ReasonUnknownKey: true, seal.ReasonIntegrity: true, seal.ReasonExpired: true, seal.ReasonFuture: true,
		seal.ReasonFlowExpired: true, seal.ReasonRequest: true, seal.ReasonPrincipal: true, seal.ReasonOversize: true,
	}
	for _, bad := range corpus {
		t.Run(bad.Mode+" "+bad.Name, func(t *testing.T) {
			token := bad.Token + strings.Repeat("A", bad.Repeat)
			_, _, err := c.Open(seal.Mode(bad.Mode[0]), control.binding(), token, now)
			wantReason(t, err, bad.Reason)
		})
		delete(unseen, bad.Reason)
	}
	if len(unseen) > 0 {
		t.Errorf("the corpus has nothing for %v", slices.Collect(maps.Keys(unseen)))
	}
}

func TestReferenceAgrees(t *testing.T) {
	for _, prefix := range []string{"s1", "e1"} {
		for size := range 70 {
			ref := goldenRef()
			ref.payload = bytes.Repeat([]byte{byte(size)}, size)
			ref.round = uint16(size * 997)
			ref.principal = ref.principal[:1+size%4]
			ref.purpose = strings.Repeat("p", size)
			token, err := ref.seal(prefix)
			if err != nil {
				t.Fatal(err)
			}
			c := newRing(t, seal.RawKey(ref.root)).Codec(ref.purpose, ref.audience)
			b := seal.Binding{Request: ref.request, Principal: ref.principal}
			cl, payload, err := c.Open(seal.Mode(prefix[0]), b, token, start)
			if err != nil || !bytes.Equal(payload, ref.payload) || cl.Round != ref.round {
				t.Fatalf("%s with %d bytes: round %d, payload %q, %v", prefix, size, cl.Round, payload, err)
			}
		}
	}
}

func writeGolden(t *testing.T) {
	var tokens []goldenToken
	for _, kind := range []string{"s1", "e1"} {
		for _, who := range []string{"user", "anonymous"} {
			ref := goldenRef()
			principal := []string{"https://id.example", "ada", "", ""}
			if who == "anonymous" {
				ref.principal, principal = nil, nil
				ref.payload = nil
			}
			token, err := ref.seal(kind)
			if err != nil {
				t.Fatal(err)
			}
			g := goldenToken{
				Name: kind + " " + who, Token: token,
				Root: ref.root, Purpose: ref.purpose, Audience: ref.audience,
				Issued: ref.issued, Expires: ref.expires, FlowUntil: ref.flowUntil,
				Flow: ref.flow[:], ID: ref.id[:], Round: ref.round,
				Request: ref.request[:], Principal: principal, Payload: string(ref.payload),
			}
			if kind == "e1" {
				g.Nonce = ref.nonce[:]
			}
			tokens = append(tokens, g)
		}
	}
	write(t, "tokens.json", tokens)
	write(t, "negative.json", negativeCorpus(t))
}

func write(t *testing.T, name string, v any) {
	data, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", name), append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
