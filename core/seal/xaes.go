package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
)

const (
	xaesNonceSize = 24
	xaesTagSize   = 16
	gcmNonceSize  = 12
)

// xaes is XAES-256-GCM as https://c2sp.org/XAES-256-GCM describes it: AES-256-GCM
// under a key that is derived from the first half of a 24 byte nonce, so that
// nonces can be drawn at random for as many messages as a ring will ever see.
// The outer key schedule and the CMAC subkey K1 are kept.
type xaes struct {
	outer cipher.Block
	k1    [aes.BlockSize]byte
}

func newXAES(key []byte) (*xaes, error) {
	outer, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	x := &xaes{outer: outer}

	// Doubling of L in GF(2^128), without a branch on its secret top bit.
	var l [aes.BlockSize]byte
	outer.Encrypt(l[:], l[:])
	var carry byte
	for i := len(l) - 1; i >= 0; i-- {
		x.k1[i] = l[i]<<1 | carry
		carry = l[i] >> 7
	}
	x.k1[len(l)-1] ^= carry * 0b10000111
	return x, nil
}

// derive returns the AEAD for messages whose nonce begins with half.
func (x *xaes) derive(half []byte) (cipher.AEAD, error) {
	key := make([]byte, 2*aes.BlockSize)
	for i := range byte(2) {
		block := key[int(i)*aes.BlockSize:][:aes.BlockSize]
		copy(block, []byte{0x00, i + 1, 'X', 0x00})
		copy(block[4:], half)
		subtle.XORBytes(block, block, x.k1[:])
		x.outer.Encrypt(block, block)
	}
	inner, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(inner)
}

// seal appends the ciphertext and its tag to dst. As with [cipher.AEAD], dst
// may end where plaintext begins.
func (x *xaes) seal(dst, nonce, plaintext, data []byte) ([]byte, error) {
	gcm, err := x.derive(nonce[:gcmNonceSize])
	if err != nil {
		return nil, err
	}
	return gcm.Seal(dst, nonce[gcmNonceSize:], plaintext, data), nil
}

// open decrypts in place and reports whether the tag was right.
func (x *xaes) open(nonce, ciphertext, data []byte) (plaintext []byte, ok bool, err error) {
	gcm, err := x.derive(nonce[:gcmNonceSize])
	if err != nil {
		return nil, false, err
	}
	plaintext, err = gcm.Open(ciphertext[:0], nonce[gcmNonceSize:], ciphertext, data)
	return plaintext, err == nil, nil
}
