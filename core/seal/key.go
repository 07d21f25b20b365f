package seal

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
)

// minKey is the length in bytes under which a key is refused. It is also the
// length of the keys that GenerateKey and EphemeralKey make.
const minKey = 32

var (
	errZeroKey   = errors.New("the zero Key: make one with HexKey, Base64Key, RawKey or EphemeralKey")
	errEmptyKey  = errors.New("empty: make a key with GenerateKey or `openssl rand -hex 32`")
	errHexKey    = errors.New("not hexadecimal: HexKey takes pairs of 0-9 and a-f and nothing around them")
	errBase64Key = errors.New("not base64: Base64Key takes the standard alphabet with padding and nothing around it")
	errRepeated  = errors.New("repeated or counting bytes: make a key with GenerateKey or `openssl rand -hex 32`")
)

// Key is a secret that tokens are sealed and opened with, and what a [Ring]
// may use it for. A mistake made while making one is kept in it and reported
// by [NewRing] and [Ring.Replace], so that keys can be listed where they are
// needed. Printing, logging or encoding a Key shows an id and its state, never
// the secret. A Key is safe for concurrent use.
type Key struct {
	secret *secret
	state  keyState
	err    error
}

type secret struct {
	// A function, since fmt calls no methods on the unexported fields of
	// somebody's struct and, given a verb that does not fit, follows pointers.
	root      func() []byte
	id        string
	ephemeral bool
}

type keyState string

const (
	active   keyState = ""
	openOnly keyState = "open only"
	retired  keyState = "retired"
)

// RawKey takes a key as it is, at least 32 bytes from a cryptographic random
// source. A passphrase is no key. The bytes are copied.
func RawKey(key []byte) Key { return newKey(bytes.Clone(key)) }

// HexKey takes a key written in hexadecimal, at least 64 digits, as
// [GenerateKey] and `openssl rand -hex 32` write it. White space is not
// trimmed.
func HexKey(s string) Key {
	root, err := hex.DecodeString(s)
	if err != nil {
		return Key{err: errHexKey} // The cause quotes a digit of the key.
	}
	return newKey(root)
}

// Base64Key takes a key written in base64 with the standard alphabet and with
// padding (RFC 4648, section 4), at least 44 characters, as
// `openssl rand -base64 32` writes it. White space is not trimmed.
func Base64Key(s string) Key {
	root, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || base64.StdEncoding.EncodedLen(len(root)) != len(s) {
		return Key{err: errBase64Key} // The decoder skips line ends, so the length is compared.
	}
	return newKey(root)
}

// EphemeralKey makes a key that is known to this process only. What it seals
// is lost with the process and unknown to every other instance, so it fits
// tests, and servers that run once and alone.
func EphemeralKey() Key {
	k := newKey(randomKey())
	k.secret.ephemeral = true
	return k
}

// GenerateKey makes a new key for an operator to store, written for [HexKey].
func GenerateKey() string { return hex.EncodeToString(randomKey()) }

func randomKey() []byte {
	root := make([]byte, minKey)
	_, _ = rand.Read(root) // Never fails; it ends the process instead.
	return root
}

func newKey(root []byte) Key {
	if err := checkKey(root); err != nil {
		return Key{err: err}
	}
	id, err := hkdf.Key(sha256.New, root, nil, string(pae(namespace, labelKeyID, "", "")), kidSize)
	return Key{secret: &secret{root: func() []byte { return root }, id: hex.EncodeToString(id)}, err: err}
}

func checkKey(root []byte) error {
	switch {
	case len(root) == 0:
		return errEmptyKey
	case len(root) < minKey:
		return fmt.Errorf("%d bytes: a key has at least %d", len(root), minKey)
	case repeats(root):
		return errRepeated
	}
	var seen [256]bool
	distinct := 0
	for _, b := range root {
		if !seen[b] {
			seen[b] = true
			distinct++
		}
	}
	if distinct < 8 {
		return fmt.Errorf("%d different bytes: make a key with GenerateKey or `openssl rand -hex 32`", distinct)
	}
	return nil
}

// repeats reports whether the steps from byte to byte have a period of at most
// half the key. That finds one byte or one word over and over, and keys
// that count.
func repeats(root []byte) bool {
	steps := make([]byte, len(root)-1)
	for i := range steps {
		steps[i] = root[i+1] - root[i]
	}
	for period := 1; period <= len(root)/2; period++ {
		if bytes.Equal(steps[period:], steps[:len(steps)-period]) {
			return true
		}
	}
	return false
}

// OpenOnly returns the key as one that opens but never seals: a key on its way
// in, before every instance has it, or on its way out, while its tokens live.
func (k Key) OpenOnly() Key {
	k.state = openOnly
	return k
}

// Retired returns the key as one that neither seals nor opens. It is worth
// keeping in the ring for a while, so that a log can tell late tokens from
// those of nobody's key ([OpenError.Retired]).
func (k Key) Retired() Key {
	k.state = retired
	return k
}

// String returns the id and the state of the key. The id is derived from the
// secret in a way that does not lead back, and the same everywhere.
func (k Key) String() string {
	switch {
	case k.secret == nil:
		return "seal.Key(invalid)"
	case k.state == active:
		return "seal.Key(" + k.secret.id + ")"
	default:
		return "seal.Key(" + k.secret.id + ", " + string(k.state) + ")"
	}
}

// GoString is [Key.String].
func (k Key) GoString() string { return k.String() }

// LogValue is [Key.String] for package log/slog.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText is [Key.String] for encoders such as encoding/json. There is no
// way back from it.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
