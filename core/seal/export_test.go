package seal

// What the external tests reach of the inside: the nonce, which is random
// everywhere else, and XAES-256-GCM as it is.

// SealFixed is Seal with a nonce and an ID that are given.
func (c *Codec) SealFixed(m Mode, b Binding, cl Claims, payload []byte, nonce [24]byte) (string, error) {
	return c.seal(m, &b, &cl, payload, nonce)
}

// XAES is the AEAD under encrypted tokens.
type XAES struct{ x *xaes }

// NewXAES takes a key of 32 bytes.
func NewXAES(key []byte) (XAES, error) {
	x, err := newXAES(key)
	return XAES{x}, err
}

// Subkey returns K1 of the C2SP text.
func (x XAES) Subkey() []byte { return x.x.k1[:] }

// Seal appends to dst.
func (x XAES) Seal(dst, nonce, plaintext, data []byte) ([]byte, error) {
	return x.x.seal(dst, nonce, plaintext, data)
}

// Open overwrites ciphertext.
func (x XAES) Open(nonce, ciphertext, data []byte) ([]byte, bool, error) {
	return x.x.open(nonce, ciphertext, data)
}
