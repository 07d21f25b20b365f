package banktest_test

import (
	stdhmac "crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os/exec"
	"strings"
	"testing"
	"time"
)

type claims = map[string]any

// sign signs the claims of a token of a subject, with changes; nil takes a claim
// away.
func sign(t *testing.T, subject string, changes claims) string {
	t.Helper()
	all := claims{
		"iss": issuer, "aud": audience, "sub": subject, "jti": rand.Text(),
		"iat": time.Now().Unix(), "exp": time.Now().Add(5 * time.Minute).Unix(),
	}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, value any) bool { return value == nil })
	payload, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := hex.DecodeString(hmac)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(payload)
	mac := stdhmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return text + "." + encode(mac.Sum(nil))
}

// customer has a token for a subject.
func (b *bank) customer(t *testing.T, subject string) customer {
	t.Helper()
	b.conceal("subject", subject)
	return customer{b, sign(t, subject, nil)}.at(b)
}

// newcomer is somebody whom the bank has not seen yet.
func (b *bank) newcomer(t *testing.T) (c customer, subject string) {
	t.Helper()
	subject = "alice-" + rand.Text()[:12]
	return b.customer(t, subject), subject
}

// TestTokenCommand has the bank print a token, and accept it.
func TestTokenCommand(t *testing.T) {
	t.Parallel()
	b := sharedBank(t, "stdlib")
	printed := func(args ...string) string {
		t.Helper()
		args = append([]string{"token", "-hmac", hmac, "-issuer", issuer, "-audience", audience}, args...)
		out, err := exec.CommandContext(t.Context(), binary, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(string(out), "\n")
	}
	ledger := call{method: "resources/read", name: "bank://ledger"}
	first, refreshed := printed("-sub", "alice", "-ttl", "5m"), printed("-sub", "alice", "-ttl", "5m")
	if first == refreshed {
		t.Error("two tokens are the same")
	}
	var bodies []string
	for _, token := range []string{first, refreshed, sign(t, "alice", nil), sign(t, "bob", nil)} {
		r := customer{b, token}.at(b).send(t, ledger)
		if !r.completes() {
			t.Errorf("got %v, want that the token is good", r)
		}
		bodies = append(bodies, r.body)
	}
	if bodies[0] != bodies[1] || bodies[0] != bodies[2] || bodies[0] == bodies[3] {
		t.Errorf("got %q, want one customer for three tokens, and another", bodies)
	}
	if got := (customer{b, printed("-sub", "alice", "-ttl", "-1m")}).at(b).send(t, ledger); got.status != 401 {
		t.Errorf("a token that has expired: got %v, want 401", got)
	}
	cmd := exec.CommandContext(t.Context(), binary, "token", "-sub", "alice")
	cmd.Env = []string{}
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "-hmac is empty") {
		t.Errorf("without a key: got %q, %v", out, err)
	}
	cmd = exec.CommandContext(t.Context(), binary, "token", "-sub", "alice")
	cmd.Env = []string{"BANK_HMAC=" + hmac}
	if out, err := cmd.CombinedOutput(); err != nil || strings.Count(string(out), ".") != 2 {
		t.Errorf("with the key in the environment: got %q, %v", out, err)
	}
}

// TestM11NobodyIsNoIdentity: a token without a subject is refused, and so is
// one that is not good, also where callers without a token are served.
func TestM11NobodyIsNoIdentity(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, subject := b.newcomer(t)
		for name, token := range map[string]string{
			"empty subject":    sign(t, "", nil),
			"blank subject":    sign(t, " \t", nil),
			"no subject":       sign(t, "", claims{"sub": nil}),
			"number":           sign(t, "", claims{"sub": 7}),
			"another issuer":   sign(t, subject, claims{"iss": issuer + "/"}),
			"another audience": sign(t, subject, claims{"aud": audience + "2"}),
			"expired":          sign(t, subject, claims{"exp": time.Now().Add(-time.Minute).Unix()}),
			"forged":           alice.bearer[:len(alice.bearer)-4] + "AAAA",
			"unsigned":         alice.bearer[:strings.LastIndex(alice.bearer, ".")+1],
			"no token":         "nonsense",
		} {
			for _, s := range stories {
				if got := (customer{b, token}).at(b).send(t, s.first); got.status != 401 || got.Result != nil {
					t.Errorf("%s, %s: got %v, want 401", name, s.name, got)
				}
			}
		}
		for _, s := range stories {
			if got := alice.send(t, s.first); !got.asks() {
				t.Errorf("the control, %s: got %v", s.name, got)
			}
		}
	})
}
