package headers_test

import (
	"testing"

	"github.com/parleymcp/parley/core/server/internal/headers"
)

func TestJSONContentType(t *testing.T) {
	for _, value := range []string{
		"application/json", "Application/JSON", " application/json\t", "application/json;charset=utf-8",
		"application/json ; charset=UTF-8", "application/json;", `application/json;a="x,y;z"`,
	} {
		if !headers.JSONContentType([]string{value}) {
			t.Errorf("%q refused", value)
		}
	}
	for _, values := range [][]string{
		nil,
		{""},
		{"application/json", "application/json"},
		{"application/json", ""},
		{"text/plain"},
		{"text/json"},
		{"application/jsonp"},
		{"application/json-rpc"},
		{"application/vnd.api+json"},
		{"application/x-www-form-urlencoded"},
		{"application /json"},
		{"json"},
		{"*/*"},
		{"application/*"},
		{"application/json, text/plain"},
		{"text/plain, application/json"},
		{"text/plain; application/json"},
		{"application/json;a=b, text/plain"},
		{"application/json,"},
		{";application/json"},
		{"application/jſon"},
	} {
		if headers.JSONContentType(values) {
			t.Errorf("%q taken", values)
		}
	}
}

func TestIdentity(t *testing.T) {
	for _, values := range [][]string{nil, {""}, {"identity"}, {"Identity"}, {" identity , identity"}, {"identity", "IDENTITY"}, {","}} {
		if !headers.Identity(values) {
			t.Errorf("%q refused", values)
		}
	}
	for _, values := range [][]string{{"gzip"}, {"identity, gzip"}, {"identity", "br"}, {"x"}, {"identity;q=1"}, {"*"}, {`"identity"`}} {
		if headers.Identity(values) {
			t.Errorf("%q taken", values)
		}
	}
}
