package oauthtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/big"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Algorithms are those that the server signs with.
var Algorithms = []string{"RS256", "ES256", "EdDSA"}

// jwk is a public key as a key set has it (RFC 7517; RFC 8037).
type jwk struct {
	Kty string `json:"kty"`
	Kid string `json:"kid"`
	Alg string `json:"alg"`
	Use string `json:"use"`
	N   string `json:"n,omitempty"`
	E   string `json:"e,omitempty"`
	Crv string `json:"crv,omitempty"`
	X   string `json:"x,omitempty"`
	Y   string `json:"y,omitempty"`
}

// signer is a key pair for one algorithm.
type signer struct {
	public jwk
	key    crypto.Signer
}

var encode = base64.RawURLEncoding.EncodeToString

func newSigner(alg string) (*signer, error) {
	s := &signer{public: jwk{Kid: rand.Text(), Alg: alg, Use: "sig"}}
	switch alg {
	case "RS256":
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			return nil, err
		}
		s.key, s.public.Kty = key, "RSA"
		s.public.N, s.public.E = encode(key.N.Bytes()), encode(big.NewInt(int64(key.E)).Bytes())
	case "ES256":
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		point, err := key.PublicKey.Bytes() // 4, x, y
		if err != nil {
			return nil, err
		}
		s.key, s.public.Kty, s.public.Crv = key, "EC", "P-256"
		s.public.X, s.public.Y = encode(point[1:33]), encode(point[33:])
	case "EdDSA":
		public, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		s.key, s.public.Kty, s.public.Crv, s.public.X = key, "OKP", "Ed25519", encode(public)
	default:
		return nil, fmt.Errorf("oauthtest: no algorithm %q", alg)
	}
	return s, nil
}

// sign signs header and claims as they are given.
func (s *signer) sign(header, claims []byte) (string, error) {
	text := encode(header) + "." + encode(claims)
	signature, err := s.signature([]byte(text))
	return text + "." + encode(signature), err
}

func (s *signer) signature(text []byte) ([]byte, error) {
	digest := sha256.Sum256(text)
	switch key := s.key.(type) {
	case *ecdsa.PrivateKey:
		r, v, err := ecdsa.Sign(rand.Reader, key, digest[:])
		if err != nil {
			return nil, err
		}
		out := make([]byte, 64)
		r.FillBytes(out[:32])
		v.FillBytes(out[32:])
		return out, nil
	case ed25519.PrivateKey:
		return ed25519.Sign(key, text), nil
	}
	return s.key.Sign(rand.Reader, digest[:], crypto.SHA256)
}

// public is the key that a JWK describes.
func (k *jwk) public() (crypto.PublicKey, error) {
	var parts [][]byte
	for _, text := range []string{k.N, k.E, k.X, k.Y} {
		raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
		if err != nil {
			return nil, err
		}
		parts = append(parts, raw)
	}
	n, e, x, y := parts[0], parts[1], parts[2], parts[3]
	switch {
	case k.Kty == "RSA" && len(n) >= 256 && len(e) > 0 && len(e) < 5:
		return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}, nil
	case k.Kty == "EC" && k.Crv == "P-256" && len(x) == 32 && len(y) == 32:
		return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...))
	case k.Kty == "OKP" && k.Crv == "Ed25519" && len(x) == ed25519.PublicKeySize:
		return ed25519.PublicKey(x), nil
	}
	return nil, fmt.Errorf("oauthtest: a key of type %q that cannot be used", k.Kty)
}

// encodeJSON is for values that always encode: strings, numbers and maps of them.
func encodeJSON(v any) []byte {
	raw, err := jsonx.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
