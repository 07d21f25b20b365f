package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"sync"
)

var segment = base64.RawURLEncoding.Strict()

// layout is where things stand in the bytes of a token around its payload.
type layout struct {
	prefix string
	nonce  int // length of the nonce
	env    int // where the envelope begins, after kid and nonce
	proof  int // length of what follows the payload
}

var (
	signed    = layout{prefix: "s1.", env: kidSize, proof: sha256.Size}
	encrypted = layout{prefix: "e1.", nonce: xaesNonceSize, env: kidSize + xaesNonceSize, proof: xaesTagSize}
)

func (m Mode) layout() (*layout, error) {
	switch m {
	case Signed:
		return &signed, nil
	case Encrypted:
		return &encrypted, nil
	}
	return nil, errMode
}

// around is the number of bytes a token has besides its payload.
func (l *layout) around() int { return l.env + atPayload + l.proof }

// maxPayload is how many bytes of payload reach MaxToken.
func (l *layout) maxPayload() int {
	return segment.DecodedLen(MaxToken-len(l.prefix)) - l.around()
}

// Tokens are made and opened in buffers that are used again, so that a forged
// one costs no memory. What a call returns is a copy.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func recycle(buf *[]byte) {
	clear(*buf) // It may hold what was encrypted.
	buffers.Put(buf)
}

// decode returns a buffer with the bytes of a token at rawAt.
func (l *layout) decode(kept *[]byte, token string) ([]byte, error) {
	text, ok := strings.CutPrefix(token, l.prefix)
	if !ok {
		return nil, errEncoding
	}
	size := rawAt + segment.DecodedLen(len(text))
	buf := slices.Grow((*kept)[:0], size)[:size]
	*kept = buf
	n, err := segment.Decode(buf[rawAt:], []byte(text))
	// A strict decoder refuses every other spelling, but skips line ends: then
	// the bytes have a shorter one.
	if err != nil || segment.EncodedLen(n) != len(text) || n < l.around() {
		return nil, errEncoding
	}
	return buf[:rawAt+n], nil
}

// verify returns the envelope in buf, if this key made it.
func (k *subkeys) verify(m Mode, l *layout, buf []byte) (env []byte, err error) {
	if m == Encrypted {
		nonce := buf[rawAt+kidSize:][:xaesNonceSize]
		env, ok, err := k.encrypt.open(nonce, buf[rawAt+l.env:], k.data)
		if err == nil && !ok {
			err = errIntegrity
		}
		return env, err
	}
	end := len(buf) - l.proof
	mac := k.sign.mac(buf[:end])
	if !hmac.Equal(mac[:], buf[end:]) {
		return nil, errIntegrity
	}
	return buf[rawAt+l.env : end], nil
}
