package seal_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

func TestKeyParsers(t *testing.T) {
	root := fixedKey("A")
	std := base64.StdEncoding.EncodeToString(root)
	long := bytes.Join([][]byte{root, fixedKey("B"), fixedKey("C")}, nil)

	for name, k := range map[string]seal.Key{
		"raw":        seal.RawKey(root),
		"hex":        seal.HexKey(hex.EncodeToString(root)),
		"upper hex":  seal.HexKey(strings.ToUpper(hex.EncodeToString(root))),
		"base64":     seal.Base64Key(std),
		"generated":  seal.HexKey(seal.GenerateKey()),
		"ephemeral":  seal.EphemeralKey(),
		"long":       seal.RawKey(long),
		"hex digits": seal.RawKey([]byte(hex.EncodeToString(root))), // a string of digits is not guessed to be hex
	} {
		if _, err := seal.NewRing(k); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	for _, c := range []struct {
		name string
		key  seal.Key
		want string
	}{
		{"zero", seal.Key{}, "zero Key"},
		{"open only zero", seal.Key{}.OpenOnly(), "zero Key"},
		{"nil", seal.RawKey(nil), "empty"},
		{"unset variable", seal.HexKey(""), "empty"},
		{"unset variable", seal.Base64Key(""), "empty"},
		{"31 bytes", seal.RawKey(root[:31]), "31 bytes"},
		{"31 bytes", seal.HexKey(hex.EncodeToString(root[:31])), "31 bytes"},
		{"31 bytes", seal.Base64Key(base64.StdEncoding.EncodeToString(root[:31])), "31 bytes"},
		{"odd hex", seal.HexKey(hex.EncodeToString(root) + "a"), "not hexadecimal"},
		{"no hex", seal.HexKey(std), "not hexadecimal"},
		{"line end", seal.HexKey(hex.EncodeToString(root) + "\n"), "not hexadecimal"},
		{"0x", seal.HexKey("0x" + hex.EncodeToString(root)), "not hexadecimal"},
		{"line end", seal.Base64Key(std + "\n"), "not base64"},
		{"line end inside", seal.Base64Key(std[:20] + "\r\n" + std[20:]), "not base64"},
		{"no padding", seal.Base64Key(strings.TrimRight(std, "=")), "not base64"},
		{"base64url", seal.Base64Key(strings.Repeat("-_", 22)), "not base64"},
		{"trailing bits", seal.Base64Key(std[:42] + "9="), "not base64"},
		{"one byte", seal.RawKey(bytes.Repeat([]byte{7}, 32)), "repeated"},
		{"zeros", seal.HexKey(strings.Repeat("00", 64)), "repeated"},
		{"a word", seal.RawKey([]byte(strings.Repeat("correct horse ", 3))), "repeated"},
		{"half twice", seal.RawKey(bytes.Repeat(root[:16], 2)), "repeated"},
		{"counting", seal.HexKey("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"), "counting"},
		{"counting down", seal.HexKey("1f1e1d1c1b1a191817161514131211100f0e0d0c0b0a09080706050403020100"), "counting"},
		{"seven values", seal.RawKey([]byte("abcdefgabcdegfacbdefgabdcefgabcd")), "7 different bytes"},
	} {
		if _, err := seal.NewRing(c.key, keyB()); err == nil || !strings.HasPrefix(err.Error(), "parley: keys[0]: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one about keys[0] with %q", c.name, err, c.want)
		}
	}
}

func TestRawKeyCopies(t *testing.T) {
	root := fixedKey("A")
	c := newRing(t, seal.RawKey(root)).Codec("p", "a")
	clear(root)
	wantOpens(t, newRing(t, keyA()).Codec("p", "a"), seal.Signed, mustSeal(t, c, seal.Signed, nil), []byte{})
}

func TestGenerateKey(t *testing.T) {
	a, b := seal.GenerateKey(), seal.GenerateKey()
	if a == b || !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(a) {
		t.Errorf("generated %q and %q", a, b)
	}
}

// TestKeyProblemsAtOnce also stands for M13 of the field bugs: no key that is
// short, repeated or doubled is taken.
func TestKeyProblemsAtOnce(t *testing.T) {
	_, err := seal.NewRing(seal.HexKey("xyz").OpenOnly(), seal.RawKey(fixedKey("A")[:8]).Retired(), keyB().OpenOnly(), keyB().Retired())
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		"parley: keys[0]: not hexadecimal",
		"parley: keys[1]: 8 bytes",
		"parley: keys[3]: the same secret as keys[2]",
		"parley: no active key",
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d problems in %q, want %d", len(lines), err, len(want))
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("%q, want %q", line, want[i])
		}
	}
	if _, err := seal.NewRing(); err == nil || !strings.Contains(err.Error(), "no keys") {
		t.Errorf("a ring without keys: %v", err)
	}
}

// TestKeysDoNotLeak prints keys, and what holds keys, in every way there is and
// looks for the secret in the spellings it could have.
func TestKeysDoNotLeak(t *testing.T) {
	root := fixedKey("secret")
	text := hex.EncodeToString(root)
	bad := []seal.Key{
		seal.HexKey(text[:63] + "g"), seal.HexKey(text[:40]), seal.Base64Key(text + "%"),
		seal.RawKey(root[:20]), seal.RawKey(bytes.Repeat(root[:4], 8)),
	}
	ring := newRing(t, seal.RawKey(root), keyA().OpenOnly())
	mustSeal(t, ring.Codec("p", "a"), seal.Signed, nil) // so that subkeys are there

	type holder struct {
		Key    seal.Key
		hidden seal.Key
		ptr    *seal.Key
		ring   *seal.Ring
		codec  *seal.Codec
	}
	k := seal.RawKey(root)
	h := holder{k, k, &k, ring, ring.Codec("p", "a")}
	var out strings.Builder
	for _, v := range []any{k, &k, k.OpenOnly(), k.Retired(), []seal.Key{k}, map[string]seal.Key{"k": k}, h, &h, ring, h.codec, bad} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%c", "%t", "%p"} {
			fmt.Fprintf(&out, verb+"\n", v)
		}
		for _, log := range []*slog.Logger{slog.New(slog.NewJSONHandler(&out, nil)), slog.New(slog.NewTextHandler(&out, nil))} {
			log.Info("key", "v", v)
		}
		if data, err := json.Marshal(v); err == nil {
			out.Write(data)
		}
	}
	for _, k := range bad {
		_, err := seal.NewRing(k)
		fmt.Fprintf(&out, "%v %+v %#v\n", err, err, err)
	}

	for i := range len(root) - 4 {
		part := root[i : i+4]
		numbers := fmt.Sprintf("%d %#v", part, part)
		decimal, literal, _ := strings.Cut(strings.TrimRight(strings.TrimLeft(numbers, "["), "}"), "] []byte{")
		for _, spelled := range []string{
			string(part), decimal, literal, hex.EncodeToString(part), strings.ToUpper(hex.EncodeToString(part)),
			base64.StdEncoding.EncodeToString(root)[i : i+6], base64.URLEncoding.EncodeToString(root)[i : i+6],
		} {
			if strings.Contains(out.String(), spelled) {
				t.Fatalf("bytes %d of the secret show as %q", i, spelled)
			}
		}
	}
}

func TestKeyString(t *testing.T) {
	k := keyA()
	id := regexp.MustCompile(`^seal\.Key\(([0-9a-f]{16})\)$`).FindStringSubmatch(k.String())
	if id == nil {
		t.Fatalf("a key shows as %q", k.String())
	}
	text, err := k.MarshalText()
	if err != nil || string(text) != k.String() || k.GoString() != k.String() || k.LogValue().String() != k.String() {
		t.Errorf("a key shows as %q, %q, %q and %q", k.String(), text, k.GoString(), k.LogValue())
	}
	for _, c := range []struct {
		key  seal.Key
		want string
	}{
		{k.OpenOnly(), "seal.Key(" + id[1] + ", open only)"},
		{k.Retired(), "seal.Key(" + id[1] + ", retired)"},
		{seal.Key{}, "seal.Key(invalid)"},
		{seal.HexKey("g"), "seal.Key(invalid)"},
	} {
		if got := c.key.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if keyA().String() != k.String() || keyB().String() == k.String() {
		t.Error("the id of a key is not its own")
	}
}
