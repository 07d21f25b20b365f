package core

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"sync"
)

// Principal is who is calling. Issuer and Subject together name a caller: a
// subject alone is unique only within its issuer. Two principals are the same
// caller when they are equal (==); what changes when a token is refreshed is in
// [Identity]. The zero Principal is nobody and is refused.
type Principal struct {
	Issuer, Subject string
	Tenant, Client  string // optional

	anonymous bool
}

// Anonymous is the caller of a server that asks nobody who he is. It is a kind
// of its own: state sealed for it opens for no named principal, and the other
// way round. Anonymous state can be replayed by any anonymous caller while it
// lives.
var Anonymous = Principal{anonymous: true} //nolint:gochecknoglobals // a constant, but structs cannot be

// IsAnonymous reports whether p is [Anonymous].
func (p Principal) IsAnonymous() bool { return p.anonymous }

// Valid reports whether p names a caller: anonymous, or with an issuer and a
// subject that are not blank.
func (p Principal) Valid() bool {
	if p.anonymous {
		return p.Issuer == "" && p.Subject == "" && p.Tenant == "" && p.Client == ""
	}
	return strings.TrimSpace(p.Issuer) != "" && strings.TrimSpace(p.Subject) != ""
}

// Fingerprint stands for p in logs: twelve hexadecimal digits of an HMAC-SHA256
// whose key is drawn at random when the process starts. The same caller has the
// same one in all records of a process; it names nobody outside of it, cannot be
// computed from a list of users, and is another one after a restart. Of
// [Anonymous] it is "anonymous".
func (p Principal) Fingerprint() string {
	if p.anonymous {
		return "anonymous"
	}
	mac := hmac.New(sha256.New, fingerprintKey())
	for _, part := range []string{p.Issuer, p.Subject, p.Tenant, p.Client} {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return hex.EncodeToString(mac.Sum(nil)[:6])
}

var fingerprintKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails: crypto/rand
	return key
})

// LogValue is the fingerprint: a principal that is logged says no more.
func (p Principal) LogValue() slog.Value { return slog.StringValue(p.Fingerprint()) }

// binding is what sealed state is tied to; nil stands for anonymous.
func (p Principal) binding() ([][]byte, error) {
	if !p.Valid() {
		return nil, errors.New("parley: the principal has no issuer or no subject")
	}
	if p.anonymous {
		return nil, nil
	}
	return [][]byte{[]byte(p.Issuer), []byte(p.Subject), []byte(p.Tenant), []byte(p.Client)}, nil
}
