package core_test

import (
	"encoding/base64"
	"strings"
	"testing"
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
