package jwtbind

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/parleymcp/parley/internal/jsonx"
)

var errTooLong = invalid("it is longer than 16 KiB")

// base64url is the alphabet of a segment. Go's decoder skips line breaks, even
// the strict one.
const base64url = alphanumeric + "-_"

// read takes a token in its compact form apart (RFC 7515, section 3.1) without
// verifying it. Both objects are read as they were signed: names exactly, and
// none twice at any depth, since readers differ in which one they take.
func read(raw string) (header, claims map[string]any, err error) {
	if len(raw) > maxToken {
		return nil, nil, errTooLong
	}
	segments := strings.Split(raw, ".")
	if len(segments) != 3 {
		return nil, nil, invalid("it is no JWT of three segments")
	}
	for _, s := range segments {
		if !madeOf(s, base64url) {
			return nil, nil, invalid("a segment is not base64url")
		}
	}
	if header = object(segments[0]); header == nil {
		return nil, nil, invalid("its header is no strict JSON object")
	}
	if claims = object(segments[1]); claims == nil {
		return nil, nil, invalid("its claims are no strict JSON object")
	}
	return header, claims, nil
}

// object decodes a segment; nil stands for one that is no object.
func object(segment string) map[string]any {
	text, err := base64.RawURLEncoding.Strict().DecodeString(segment)
	if err != nil {
		return nil
	}
	var members map[string]any
	if err := jsonx.Unmarshal(text, &members); err != nil {
		return nil
	}
	return members
}

// checkHeader refuses what the JWT library lets pass: kinds of token that are
// no access tokens, and extensions that nobody here understands.
func (p *policy) checkHeader(header map[string]any) error {
	if _, ok := header["crit"]; ok {
		return invalid("its header has crit, and no extension is understood")
	}
	if alg, ok := header["alg"].(string); !ok || !slices.Contains(p.methods, alg) {
		return invalid("its alg is not one of Methods")
	}
	if typ, ok := header["typ"]; ok && !isAccessToken(typ) {
		return invalid("its typ is not that of an access token")
	}
	return nil
}

// isAccessToken knows the types of RFC 9068, section 4, and the unspecific one
// of RFC 7519, section 5.1, which most issuers write. Media types have no case.
func isAccessToken(typ any) bool {
	s, ok := typ.(string)
	return ok && slices.Contains([]string{"jwt", "at+jwt", "application/at+jwt"}, strings.ToLower(s))
}
