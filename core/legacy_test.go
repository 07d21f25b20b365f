package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/parleymcp/parley/core"
)

var (
	askMany = core.Raw("many", "elicitation/create",
		[]byte(`{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}}}}`))
	askOdd = core.Raw("odd", "elicitation/create", []byte(`{"message":"?","requestedSchema":{"properties":[]}}`))
)

// What declared capabilities mean in each revision, and what a client is told
// that did not declare enough: no code, a text for the model.
func TestLegacyGate(t *testing.T) {
	const (
		june, november, today = "2025-06-18", "2025-11-25", "2026-07-28"

		dated   = "This call needs input from the user, which clients can be asked for as of MCP 2026-07-28."
		choose  = "This call asks for several choices at once, which clients know as of MCP 2025-11-25."
		lacking = "This call needs input from the user, and the client did not declare "
	)
	for label, tc := range map[string]struct {
		version, caps string
		asks          []core.InputRequest
		refusal       string // "": asked
	}{
		"form":                      {november, `{"elicitation":{}}`, asked(askName), ""},
		"URL":                       {november, `{"elicitation":{"url":{}}}`, asked(askLink), ""},
		"URL is not form":           {november, `{"elicitation":{"url":{}}}`, asked(askName), lacking + "elicitation by form."},
		"form is not URL":           {november, `{"elicitation":{}}`, asked(askLink), lacking + "elicitation by URL."},
		"sampling":                  {november, `{"sampling":{}}`, asked(askModel), ""},
		"sampling, tools":           {november, `{"sampling":{"tools":{}}}`, asked(askTools), ""},
		"sampling without tools":    {november, `{"sampling":{}}`, asked(askTools), lacking + "sampling with tools."},
		"sampling without context":  {november, `{"sampling":{}}`, asked(askThis), lacking + "sampling with context."},
		"no sampling":               {november, `{"sampling":true}`, asked(askModel), lacking + "sampling."},
		"roots":                     {november, `{"roots":{}}`, asked(askRoots), ""},
		"M2: all that is missing":   {november, `{}`, asked(askName, askLink, askTools, askThis, askRoots), lacking + "elicitation by form, elicitation by URL, sampling with tools, sampling with context, roots."},
		"several choices":           {november, `{"elicitation":{}}`, asked(askMany), ""},
		"June: form":                {june, `{"elicitation":{}}`, asked(askName), ""},
		"June: sub-capabilities":    {june, `{"elicitation":{"url":{}}}`, asked(askName), ""}, // has none, so it is by form
		"June: true is nothing":     {june, `{"elicitation":true}`, asked(askName), lacking + "elicitation by form."},
		"June: no URL":              {june, `{"elicitation":{"form":{},"url":{}}}`, asked(askLink), lacking + "elicitation by URL."},
		"June: every context":       {june, `{"sampling":{}}`, asked(askThis), ""},
		"June: no tools":            {june, `{"sampling":{"tools":{}}}`, asked(askTools), lacking + "sampling with tools."},
		"June: roots":               {june, `{"roots":{}}`, asked(askRoots), ""},
		"June: several choices":     {june, `{"elicitation":{}}`, asked(askMany), choose},
		"June: one of two":          {june, `{"elicitation":{}}`, asked(askName, askMany), choose},
		"June: another shape":       {june, `{"elicitation":{}}`, asked(askOdd), ""},
		"no way back":               {"", `{"elicitation":{}}`, asked(askName), dated},
		"today: several choices":    {today, `{"elicitation":{}}`, asked(askMany), ""},
		"today: its own subset":     {today, `{"elicitation":{"url":{}}}`, asked(askLink), ""},
		"today: sampling's context": {today, `{"sampling":{"context":{}}}`, asked(askThis), ""},
	} {
		t.Run(label, func(t *testing.T) {
			var can bool
			var err error
			ask := func(ev *core.Event) error {
				can = ev.CanRequest(tc.asks...)
				err = ev.InputRequired(tc.asks...)
				return err
			}
			tool := core.NewTool("gate", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) { return "", ask(ev) })
			prompt := core.NewPrompt("gate", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) { return "", ask(ev) })
			change := func(c *core.Call) {
				c.Version, c.CanAsk, c.Capabilities = tc.version, tc.version != "", json.RawMessage(tc.caps)
				if !c.CanAsk {
					c.Version = november
				}
			}
			out := run(t, tool, change)
			if tc.refusal == "" {
				if !can || out.Interim == nil || len(out.Interim.Requests) != len(tc.asks) {
					t.Errorf("can %t, got %+v", can, out)
				}
				return
			}
			r, ok := out.Result.(*core.ToolResult)
			if can || !ok || !r.IsError || r.Content[0].Text != tc.refusal || !errors.Is(err, core.ErrCannotAsk) {
				t.Errorf("can %t, %v, got %+v, want %q", can, err, out, tc.refusal)
			}
			out = run(t, prompt, func(c *core.Call) { c.Method = "prompts/get"; change(c) })
			if out.Error == nil || out.Error.Code != -32603 || out.Error.Message+"." != tc.refusal || out.Error.Data != nil || out.BadRequest {
				t.Errorf("prompt: got %+v, %+v", out, out.Error)
			}
		})
	}
}

func asked(asks ...core.InputRequest) []core.InputRequest { return asks }

// A resource that does not exist has another code in older revisions, also when
// a handler says so; other errors of handlers keep theirs.
func TestLegacyCodes(t *testing.T) {
	for label, tc := range map[string]struct {
		err         error
		older, code int
	}{
		"not found":     {core.ResourceNotFound("docs://a"), -32002, -32602},
		"other params":  {&core.Error{Code: -32602, Message: "x"}, -32602, -32602},
		"other data":    {&core.Error{Code: -32602, Message: "x", Data: map[string]string{"a": "b"}}, -32602, -32602},
		"another error": {&core.Error{Code: 7, Message: "x", Data: map[string]string{"uri": "docs://a"}}, 7, 7},
	} {
		resource := core.NewResource("docs://a", "a", func(context.Context, *core.Event) (string, error) { return "", tc.err })
		for version, code := range map[string]int{"2025-03-26": tc.older, "2025-06-18": tc.older, "2025-11-25": tc.older, "2026-07-28": tc.code} {
			out := run(t, resource, func(c *core.Call) { c.Method, c.Target, c.Version = "resources/read", "docs://a", version })
			if out.Error == nil || out.Error.Code != code {
				t.Errorf("%s, %s: got %+v", label, version, out.Error)
			}
		}
	}
}
