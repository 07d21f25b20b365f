package seal_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
)

// A second implementation of the token format, written from its description
// alone and sharing nothing with the package but the standard library's
// SHA-256, AES, GCM and base64. It only seals; what it can make that the
// package cannot is broken on purpose.

const refNS = "parley/request-state/v1"

type refToken struct {
	root                       []byte
	purpose, audience          string
	version, flags             byte
	issued, expires, flowUntil int64 // milliseconds
	flow, id                   [16]byte
	round                      uint16
	request                    [32]byte
	principal                  [][]byte // nil: anonymous
	payload                    []byte
	nonce                      [24]byte
	cut                        int // bytes missing at the end of the envelope
}

func refPAE(parts ...[]byte) []byte {
	u32 := func(n int) []byte { return big.NewInt(int64(n)).FillBytes(make([]byte, 4)) }
	out := u32(len(parts))
	for _, p := range parts {
		out = slices.Concat(out, u32(len(p)), p)
	}
	return out
}

func refHMAC(key, msg []byte) []byte {
	if len(key) > 64 {
		sum := sha256.Sum256(key)
		key = sum[:]
	}
	inner, outer := make([]byte, 64), make([]byte, 64)
	copy(inner, key)
	copy(outer, key)
	for i := range 64 {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	sum := sha256.Sum256(append(inner, msg...))
	sum = sha256.Sum256(append(outer, sum[:]...))
	return sum[:]
}

func refHKDF(secret, salt, info []byte, length int) []byte {
	if len(salt) == 0 {
		salt = make([]byte, 32)
	}
	prk := refHMAC(salt, secret)
	var out, block []byte
	for i := byte(1); len(out) < length; i++ {
		block = refHMAC(prk, slices.Concat(block, info, []byte{i}))
		out = append(out, block...)
	}
	return out[:length]
}

// refXAES follows the steps of the C2SP text, with K1 by long division.
func refXAES(key, nonce, plaintext, aad []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	l := make([]byte, 16)
	block.Encrypt(l, l)
	k1 := new(big.Int).Lsh(new(big.Int).SetBytes(l), 1)
	if k1.Bit(128) == 1 {
		k1.SetBit(k1, 128, 0)
		k1.Xor(k1, big.NewInt(0b10000111))
	}
	var derived []byte
	for _, counter := range []byte{1, 2} {
		m := append([]byte{0x00, counter, 0x58, 0x00}, nonce[:12]...)
		x := new(big.Int).Xor(new(big.Int).SetBytes(m), k1).FillBytes(make([]byte, 16))
		block.Encrypt(x, x)
		derived = append(derived, x...)
	}
	inner, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(inner)
	if err != nil {
		return nil, err
	}
	return gcm.Seal(nil, nonce[12:], plaintext, aad), nil
}

func (t *refToken) subkey(label string) []byte {
	info := refPAE([]byte(refNS), []byte(label), []byte(t.purpose), []byte(t.audience))
	return refHKDF(t.root, nil, info, 32)
}

func (t *refToken) envelope() []byte {
	who := refPAE([]byte("anonymous"))
	if t.principal != nil {
		who = refPAE(append([][]byte{[]byte("principal")}, t.principal...)...)
	}
	env := []byte{t.version, t.flags}
	tag := [16]byte(refHMAC(t.subkey("bind"), who))
	for _, field := range []any{t.issued, t.expires, t.flowUntil, t.flow, t.id, t.round, t.request, tag, t.payload} {
		var err error
		if env, err = binary.Append(env, binary.BigEndian, field); err != nil {
			panic(err) // A field without a size: a mistake in the list above.
		}
	}
	return env[:len(env)-t.cut]
}

// seal returns the token in the mode of the prefix, "s1" or "e1".
func (t *refToken) seal(prefix string) (string, error) {
	b, err := t.bytes(prefix)
	return prefix + "." + base64.RawURLEncoding.EncodeToString(b), err
}

func (t *refToken) bytes(prefix string) ([]byte, error) {
	kid, env := t.subkey("kid")[:8], t.envelope()
	switch prefix {
	case "s1":
		signed := slices.Concat(kid, env)
		mac := refHMAC(t.subkey("mac"), refPAE([]byte(refNS), []byte("s1"), signed))
		return append(signed, mac...), nil
	case "e1":
		aad := refPAE([]byte(refNS), []byte("e1"), kid)
		sealed, err := refXAES(t.subkey("enc"), t.nonce[:], env, aad)
		return slices.Concat(kid, t.nonce[:], sealed), err
	}
	return nil, errors.New("no such prefix")
}

func sha(b []byte) [32]byte { return sha256.Sum256(b) }
