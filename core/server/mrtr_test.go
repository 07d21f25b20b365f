package server_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

type person struct {
	Name string `json:"name"`
}

var askName = core.Form[person]("user_name", "What is your name?")

// greet asks for a name and returns a greeting.
func greet(ev *core.Event) (string, error) {
	switch a := askName.Answer(ev); a.State {
	case core.Accepted:
		return "Hello, " + a.Value.Name + "!", nil
	case core.Declined, core.Cancelled:
		return "No problem.", nil
	default:
		return "", ev.InputRequired(askName)
	}
}

func testKey(seed byte) seal.Key {
	sum := sha256.Sum256([]byte{seed})
	return seal.RawKey(sum[:])
}

// statefulServer has a tool that counts its rounds in a sealed state.
func statefulServer(t *testing.T, change func(*server.Config)) (string, *server.Server) {
	t.Helper()
	type step struct{ N int }
	wizard := core.NewState[step]("wizard")
	tool := toolOf("wizard", func(_ context.Context, ev *core.Event) (string, error) {
		st, err := wizard.Open(ev)
		if err != nil {
			return "", err
		}
		if st.N == 2 {
			return "done", nil
		}
		return "", wizard.InputRequired(ev, step{N: st.N + 1})
	})
	srv := newServer(t, change, tool)
	return serve(t, &bridge{srv: srv}), srv
}

// elicited declares the capability to be asked by a form.
func elicited(a ask) ask {
	a.meta = metaWith(`{"elicitation":{}}`)
	return a
}

// M20: tools, prompts, resources and templates ask and read alike; M21, T29:
// the interim result has exactly its members and is never cached.
func TestRoundTrip(t *testing.T) {
	type vars struct {
		ID string `json:"id"`
	}
	features := []core.Feature{
		toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) }),
		core.NewPrompt("greet", "Greets.", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) { return greet(ev) }),
		core.NewResource("docs://greeting", "greeting", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) },
			core.CacheTTL(60e9), core.CachePublic()),
		core.NewResource("docs://plain", "plain", func(context.Context, *core.Event) (string, error) { return "x", nil }, core.CachePublic()),
		core.NewTemplate("docs://{id}/greeting", "greeting", func(_ context.Context, ev *core.Event, _ vars) (string, error) { return greet(ev) },
			core.CacheTTL(60e9), core.CachePublic()),
	}
	const interim = `{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{"user_name":{"method":"elicitation/create","params":` +
		`{"mode":"form","message":"What is your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}},` +
		`"resultType":"input_required",` + serverInfo + `}}`
	inStyles(t, func(t *testing.T, detached bool) {
		url := serve(t, &bridge{srv: newServer(t, nil, features...), detached: detached})
		for name, a := range map[string]ask{
			"tool":     call("greet", ""),
			"prompt":   {method: "prompts/get", name: "greet", params: `"name":"greet"`},
			"resource": {method: "resources/read", name: "docs://greeting", params: `"uri":"docs://greeting"`},
			"template": {method: "resources/read", name: "docs://7/greeting", params: `"uri":"docs://7/greeting"`},
		} {
			t.Run(name, func(t *testing.T) {
				a = elicited(a)
				if got := tell(t, url, a); got.body != interim || got.status != 200 {
					t.Errorf("first round %d %s\nwant %s", got.status, got.body, interim)
				}
				again := a
				again.params += `,"inputResponses":null,"requestState":null`
				if got := tell(t, url, again); got.body != interim {
					t.Errorf("null is no answer: %s", got.body)
				}
				// M7: what nobody asked for is nobody's business.
				a.params += `,"inputResponses":{"user_name":{"action":"accept","content":{"name":"Ada"}},"other":5}`
				got := tell(t, url, a)
				if !strings.Contains(got.body, "Hello, Ada!") || got.result()["resultType"] != "complete" {
					t.Errorf("second round %d %s", got.status, got.body)
				}
				if scope, ok := got.result()["cacheScope"]; ok && (scope != "private" || got.result()["ttlMs"] != 0.0) {
					t.Errorf("a result of answers can be cached: %s", got.body)
				}
			})
		}
		plain := ask{method: "resources/read", name: "docs://plain", params: `"uri":"docs://plain"`}
		for _, more := range []string{`,"requestState":"x"`, `,"inputResponses":{}`} {
			a := plain
			a.params += more
			if got := tell(t, url, a); got.result()["cacheScope"] != "private" || got.result()["ttlMs"] != 0.0 {
				t.Errorf("a result of a flow can be cached: %s", got.body)
			}
		}
		if got := tell(t, url, plain); got.result()["cacheScope"] != "public" {
			t.Errorf("and this one not: %s", got.body)
		}
	})
}

// M3: a round with state alone is input_required, with an empty object.
func TestStateOnlyRound(t *testing.T) {
	url, _ := statefulServer(t, func(c *server.Config) { c.Keys = []seal.Key{testKey('a')} })
	state := ""
	for range 2 {
		a := call("wizard", "")
		if state != "" {
			a.params += `,"requestState":"` + state + `"`
		}
		got := tell(t, url, a)
		state, _ = got.result()["requestState"].(string)
		want := `{"jsonrpc":"2.0","id":1,"result":{"inputRequests":{},"requestState":"` + state + `","resultType":"input_required",` + serverInfo + `}}`
		if got.body != want || state == "" {
			t.Fatalf("got  %s\nwant %s", got.body, want)
		}
	}
	a := call("wizard", "")
	a.params += `,"requestState":"` + state + `"`
	if got := tell(t, url, a); got.text() != "done" {
		t.Errorf("last round: %s", got.body)
	}
}

// M1, M2: a client that cannot be asked gets all that is missing, at 400.
func TestGateOverHTTP(t *testing.T) {
	sampling := core.Raw("s", "sampling/createMessage", []byte(`{"messages":[],"maxTokens":1}`))
	tool := toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) {
		return "", ev.InputRequired(askName, sampling)
	})
	url := start(t, nil, tool)
	for capabilities, want := range map[string]string{
		`{}`:                          `map[elicitation:map[form:map[]] sampling:map[]]`,
		`{"elicitation":true}`:        `map[elicitation:map[form:map[]] sampling:map[]]`,
		`{"elicitation":{"url":{}}}`:  `map[elicitation:map[form:map[]] sampling:map[]]`,
		`{"elicitation":{"form":{}}}`: `map[sampling:map[]]`,
		`{"sampling":{}}`:             `map[elicitation:map[form:map[]]]`,
	} {
		a := call("greet", "")
		a.meta = metaWith(capabilities)
		got := tell(t, url, a)
		if required := fmt.Sprint(got.data()["requiredCapabilities"]); got.status != 400 || got.code() != -32021 || required != want {
			t.Errorf("%s: got %d %s", capabilities, got.status, got.body)
		}
	}
}

// M6, M8: what the handler must not see, as fixed texts at 400.
func TestMalformedAnswers(t *testing.T) {
	url := start(t, nil, toolOf("greet", func(_ context.Context, ev *core.Event) (string, error) { return greet(ev) }))
	deep := strings.Repeat(`[`, 17) + strings.Repeat(`]`, 17)
	keys := make([]string, 65)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d":{}`, i)
	}
	many := "{" + strings.Join(keys, ",") + "}"
	for name, tc := range map[string]struct{ members, text string }{
		"a list":          {`"inputResponses":[]`, "Invalid params: inputResponses must be an object"},
		"a number":        {`"inputResponses":5`, "Invalid params: inputResponses must be an object"},
		"too deep":        {`"inputResponses":{"x":` + deep + `}`, "Invalid params: inputResponses is nested too deeply"},
		"too many":        {`"inputResponses":` + many, "Invalid params: inputResponses has too many entries"},
		"too large":       {`"inputResponses":{"x":"` + strings.Repeat("a", 256<<10) + `"}`, "Invalid params: inputResponses is too large"},
		"long key":        {`"inputResponses":{"` + strings.Repeat("k", 129) + `":{}}`, "Invalid params: inputResponses has a key that is too long"},
		"unknown action":  {`"inputResponses":{"user_name":{"action":"maybe"}}`, "Invalid input response"},
		"nested content":  {`"inputResponses":{"user_name":{"action":"accept","content":{"name":{}}}}`, "Invalid input response"},
		"no object":       {`"inputResponses":{"user_name":12345}`, "Invalid input response"},
		"state a number":  {`"requestState":5`, "Invalid request state"},
		"state an object": {`"requestState":{}`, "Invalid request state"},
		"state too long":  {`"requestState":"` + strings.Repeat("a", 65537) + `"`, "Invalid request state"},
	} {
		t.Run(name, func(t *testing.T) {
			a := elicited(call("greet", ""))
			a.params += "," + tc.members
			refused{400, -32602, tc.text}.check(t, tell(t, url, a), "1")
		})
	}
	a := elicited(call("greet", "")) // a state that nobody opens is not looked at
	a.params += `,"requestState":"` + strings.Repeat(`a`, 65536) + `"`
	if got := tell(t, url, a); got.result()["resultType"] != "input_required" {
		t.Errorf("got %s", got.body)
	}
	b := ask{method: "tools/list", params: `"inputResponses":5,"requestState":5`} // other methods ignore both
	if got := tell(t, url, b); got.result() == nil {
		t.Errorf("got %s", got.body)
	}
}

// Whatever was wrong with a state, the bytes of the answer are the same.
func TestStateErrorsAreOneError(t *testing.T) {
	url, _ := statefulServer(t, func(c *server.Config) { c.Keys = []seal.Key{testKey('a')} })
	state, _ := tell(t, url, call("wizard", "")).result()["requestState"].(string)
	const want = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid request state","data":{"reason":"invalid_request_state"}}}`
	for _, bad := range []string{`""`, `"x"`, `5`, `[]`, `"` + state[:len(state)-1] + `"`, `"` + state + `-TAMPERED"`, `"` + strings.Repeat("a", 65537) + `"`} {
		a := call("wizard", "")
		a.params += `,"requestState":` + bad
		if got := tell(t, url, a); got.status != 400 || got.body != want {
			t.Errorf("%.20s: got %d %s", bad, got.status, got.body)
		}
	}
}
