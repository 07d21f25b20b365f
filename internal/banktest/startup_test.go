package banktest_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

// TestM13Refuses: the bank does not start with what is not safe, names all of
// it at once, and shows no secret.
func TestM13Refuses(t *testing.T) {
	t.Parallel()
	weak := strings.Repeat("01", 32)
	for name, tt := range map[string]struct {
		args []string
		want []string // parts of the error
	}{
		"no keys":             {[]string{"-hmac", hmac}, []string{"openssl rand -hex 32", "-keys active:KEY"}},
		"nothing":             {nil, []string{"openssl rand -hex 32", "-hmac", "-anonymous"}},
		"a key without state": {[]string{"-anonymous", "-keys", key1}, []string{"-keys: item 1 must be active:HEX"}},
		"a short key":         {[]string{"-anonymous", "-keys", "active:" + key1[:62]}, []string{"31 bytes: a key has at least 32"}},
		"a repeated key":      {[]string{"-anonymous", "-keys", "active:" + weak}, []string{"repeated"}},
		"a counting key":      {[]string{"-anonymous", "-keys", "active:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"}, []string{"counting"}},
		"no hexadecimal":      {[]string{"-anonymous", "-keys", "active:" + key1[:63] + "g"}, []string{"not hexadecimal"}},
		"an empty key":        {[]string{"-anonymous", "-keys", "active:"}, []string{"empty"}},
		"no active key":       {[]string{"-anonymous", "-keys", "open:" + key1 + ",retired:" + key2}, []string{"no active key"}},
		"a key twice":         {[]string{"-anonymous", "-keys", "active:" + key1 + ",open:" + key1}, []string{"keys[1]: the same secret as keys[0]"}},
		"all bad keys":        {[]string{"-anonymous", "-keys", "active:" + key1 + ",open:" + key1[2:] + ",open:" + weak}, []string{"keys[1]", "keys[2]"}},
		"nobody":              {[]string{"-keys", usable}, []string{"nobody could call"}},
		"a short -hmac":       {[]string{"-keys", usable, "-hmac", hmac[2:]}, []string{"-hmac must be at least 64"}},
		"a bad -hmac":         {[]string{"-keys", usable, "-hmac", hmac[1:] + "x"}, []string{"-hmac must be at least 64"}},
		"no issuer":           {[]string{"-keys", usable, "-hmac", hmac, "-issuer", ""}, []string{"Issuers[0]"}},
		"no audience":         {[]string{"-keys", usable, "-hmac", hmac, "-audience", " "}, []string{"Audience"}},
		"a negative lifetime": {[]string{"-keys", usable, "-anonymous", "-state-ttl", "-1s"}, []string{"RoundTTL"}},
		"a round over a flow": {[]string{"-keys", usable, "-anonymous", "-flow-ttl", "1m"}, []string{"RoundTTL", "FlowTTL"}},
		"all at once": {
			[]string{"-framework", "martini", "-hmac", "00", "-keys", key1},
			[]string{`-framework is "martini", allowed are chi, fiber, gin, stdlib`, "-hmac must", "-keys: item 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), grace) // or it has started, and serves
			defer cancel()
			cmd := exec.CommandContext(ctx, binary, append([]string{"-addr", "127.0.0.1:0"}, tt.args...)...)
			cmd.Env = []string{}
			out, err := cmd.CombinedOutput()
			if err == nil || ctx.Err() != nil {
				t.Fatalf("it started: %q", out)
			}
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("got %q, want %q", out, want)
				}
			}
			for _, secret := range []string{key1[2:], key2, weak, hmac[2:60]} {
				if strings.Contains(string(out), secret) {
					t.Errorf("it shows a key: %q", out)
				}
			}
		})
	}
}

// TestKeysInTheEnvironment: where nobody else on the machine reads them.
func TestKeysInTheEnvironment(t *testing.T) {
	t.Setenv("BANK_KEYS", "active:"+key2)
	t.Setenv("BANK_HMAC", hmac)
	b := start(t, "-keys", "", "-hmac", "")
	same := start(t, "-keys", "active:"+key2)
	alice, subject := b.newcomer(t)
	same.customer(t, subject).complete(t, alice.last(t, transfer))
}
