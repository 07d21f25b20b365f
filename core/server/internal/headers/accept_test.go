package headers_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/server/internal/headers"
)

func TestAccept(t *testing.T) {
	const (
		none   = 0
		asJSON = 1
		stream = 2
		both   = 3
	)
	for name, tc := range map[string]struct {
		values []string
		want   int
	}{
		"T11 absent":                 {nil, both},
		"empty":                      {[]string{""}, both},
		"both":                       {[]string{"application/json, text/event-stream"}, both},
		"both, other order":          {[]string{"text/event-stream,application/json"}, both},
		"two lines":                  {[]string{"application/json", "text/event-stream"}, both},
		"T11 JSON only":              {[]string{"application/json"}, asJSON},
		"T11 stream only":            {[]string{"text/event-stream"}, stream},
		"T11 any":                    {[]string{"*/*"}, both},
		"any application":            {[]string{"application/*"}, asJSON},
		"any text":                   {[]string{"text/*"}, stream},
		"neither":                    {[]string{"text/html"}, none},
		"neither, many":              {[]string{"text/html, image/*", "application/xml"}, none},
		"browser":                    {[]string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, both},
		"case":                       {[]string{"Application/JSON, TEXT/Event-Stream"}, both},
		"parameters":                 {[]string{"application/json; charset=utf-8, text/event-stream;x=\"y\""}, both},
		"weights":                    {[]string{"application/json;q=0.001, text/event-stream;q=1.000"}, both},
		"no weight":                  {[]string{"application/json;q=0, text/event-stream"}, stream},
		"no weight, long":            {[]string{"application/json;q=0.000, text/event-stream;Q=0"}, none},
		"specific refusal wins":      {[]string{"*/*, text/event-stream;q=0"}, asJSON},
		"in either order":            {[]string{"text/event-stream;q=0, */*"}, asJSON},
		"specific consent wins":      {[]string{"application/json, */*;q=0"}, asJSON},
		"type refused":               {[]string{"*/*, text/*;q=0"}, asJSON},
		"subtype against type":       {[]string{"text/*;q=0, text/event-stream, */*"}, both},
		"refused across lines":       {[]string{"*/*", "application/json;q=0"}, stream},
		"one variant refused":        {[]string{"application/json;v=1;q=0, application/json"}, asJSON},
		"only the variant refused":   {[]string{"application/json;v=1;q=0, */*"}, both},
		"said twice":                 {[]string{"application/json;q=0, application/json"}, asJSON},
		"said twice, other way":      {[]string{"application/json, application/json;q=0"}, asJSON},
		"comma in quotes":            {[]string{`application/json;a="x, text/event-stream"`}, asJSON},
		"quote in quotes":            {[]string{`application/json;a="\", text/event-stream, \""`}, asJSON},
		"semicolon in quotes":        {[]string{`application/json;a=";q=0"`}, asJSON},
		"open quotes":                {[]string{`text/html;a="x, application/json`}, none},
		"after the weight":           {[]string{"application/json;q=1;q=0"}, asJSON},
		"spaces":                     {[]string{" application/json \t;\t q = 0.5 , ,,text/event-stream ; "}, both},
		"old Java":                   {[]string{"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"}, both},
		"malformed, ignored":         {[]string{"application, */json, application/json/x, text/event-stream"}, stream},
		"malformed alone":            {[]string{"json"}, both},
		"empty subtype":              {[]string{"application/, /json, /, text/event-stream"}, stream},
		"space in a type":            {[]string{"application/ json, text/event-stream"}, stream},
		"weight over one":            {[]string{"application/json;q=1.1, text/event-stream"}, stream},
		"weight of two":              {[]string{"application/json;q=2, text/event-stream"}, stream},
		"negative weight":            {[]string{"application/json;q=-0, text/event-stream"}, stream},
		"weight with letters":        {[]string{"application/json;q=0.x, text/event-stream"}, stream},
		"empty weight":               {[]string{"application/json;q=, text/event-stream"}, stream},
		"weight without value":       {[]string{"application/json;q, text/event-stream"}, stream},
		"just a point":               {[]string{"application/json;q=., text/event-stream"}, stream},
		"long s is no s":             {[]string{"application/jſon, text/event-stream"}, stream},
		"vendor JSON is not ours":    {[]string{"application/vnd.api+json"}, none},
		"prefix is not ours":         {[]string{"application/jsonx, text/event-streams"}, none},
		"partial wildcard is no one": {[]string{"app*/json, text/event-*"}, none},
	} {
		t.Run(name, func(t *testing.T) {
			j, s := headers.Accept(tc.values)
			if j != (tc.want&asJSON != 0) || s != (tc.want&stream != 0) {
				t.Errorf("%q: JSON %v, stream %v", tc.values, j, s)
			}
		})
	}
}

func FuzzAccept(f *testing.F) {
	f.Add("application/json, text/event-stream;q=0.1")
	f.Add(`*/*;a="\",";q=0`)
	f.Fuzz(func(t *testing.T, value string) {
		j, s := headers.Accept([]string{value})
		// Lines are joined, a range that is repeated says nothing new, and
		// whoever says it plainly gets it.
		if j2, s2 := headers.Accept([]string{value, value}); j != j2 || s != s2 {
			t.Fatalf("twice: %v %v, once: %v %v", j2, s2, j, s)
		}
		if j2, s2 := headers.Accept([]string{"application/json, text/event-stream", value}); !j2 || !s2 {
			t.Fatalf("%v %v", j2, s2)
		}
		_ = headers.JSONContentType([]string{value})
		if headers.Identity([]string{value}) && strings.Contains(value, "gzip") {
			t.Fatal("gzip taken for identity")
		}
	})
}
