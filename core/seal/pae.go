package seal

import (
	"crypto/sha256"
	"encoding/binary"
)

// namespace separates everything this package derives, signs and digests from
// any other use of the same key. It is part of the token format: changing it
// makes all tokens in flight unknown.
const namespace = "parley/request-state/v1"

const (
	labelEncrypt = "enc"
	labelSign    = "mac"
	labelBind    = "bind"
	labelKeyID   = "kid"
)

// appendCount begins a pre-authentication encoding of n parts. With the count
// and every length written out, no two lists of parts have the same encoding.
func appendCount(b []byte, n int) []byte {
	return binary.BigEndian.AppendUint32(b, uint32(n)) //nolint:gosec // A list of 2^32 parts does not fit in memory.
}

func appendPart[T ~string | ~[]byte](b []byte, part T) []byte {
	return append(appendLength(b, len(part)), part...)
}

func appendLength(b []byte, n int) []byte {
	return binary.BigEndian.AppendUint32(b, uint32(n)) //nolint:gosec // Parts of 4 GiB are out of range, as Digest documents.
}

// pae encodes a list of short parts.
func pae(parts ...string) []byte {
	b := appendCount(nil, len(parts))
	for _, p := range parts {
		b = appendPart(b, p)
	}
	return b
}

// Digest returns SHA-256 over PAE(NS, parts...), so that no two different
// lists of parts share a digest by the way they are concatenated. It is how a
// [Binding] names a request: by convention the first part says what kind of
// digest it is. A part is shorter than 4 GiB.
func Digest(parts ...[]byte) [sha256.Size]byte {
	h := sha256.New()
	head := make([]byte, 0, 64)
	head = appendCount(head, 1+len(parts))
	head = appendPart(head, namespace)
	for _, p := range parts {
		h.Write(appendLength(head, len(p)))
		h.Write(p)
		head = head[:0]
	}
	h.Write(head)

	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return sum
}
