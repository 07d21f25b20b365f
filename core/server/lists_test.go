package server_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

func numbered(from, to int) []core.Feature {
	var out []core.Feature
	for i := from; i < to; i++ {
		out = append(out, core.NewTool(fmt.Sprintf("t%d", i), "A tool.", echo))
	}
	return out
}

// names are those of a list, and the cursor to the rest.
func names(t *testing.T, a told, member string) (list []string, cursor string) {
	t.Helper()
	entries, ok := a.result()[member].([]any)
	if !ok {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	for _, e := range entries {
		m, _ := e.(map[string]any)
		name, _ := m["name"].(string)
		list = append(list, name)
	}
	cursor, _ = a.result()["nextCursor"].(string)
	return list, cursor
}

func page(t *testing.T, url, cursor string) ([]string, string) {
	t.Helper()
	a := ask{method: "tools/list"}
	if cursor != "" {
		a.params = `"cursor":"` + cursor + `"`
	}
	return names(t, tell(t, url, a), "tools")
}

func pages(t *testing.T, url string) [][]string {
	t.Helper()
	var all [][]string
	for cursor := ""; ; {
		var list []string
		list, cursor = page(t, url, cursor)
		all = append(all, list)
		if cursor == "" {
			return all
		}
	}
}

func TestPages(t *testing.T) {
	for name, tc := range map[string]struct {
		tools, size int
		want        string
	}{
		"one page":        {3, 0, "[[t0 t1 t2]]"},
		"exact":           {4, 2, "[[t0 t1] [t2 t3]]"},
		"a rest":          {5, 2, "[[t0 t1] [t2 t3] [t4]]"},
		"larger than all": {2, 10, "[[t0 t1]]"},
		"one at a time":   {3, 1, "[[t0] [t1] [t2]]"},
	} {
		t.Run(name, func(t *testing.T) {
			url := start(t, func(c *server.Config) { c.PageSize = tc.size }, numbered(0, tc.tools)...)
			for range 3 { // the order is always the same
				if got := fmt.Sprint(pages(t, url)); got != tc.want {
					t.Errorf("got %s, want %s", got, tc.want)
				}
			}
		})
	}
}

// A cursor holds while tools come and go before and behind it.
func TestCursorsSurviveChanges(t *testing.T) {
	tools := numbered(0, 6)
	srv := newServer(t, func(c *server.Config) { c.PageSize = 2 }, tools...)
	url := serve(t, &bridge{srv: srv})
	_, cursor := page(t, url, "")
	srv.Remove(tools[1], tools[2]) // the last of the page, and the next one
	if err := srv.Add(numbered(6, 7)...); err != nil {
		t.Fatal(err)
	}
	list, cursor := page(t, url, cursor)
	if got := fmt.Sprint(list); got != "[t3 t4]" {
		t.Errorf("second page %s", got)
	}
	list, cursor = page(t, url, cursor)
	if got := fmt.Sprint(list, cursor); got != "[t5 t6]" {
		t.Errorf("third page %s", got)
	}
	if got := fmt.Sprint(pages(t, url)); got != "[[t0 t3] [t4 t5] [t6]]" {
		t.Errorf("all pages %s", got)
	}
}

func TestBadCursors(t *testing.T) {
	srv := newServer(t, func(c *server.Config) { c.PageSize = 1 }, append(documents(), numbered(0, 3)...)...)
	url := serve(t, &bridge{srv: srv})
	_, good := page(t, url, "")
	raw, err := base64.RawURLEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, bad := range []string{"", "x", good + "A", good + "=", strings.ToUpper(good), encode(string(raw[:1])), encode(string(raw[:1]) + "01"), encode(string(raw[:1]) + "99"), encode(string(raw[:1]) + "-1"), strings.Repeat("A", 1000)} {
		got := tell(t, url, ask{method: "tools/list", params: `"cursor":"` + bad + `"`})
		refused{200, -32602, "Unknown cursor"}.check(t, got, "1")
	}
	got := tell(t, url, ask{method: "resources/list", params: `"cursor":"` + good + `"`})
	refused{200, -32602, "Unknown cursor"}.check(t, got, "1")
	if _, cursor := page(t, url, ""); cursor != good {
		t.Errorf("another cursor: %q, %q", good, cursor)
	}
	if got := tell(t, url, ask{method: "tools/list", params: `"cursor":null`}); got.result() == nil {
		t.Errorf("null counts as absent: %s", got.body)
	}
}

// T30: who may not see a feature finds it neither in a list nor by its name.
func TestVisible(t *testing.T) {
	runs := 0
	hidden := toolOf("hidden", func(context.Context, *core.Event) (string, error) {
		runs++
		return "run", nil
	})
	url := start(t, func(c *server.Config) {
		c.PageSize = 2
		c.Principal = func(_ context.Context, h core.Header) (core.Principal, error) {
			return core.Principal{Issuer: "i", Subject: h.Get("Authorization")}, nil
		}
		c.Visible = func(p core.Principal, f core.Feature) bool {
			return p.Subject == "root" || f.Name() != "hidden" && f.Name() != "docs://secret"
		}
	}, append([]core.Feature{hidden}, append(documents(), numbered(0, 2)...)...)...)
	for subject, want := range map[string]string{"root": "[hidden echo t0 t1]", "ada": "[echo t0 t1]"} {
		as := func(a ask) ask {
			a.header = map[string]string{"Authorization": subject}
			return a
		}
		var list []string
		for cursor, more := "", true; more; more = cursor != "" {
			a := as(ask{method: "tools/list"})
			if cursor != "" {
				a.params = `"cursor":"` + cursor + `"`
			}
			var page []string
			page, cursor = names(t, tell(t, url, a), "tools")
			list = append(list, page...)
		}
		if fmt.Sprint(list) != want {
			t.Errorf("%s sees %v, want %s", subject, list, want)
		}
		got := tell(t, url, as(call("hidden", "")))
		if root := subject == "root"; (got.text() == "run") != root || !root && (got.message() != "Unknown tool" || runs > 0) {
			t.Errorf("%s: %s", subject, got.body)
		}
		runs = 0
		got = tell(t, url, as(ask{method: "resources/read", name: "docs://secret", params: `"uri":"docs://secret"`}))
		if (got.result() != nil) != (subject == "root") {
			t.Errorf("%s: %s", subject, got.body)
		}
	}
}

// T30: private unless the operator says otherwise, and the same on every page.
func TestCacheScope(t *testing.T) {
	for _, public := range []bool{false, true} {
		url := start(t, func(c *server.Config) {
			c.PageSize, c.DangerouslyPublicLists, c.ListTTL = 1, public, 1500e6
		}, documents()...)
		want := map[bool]string{false: "private", true: "public"}[public]
		for _, a := range []ask{
			{method: "tools/list"},
			{method: "resources/list"},
			{method: "resources/templates/list"},
			{method: "server/discover"},
		} {
			if r := tell(t, url, a).result(); r["cacheScope"] != want || r["ttlMs"] != 1500.0 {
				t.Errorf("%s: %v", a.method, r)
			}
		}
	}
}

// A capability is advertised when it is served, and does not go away with the
// last feature.
func TestDiscover(t *testing.T) {
	srv := newServer(t, func(c *server.Config) { c.Instructions = "Use it." })
	url := serve(t, &bridge{srv: srv})
	capabilities := func() string {
		t.Helper()
		r := tell(t, url, ask{method: "server/discover"}).result()
		if r["instructions"] != "Use it." || fmt.Sprint(r["supportedVersions"]) != "[2026-07-28 2025-11-25 2025-06-18 2025-03-26]" {
			t.Errorf("got %v", r)
		}
		return fmt.Sprint(r["capabilities"])
	}
	if got := capabilities(); got != "map[]" {
		t.Errorf("at first %s", got)
	}
	refused{404, -32601, "Method not found"}.check(t, tell(t, url, ask{method: "resources/templates/list"}), "1")
	prompt := core.NewPrompt("p", "A prompt.", func(context.Context, *core.Event, struct {
		A string `json:"a"`
	},
	) (string, error) {
		return "", nil
	}, core.Complete("a", func(context.Context, *core.Event, string) ([]string, error) { return nil, nil }))
	features := append(documents(), prompt)
	const all = "map[completions:map[] logging:map[] prompts:map[listChanged:true] resources:map[listChanged:true subscribe:true] tools:map[listChanged:true]]"
	if err := srv.Add(features...); err != nil {
		t.Fatal(err)
	}
	if got := capabilities(); got != all {
		t.Errorf("then %s", got)
	}
	srv.Remove(features...)
	if got := capabilities(); got != all {
		t.Errorf("flaps: %s", got)
	}
	if list, _ := page(t, url, ""); len(list) > 0 {
		t.Errorf("left over %v", list)
	}
	if got := tell(t, url, ask{method: "tools/list"}); !strings.Contains(got.body, `"tools":[],`) {
		t.Errorf("T29: %s", got.body)
	}
}

// Add is all or none, from any goroutine, and names everything that is wrong.
func TestAdd(t *testing.T) {
	srv := newServer(t, nil, echoTool)
	url := serve(t, &bridge{srv: srv})
	bad := core.NewTool("bad", "Has a bad option.", echo, core.MIMEType("text/plain"))
	err := srv.Add(core.NewTool("fine", "Is fine.", echo), echoTool, nil, bad, core.NewTool("twice", "A.", echo), core.NewTool("twice", "B.", echo))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{`feature 1: the tool "echo" is registered already`, "feature 2: nil", "feature 3: ", `"bad"`, `feature 5: the tool "twice"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	if list, _ := page(t, url, ""); !slices.Equal(list, []string{"echo"}) {
		t.Errorf("after a failed Add: %v", list)
	}
}

// T20: what a web page has to be allowed to send grows with the annotations.
func TestCORSHeaders(t *testing.T) {
	type place struct {
		City string `json:"city,omitempty" header:"City"`
	}
	type in struct {
		Region string `json:"region,omitempty" header:"Region"`
		Place  place  `json:"place,omitzero"`
	}
	tool := core.NewTool("there", "Goes there.", func(_ context.Context, _ *core.Event, in in) (string, error) { return in.Region, nil })
	srv := newServer(t, nil, echoTool)
	url := serve(t, &bridge{srv: srv})
	base := srv.RequestHeaders()
	if err := srv.Add(tool); err != nil {
		t.Fatal(err)
	}
	if got := srv.RequestHeaders(); !slices.Equal(got, append(base, "Mcp-Param-City", "Mcp-Param-Region")) {
		t.Errorf("got %v", got)
	}
	for _, name := range []string{"Content-Type", "Authorization", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Last-Event-ID"} {
		if !slices.Contains(base, name) {
			t.Errorf("%s is missing", name)
		}
	}
	if got := srv.ResponseHeaders(); !slices.Contains(got, "WWW-Authenticate") || !slices.Contains(got, "Mcp-Session-Id") {
		t.Errorf("got %v", got)
	}

	for _, tc := range []struct {
		arguments, city string
		status          int
	}{
		{`{"place":{"city":"Rome"}}`, "Rome", 200},
		{`{"place":{"city":"Rome"}}`, "Oslo", 400},
		{`{"place":{"city":"Rome"}}`, "-", 400},
		{`{"place":{}}`, "-", 200},
		{`{"place":null}`, "Rome", 400},
		{`{"place":5}`, "Rome", 200}, // fails as an argument
	} {
		a := call("there", tc.arguments)
		a.header = map[string]string{"Mcp-Param-City": tc.city}
		if got := tell(t, url, a); got.status != tc.status || tc.status == 400 && got.code() != -32020 {
			t.Errorf("%+v: got %d %s", tc, got.status, got.body)
		}
	}

	// The cases of the conformance runner.
	for _, tc := range []struct {
		arguments, header string
		status            int
	}{
		{`{"region":"Hello"}`, "=?base64?SGVsbG8=?=", 200},
		{`{"region":"Hello"}`, "=?base64?SGVsbG8?=", 400},
		{`{"region":"Hello"}`, "=?base64?SGVs!!!bG8=?=", 400},
		{`{"region":"SGVsbG8="}`, "SGVsbG8=", 200},
		{`{"region":"=?base64?SGVsbG8="}`, "=?base64?SGVsbG8=", 200},
		{`{"region":"test-value"}`, "-", 400},
		{`{"region":"test-value"}`, "test-value", 200},
		{`{"a":{"region":"x"},"region":"test-value"}`, "test-value", 200},
		{`{}`, "x", 400},
		{`{"region":null}`, "-", 200},
		{``, "x", 400},
		{`{"region":""}`, "", 200}, // T9: an empty value is no missing one
		{`{"region":5}`, "x", 200}, // fails as an argument
	} {
		a := call("there", tc.arguments)
		a.header = map[string]string{"Mcp-Param-Region": tc.header}
		got := tell(t, url, a)
		if got.status != tc.status || tc.status == 400 && got.code() != -32020 {
			t.Errorf("%+v: got %d %s", tc, got.status, got.body)
		}
	}
}
