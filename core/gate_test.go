package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

// run runs f as a transport does, with capabilities as they came.
func run(t *testing.T, f core.Feature, change func(*core.Call)) core.Outcome {
	t.Helper()
	c := &core.Call{
		Method: "tools/call", Target: f.Name(), Version: "2026-07-28", CanAsk: true, Principal: core.Anonymous,
		Capabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}`),
	}
	if change != nil {
		change(c)
	}
	return core.Run(t.Context(), &core.Host{}, f, c)
}

var (
	askLink   = core.URL("link", "Open it", "https://x.example/")
	askModel  = core.Raw("model", "sampling/createMessage", []byte(`{"maxTokens":1,"messages":[]}`))
	askTools  = core.Raw("tools", "sampling/createMessage", []byte(`{"maxTokens":1,"messages":[],"tools":[]}`))
	askThis   = core.Raw("this", "sampling/createMessage", []byte(`{"maxTokens":1,"messages":[],"includeContext":"thisServer"}`))
	askNone   = core.Raw("none", "sampling/createMessage", []byte(`{"maxTokens":1,"messages":[],"includeContext":"none"}`))
	askRoots  = core.Raw("roots", "roots/list", nil)
	askLegacy = core.Raw("bare", "elicitation/create", []byte(`{"message":"?","requestedSchema":{"type":"object","properties":{}}}`))
)

// M1: only an object declares, url is not form, and every question names what
// it needs.
func TestM1Capabilities(t *testing.T) {
	for label, tc := range map[string]struct {
		caps string
		ask  core.InputRequest
		can  bool
	}{
		"form":                       {`{"elicitation":{"form":{}}}`, askName, true},
		"bare means form":            {`{"elicitation":{}}`, askName, true},
		"own members do not count":   {`{"elicitation":{"applyDefaults":true}}`, askName, true},
		"url is not form":            {`{"elicitation":{"url":{}}}`, askName, false},
		"true declares nothing":      {`{"elicitation":true}`, askName, false},
		"list declares nothing":      {`{"elicitation":[]}`, askName, false},
		"null declares nothing":      {`{"elicitation":null}`, askName, false},
		"form true is no form":       {`{"elicitation":{"form":true}}`, askName, false},
		"form true beside url":       {`{"elicitation":{"form":true,"url":{}}}`, askName, false},
		"nothing":                    {`{}`, askName, false},
		"raw without mode is a form": {`{"elicitation":{}}`, askLegacy, true},
		"url":                        {`{"elicitation":{"url":{}}}`, askLink, true},
		"form is not url":            {`{"elicitation":{"form":{}}}`, askLink, false},
		"bare is not url":            {`{"elicitation":{}}`, askLink, false},
		"url true is no url":         {`{"elicitation":{"url":true}}`, askLink, false},
		"sampling":                   {`{"sampling":{}}`, askModel, true},
		"sampling true":              {`{"sampling":true}`, askModel, false},
		"sampling without tools":     {`{"sampling":{}}`, askTools, false},
		"sampling with tools":        {`{"sampling":{"tools":{}}}`, askTools, true},
		"sampling tools true":        {`{"sampling":{"tools":true}}`, askTools, false},
		"sampling without context":   {`{"sampling":{}}`, askThis, false},
		"sampling with context":      {`{"sampling":{"context":{}}}`, askThis, true},
		"includeContext none":        {`{"sampling":{}}`, askNone, true},
		"roots":                      {`{"roots":{"listChanged":true}}`, askRoots, true},
		"roots list":                 {`{"roots":[]}`, askRoots, false},
	} {
		t.Run(label, func(t *testing.T) {
			var can bool
			var supported int
			tool := core.NewTool("gate", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				can, supported = ev.CanRequest(tc.ask), len(ev.Supported(tc.ask, tc.ask))
				return "", ev.InputRequired(tc.ask)
			})
			out := run(t, tool, func(c *core.Call) { c.Capabilities = json.RawMessage(tc.caps) })
			if can != tc.can || (supported == 2) != tc.can || (out.Interim != nil) != tc.can {
				t.Fatalf("can %v, supported %d, interim %v", can, supported, out.Interim)
			}
			if !tc.can && (out.Error == nil || out.Error.Code != -32021) {
				t.Fatalf("got %+v", out)
			}
		})
	}
}

// M2: one error names everything that is missing, as an object.
func TestM2EverythingMissingAtOnce(t *testing.T) {
	tool := core.NewTool("gate", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		return "", ev.InputRequired(askName, askLink, askTools, askThis, askRoots)
	})
	out := run(t, tool, func(c *core.Call) { c.Capabilities = json.RawMessage(`{"elicitation":{"url":{}}}`) })
	if out.Error == nil || out.Error.Code != -32021 {
		t.Fatalf("got %+v", out)
	}
	raw, err := json.Marshal(out.Error.Data)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal(
		[]byte(`{"requiredCapabilities":{"elicitation":{"form":{}},"sampling":{"tools":{},"context":{}},"roots":{}}}`), &want,
	)); err != nil {
		t.Fatal(err)
	}
	if raw := string(raw); !strings.Contains(raw, `"form":{}`) || !reflect.DeepEqual(stripNull(got), want) {
		t.Fatalf("got %s", raw)
	}
}

// stripNull drops members that encoding/json writes and the wire does not.
func stripNull(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for key, value := range m {
		if value == nil {
			delete(m, key)
			continue
		}
		m[key] = stripNull(value)
	}
	return m
}

func TestCannotAskIsDegradable(t *testing.T) {
	degrade := func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		err := ev.InputRequired(askName)
		if errors.Is(err, core.ErrCannotAsk) {
			return "Hello, stranger!", nil
		}
		return "", err
	}
	for label, opt := range map[string]coretest.Option{
		"no capability": coretest.Capabilities(core.ClientCapabilities{}),
		"legacy":        coretest.Legacy(),
	} {
		t.Run(label, func(t *testing.T) {
			out, err := coretest.Call(t, core.NewTool("t", "", degrade), core.NoInput{}, opt)
			if err != nil || out != "Hello, stranger!" {
				t.Fatalf("got %q, %v", out, err)
			}
		})
	}
}

func TestLegacyRequestsNameTheRevision(t *testing.T) {
	ask := func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if ev.CanRequest(askName) || len(ev.Supported(askName)) != 0 {
			t.Error("a legacy client can be asked")
		}
		return "", ev.InputRequired(askName)
	}
	_, err := coretest.Call(t, core.NewTool("t", "", ask), core.NoInput{}, coretest.Legacy())
	if tool, ok := errors.AsType[*coretest.ToolError](err); !ok || !strings.Contains(tool.Text, "2026-07-28") {
		t.Fatalf("tool: %v", err)
	}
	_, err = coretest.Get(t, core.NewPrompt("p", "", ask), core.NoInput{}, coretest.Legacy())
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 || !strings.Contains(wire.Message, "2026-07-28") {
		t.Fatalf("prompt: %v", err)
	}
}

func TestM20PromptsAndResourcesAsk(t *testing.T) {
	prompt := core.NewPrompt("greeting", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		n, ok := askName.Accepted(ev)
		if !ok {
			return "", ev.InputRequired(askName)
		}
		return "Greet " + n.Name, nil
	})
	p, err := coretest.Get(t, prompt, core.NoInput{}, coretest.Accept(askName, name{Name: "Ada"}))
	if err != nil || p.Messages[0].Content.Text != "Greet Ada" {
		t.Fatalf("got %+v, %v", p, err)
	}
	resource := core.NewResource("docs://me", "me", func(_ context.Context, ev *core.Event) (string, error) {
		n, ok := askName.Accepted(ev)
		if !ok {
			return "", ev.InputRequired(askName)
		}
		return n.Name, nil
	})
	r, err := coretest.Read(t, resource, "docs://me", coretest.Accept(askName, name{Name: "Ada"}))
	if err != nil || r.Contents[0].Text != "Ada" || r.Contents[0].URI != "docs://me" || r.Contents[0].MIMEType != "text/plain" {
		t.Fatalf("got %+v, %v", r, err)
	}
	type vars struct{ ID string }
	template := core.NewTemplate("docs://{ID}/about", "about", func(_ context.Context, ev *core.Event, v vars) ([]byte, error) {
		n, ok := askName.Accepted(ev)
		if !ok {
			return nil, ev.InputRequired(askName)
		}
		return []byte(v.ID + n.Name), nil
	})
	r, err = coretest.Read(t, template, "docs://a%2Fb/about", coretest.Accept(askName, name{Name: "Ada"}))
	if err != nil || string(r.Contents[0].Blob) != "a/bAda" { // T9: the variable is decoded
		t.Fatalf("got %+v, %v", r, err)
	}
}

// The gate's other rules; each is a mistake of the handler and fails the call.
func TestGateRefusesWhatTheWireCannotCarry(t *testing.T) {
	other := core.Form[name]("username", "Another question")
	for label, asks := range map[string][]core.InputRequest{
		"nothing":           {},
		"one key twice":     {askName, askName},
		"two under one key": {askName, other},
		"unknown mode":      {core.Raw("r", "elicitation/create", []byte(`{"mode":"voice"}`))},
		"unknown method":    {core.Raw("r", "tools/call", nil)},
		"params no object":  {core.Raw("r", "roots/list", []byte(`[]`))},
		"name like an IP":   {core.URL("u", "m", "http://127.evil.example/")},
		"IP in a name":      {core.URL("u", "m", "http://127.0.0.1.evil.example/")},
		"http link":         {core.URL("u", "m", "http://x.example/")},
		"relative link":     {core.URL("u", "m", "/login")},
		"link with user":    {core.URL("u", "m", "https://user:pw@x.example/")},
		"message of roots":  {askRoots.Messagef("x")},
		"choices of a link": {askLink.Choices("f", core.Choice{Value: "v"})},
		"unknown field":     {askName.Choices("f", core.Choice{Value: "v"})},
	} {
		t.Run(label, func(t *testing.T) {
			tool := core.NewTool("gate", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
				if err := ev.InputRequired(asks...); !errors.Is(err, core.ErrMisuse) {
					t.Errorf("got %v", err)
				}
				return "went on", nil // swallowed, and fails all the same
			})
			if out := run(t, tool, nil); out.Error == nil || out.Error.Code != -32603 || out.Error.Message != "Internal error" {
				t.Fatalf("got %+v", out)
			}
		})
	}
	loopback := core.URL("u", "m", "http://localhost:8080/")
	tool := core.NewTool("gate", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		return "", ev.InputRequired(loopback, askName.Messagef("Hello %d", 1))
	})
	out := run(t, tool, nil)
	if out.Interim == nil || len(out.Interim.Requests) != 2 || out.Interim.State != "" {
		t.Fatalf("the control was refused: %+v", out)
	}
	if got := string(out.Interim.Requests[0].Params); got != `{"mode":"url","message":"m","url":"http://localhost:8080/"}` {
		t.Fatalf("got %s", got)
	}
}

func TestCompletionCannotAsk(t *testing.T) {
	type args struct{ City string }
	p := core.NewPrompt("p", "", func(context.Context, *core.Event, args) (string, error) { return "", nil },
		core.Complete("City", func(_ context.Context, ev *core.Event, prefix string) ([]string, error) {
			if prefix == "ask" {
				return nil, ev.InputRequired(askName)
			}
			return []string{prefix + "…"}, nil
		}))
	host := &core.Host{Logger: slog.New(slog.DiscardHandler)}
	call := &core.Call{Method: "completion/complete", Target: "p", Version: "2026-07-28", CanAsk: true, Principal: core.Anonymous}
	out := core.RunCompleter(t.Context(), host, p, call, "City", "Par")
	if c, ok := out.Result.(*core.Completion); !ok || c.Values[0] != "Par…" {
		t.Fatalf("got %+v", out)
	}
	if out := core.RunCompleter(t.Context(), host, p, call, "City", "ask"); out.Error == nil || out.Error.Code != -32603 {
		t.Fatalf("got %+v", out)
	}
}
