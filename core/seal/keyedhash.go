package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"sync"
)

// keyedHash is HMAC-SHA256 under one key. It keeps states that have absorbed
// the key, since that costs more than hashing a short message.
type keyedHash struct{ states sync.Pool }

type hashState struct {
	hash hash.Hash
	msg  []byte
	sum  [sha256.Size]byte
}

func newKeyedHash(key []byte) *keyedHash {
	return &keyedHash{sync.Pool{New: func() any {
		return &hashState{hash: hmac.New(sha256.New, key)}
	}}}
}

func (s *hashState) of(msg []byte) [sha256.Size]byte {
	s.hash.Reset()
	s.hash.Write(msg)
	s.hash.Sum(s.sum[:0])
	return s.sum
}

// signedHead is what a signature covers before kid and envelope, less the
// length of these two.
var signedHead = appendPart(appendPart(appendCount(nil, 3), namespace), "s1")

// rawAt is where the bytes of a token stand in the buffer it is made or opened
// in. The room before them makes what is signed one piece.
var rawAt = len(signedHead) + 4

// mac signs a buffer that ends with the envelope.
func (k *keyedHash) mac(buf []byte) [sha256.Size]byte {
	appendLength(append(buf[:0], signedHead...), len(buf)-rawAt)
	s := k.states.Get().(*hashState)
	defer k.states.Put(s)
	return s.of(buf)
}

// tag is what stands for the principal in a token: not the principal itself,
// which a signed token would show, nor a plain hash, which could be guessed.
func (k *keyedHash) tag(principal [][]byte) [tagSize]byte {
	kind := "principal"
	if principal == nil {
		kind = "anonymous"
	}
	s := k.states.Get().(*hashState)
	defer k.states.Put(s)
	s.msg = appendCount(s.msg[:0], 1+len(principal))
	s.msg = appendPart(s.msg, kind)
	for _, part := range principal {
		s.msg = appendPart(s.msg, part)
	}
	sum := s.of(s.msg)
	return [tagSize]byte(sum[:])
}
