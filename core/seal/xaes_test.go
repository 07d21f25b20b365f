package seal_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

// hexBytes is written in hexadecimal in the files of testdata.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func (h hexBytes) MarshalText() ([]byte, error) {
	return []byte(hex.EncodeToString(h)), nil
}

func readGolden[T any](tb testing.TB, name string) T {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return v
}

type xaesVectors struct {
	Vectors []struct {
		K, N, K1, AAD, Plaintext, Ciphertext hexBytes
	}
	Accumulated []struct {
		Iterations int
		Hash       hexBytes
	}
}

func TestXAESVectors(t *testing.T) {
	vectors := readGolden[xaesVectors](t, "xaes.json").Vectors
	if len(vectors) != 2 {
		t.Fatalf("%d vectors, want the two of the C2SP text", len(vectors))
	}
	for _, v := range vectors {
		x, err := seal.NewXAES(v.K)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Subkey(); !bytes.Equal(got, v.K1) {
			t.Errorf("K1 = %x, want %x", got, v.K1)
		}
		got, err := x.Seal(nil, v.N, v.Plaintext, v.AAD)
		if err != nil || !bytes.Equal(got, v.Ciphertext) {
			t.Errorf("sealed %x, %v, want %x", got, err, v.Ciphertext)
		}
		reference, err := refXAES(v.K, v.N, v.Plaintext, v.AAD)
		if err != nil || !bytes.Equal(reference, v.Ciphertext) {
			t.Errorf("reference: sealed %x, %v, want %x", reference, err, v.Ciphertext)
		}
		opened, ok, err := x.Open(v.N, bytes.Clone(v.Ciphertext), v.AAD)
		if err != nil || !ok || !bytes.Equal(opened, v.Plaintext) {
			t.Errorf("opened %q, %v, %v, want %q", opened, ok, err, v.Plaintext)
		}
		for i := range v.Ciphertext {
			forged := bytes.Clone(v.Ciphertext)
			forged[i] ^= 1
			if _, ok, err := x.Open(v.N, forged, v.AAD); ok || err != nil {
				t.Errorf("byte %d changed: opened %v, %v", i, ok, err)
			}
		}
	}
}

// TestXAESAccumulated is the randomized test of the C2SP text: inputs from one
// SHAKE128, outputs into another.
func TestXAESAccumulated(t *testing.T) {
	for _, want := range readGolden[xaesVectors](t, "xaes.json").Accumulated {
		if want.Iterations > 10_000 && (raceEnabled || testing.Short()) {
			continue // A million take three seconds, and a minute under the race detector, where they say nothing more.
		}
		rng, sum := sha3.NewSHAKE128(), sha3.NewSHAKE128()
		read := func(n int) []byte {
			b := make([]byte, n)
			_, _ = rng.Read(b) // A SHAKE never fails.
			return b
		}
		for range want.Iterations {
			key, nonce := read(32), read(24)
			plaintext := read(int(read(1)[0]))
			aad := read(int(read(1)[0]))
			x, err := seal.NewXAES(key)
			if err != nil {
				t.Fatal(err)
			}
			ciphertext, err := x.Seal(nil, nonce, plaintext, aad)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = sum.Write(ciphertext)
			opened, ok, err := x.Open(nonce, ciphertext, aad)
			if err != nil || !ok || !bytes.Equal(opened, plaintext) {
				t.Fatalf("does not open: %v, %v", ok, err)
			}
		}
		got := make([]byte, len(want.Hash))
		_, _ = sum.Read(got)
		if !bytes.Equal(got, want.Hash) {
			t.Errorf("%d iterations: %x, want %x", want.Iterations, got, want.Hash)
		}
	}
}

// TestHKDFVectors checks against RFC 5869, appendix A, what the package derives
// its keys with, and what the reference implementation does.
func TestHKDFVectors(t *testing.T) {
	vectors := readGolden[[]struct{ IKM, Salt, Info, OKM hexBytes }](t, "rfc5869.json")
	if len(vectors) != 3 {
		t.Fatalf("%d vectors, want the three with SHA-256", len(vectors))
	}
	for i, v := range vectors {
		got, err := hkdf.Key(sha256.New, v.IKM, v.Salt, string(v.Info), len(v.OKM))
		if err != nil || !bytes.Equal(got, v.OKM) {
			t.Errorf("A.%d: %x, %v, want %x", i+1, got, err, v.OKM)
		}
		if got := refHKDF(v.IKM, v.Salt, v.Info, len(v.OKM)); !bytes.Equal(got, v.OKM) {
			t.Errorf("A.%d: reference: %x, want %x", i+1, got, v.OKM)
		}
	}
}
