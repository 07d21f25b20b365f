package core_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/seal"
)

func decodeToken(t *testing.T, token string) string {
	t.Helper()
	_, segment, _ := strings.Cut(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(segment)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func ring(t *testing.T) *seal.Ring {
	t.Helper()
	r, err := seal.NewRing(seal.EphemeralKey())
	if err != nil {
		t.Fatal(err)
	}
	return r
}
