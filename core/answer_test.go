package core_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

type name struct {
	Name string `json:"name" title:"Your name" maxLength:"20"`
}

var askName = core.Form[name]("username", "What is your name?")

// stateTool answers with the state of askName's answer, and never asks.
func stateTool(seen *core.Answer[name]) *core.Tool[core.NoInput, string] {
	return core.NewTool("state", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		*seen = askName.Answer(ev)
		return seen.State.String(), nil
	})
}

// M5: absent, declined, cancelled, broken and accepted are five states, not one.
func TestM5FiveStates(t *testing.T) {
	for label, tc := range map[string]struct {
		response string
		state    core.AnswerState
		value    string
		field    string
	}{
		"absent":                   {"", core.Missing, "", ""},
		"accepted":                 {`{"action":"accept","content":{"name":"Ada"}}`, core.Accepted, "Ada", ""},
		"unknown members dropped":  {`{"action":"accept","content":{"name":"Ada","x":1},"y":2}`, core.Accepted, "Ada", ""},
		"declined":                 {`{"action":"decline"}`, core.Declined, "", ""},
		"M4: declined, content":    {`{"action":"decline","content":{"name":"Ada"}}`, core.Declined, "", ""},
		"declined, null content":   {`{"action":"decline","content":null}`, core.Declined, "", ""},
		"cancelled":                {`{"action":"cancel","content":null}`, core.Cancelled, "", ""},
		"no content is {}":         {`{"action":"accept"}`, core.Invalid, "", "name"},
		"null content is {}":       {`{"action":"accept","content":null}`, core.Invalid, "", "name"},
		"M6: another type":         {`{"action":"accept","content":{"name":true}}`, core.Invalid, "", "name"},
		"another case":             {`{"action":"accept","content":{"Name":"Ada"}}`, core.Invalid, "", "name"},
		"too long, in code points": {`{"action":"accept","content":{"name":"` + strings.Repeat("ä", 21) + `"}}`, core.Invalid, "", "name"},
		"long enough":              {`{"action":"accept","content":{"name":"` + strings.Repeat("ä", 20) + `"}}`, core.Accepted, strings.Repeat("ä", 20), ""},
	} {
		t.Run(label, func(t *testing.T) {
			var seen core.Answer[name]
			opts := []coretest.Option{}
			if tc.response != "" {
				opts = append(opts, coretest.Preseed("username", tc.response))
			}
			if _, err := coretest.Call(t, stateTool(&seen), core.NoInput{}, opts...); err != nil {
				t.Fatal(err)
			}
			if seen.State != tc.state || seen.Value.Name != tc.value || seen.Problem.Field != tc.field {
				t.Fatalf("got %+v", seen)
			}
			if tc.field != "" && (seen.Problem.Rule == "" || strings.Contains(seen.Problem.String(), "ää")) {
				t.Fatalf("the problem %q must name the rule and not the value", seen.Problem)
			}
		})
	}
}

// M6: what is no answer at all fails the request, also when the handler goes on.
func TestM6MalformedEntriesFailTheRequest(t *testing.T) {
	for label, response := range map[string]string{
		"number":              `12345`,
		"null":                `null`,
		"list":                `[]`,
		"string":              `"accept"`,
		"unknown action":      `{"action":"yes","content":{"name":"Ada"}}`,
		"action of a case":    `{"action":"Accept"}`,
		"no action":           `{"content":{"name":"Ada"}}`,
		"action no string":    `{"action":true}`,
		"wrapper":             `{"method":"elicitation/create","result":{"action":"accept"}}`,
		"sampling result":     `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`,
		"content a list":      `{"action":"accept","content":["Ada"]}`,
		"content a string":    `{"action":"accept","content":"Ada"}`,
		"nested content":      `{"action":"accept","content":{"name":{"first":"Ada"}}}`,
		"null in content":     `{"action":"accept","content":{"name":"Ada","x":null}}`,
		"list of numbers":     `{"action":"accept","content":{"name":"Ada","x":[1]}}`,
		"nested, not a field": `{"action":"accept","content":{"name":"Ada","x":{}}}`,
	} {
		t.Run(label, func(t *testing.T) {
			var seen core.Answer[name]
			_, err := coretest.Call(t, stateTool(&seen), core.NoInput{}, coretest.Preseed("username", response))
			wire, ok := errors.AsType[*core.Error](err)
			if !ok || wire.Code != -32602 {
				t.Fatalf("got %v", err)
			}
			if seen.State == core.Accepted {
				t.Fatal("the handler saw it as accepted")
			}
		})
	}
}

// M7: what nobody reads is never looked at.
func TestM7ExtraAnswersAreIgnored(t *testing.T) {
	var seen core.Answer[name]
	_, err := coretest.Call(t, stateTool(&seen), core.NoInput{},
		coretest.Preseed("username", `{"action":"accept","content":{"name":"Ada"}}`),
		coretest.Preseed("extra", `12345`), coretest.Preseed("__proto__", `{"action":"accept"}`))
	if err != nil || seen.Value.Name != "Ada" {
		t.Fatalf("got %+v, %v", seen, err)
	}
}

func TestOtherKindsOfAnswers(t *testing.T) {
	link := core.URL("login", "Log in", "https://id.example/login")
	model := core.Sampling("model", core.CreateMessageParams{
		MaxTokens: 10, Messages: []core.SamplingMessage{{Role: core.RoleUser, Content: []core.Content{core.Text("hi")}}},
	})
	roots := core.Roots("roots")
	raw := core.Raw("raw", "elicitation/create", []byte(`{"message":"?","requestedSchema":{"type":"object","properties":{}}}`))
	tool := core.NewTool("kinds", "", func(_ context.Context, ev *core.Event, _ core.NoInput) ([]core.Content, error) {
		if open := ev.Missing(link, model, roots, raw); len(open) > 0 {
			return nil, ev.InputRequired(open...)
		}
		m, _ := model.Accepted(ev)
		r, _ := roots.Accepted(ev)
		_, agreed := link.Accepted(ev)
		entry, _ := raw.Accepted(ev)
		if !agreed || string(entry) != `{"action":"accept","content":{}}` {
			t.Errorf("agreed %v, raw %s", agreed, entry)
		}
		return []core.Content{m.Content[0], core.Text(r.Roots[0].URI)}, nil
	})
	out, err := coretest.Call(t, tool, core.NoInput{},
		coretest.Raw("login", `{"action":"accept","content":{"ignored":{"deeply":[1]}}}`),
		coretest.Raw("model", `{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m","stopReason":"endTurn"}`),
		coretest.Raw("roots", `{"roots":[{"uri":"file:///x"}]}`),
		coretest.Confirm("raw"))
	if err != nil || out[0].Text != "Paris" || out[1].Text != "file:///x" {
		t.Fatalf("got %v, %v", out, err)
	}
	for label, response := range map[string]string{
		"form for sampling": `{"action":"accept"}`,
		"no model":          `{"role":"assistant","content":{"type":"text","text":"x"}}`,
		"wrapped":           `{"method":"sampling/createMessage","result":{}}`,
	} {
		t.Run(label, func(t *testing.T) {
			_, err := coretest.Call(t, tool, core.NoInput{}, coretest.Preseed("model", response))
			if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32602 {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestInvalidAnswerIsAskedAgainWithItsReason(t *testing.T) {
	tool := core.NewTool("again", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if n, ok := askName.Accepted(ev); ok {
			return n.Name, nil
		}
		return "", ev.InputRequired(askName)
	})
	flow := coretest.Start(t, tool, core.NoInput{})
	if strings.Contains(string(flow.Asked()[0].Params), "at most") {
		t.Fatalf("a reason before there was an answer: %s", flow.Asked()[0].Params)
	}
	flow.Next(coretest.Raw("username", `{"action":"accept","content":{"name":"`+strings.Repeat("x", 21)+`"}}`))
	if got := string(flow.Asked()[0].Params); !strings.Contains(got, "name must") || strings.Contains(got, "xxxx") {
		t.Fatalf("the question must name field and rule, not the value: %s", got)
	}
}

type account struct{ ID, Label string }

func (a account) choice() core.Choice { return core.Choice{Value: a.ID, Title: a.Label} }

var askAccount = core.Select("account", "Which account?", account.choice)

func TestSelect(t *testing.T) {
	accounts := []account{{"a1", "Current"}, {"a2", "Savings"}}
	tool := core.NewTool("select", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		switch a := askAccount.From(accounts).Answer(ev); a.State {
		case core.Accepted:
			return a.Value.Label, nil
		case core.Missing:
			return "", ev.InputRequired(askAccount.From(accounts))
		default:
			return a.State.String(), nil
		}
	})
	out, err := coretest.Call(t, tool, core.NoInput{}, coretest.Accept(askAccount, accounts[1]))
	if err != nil || out != "Savings" {
		t.Fatalf("got %q, %v", out, err)
	}
	asked := string(coretest.Start(t, tool, core.NoInput{}).Asked()[0].Params)
	const want = `{"mode":"form","message":"Which account?","requestedSchema":{"type":"object","properties":` +
		`{"account":{"type":"string","oneOf":[{"const":"a1","title":"Current"},{"const":"a2","title":"Savings"}]}},"required":["account"]}}`
	if asked != want {
		t.Fatalf("got  %s\nwant %s", asked, want)
	}
	out, err = coretest.Call(t, tool, core.NoInput{}, coretest.Accept(askAccount, account{ID: "stranger"}))
	if err != nil || out != "Invalid" {
		t.Fatalf("a value that is not on the list: %q, %v", out, err)
	}
	accounts = nil
	if _, err := coretest.Call(t, tool, core.NoInput{}); err == nil || !strings.Contains(err.Error(), "nothing to choose from") {
		t.Fatalf("an empty list: %v", err)
	}
}

func TestChoices(t *testing.T) {
	type order struct {
		Size string `json:"size" enum:"*"`
	}
	askOrder := core.Form[order]("order", "Which size?")
	ask := func(choices ...core.Choice) *core.Tool[core.NoInput, string] {
		return core.NewTool("order", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			derived := askOrder.Choices("size", choices...)
			if o, ok := derived.Accepted(ev); ok {
				return o.Size, nil
			}
			return "", ev.InputRequired(derived)
		})
	}
	out, err := coretest.Call(t, ask(core.Choice{Value: "s", Title: "Small"}), core.NoInput{},
		coretest.Raw("order", `{"action":"accept","content":{"size":"s"}}`))
	if err != nil || out != "s" {
		t.Fatalf("got %q, %v", out, err)
	}
	if _, err := coretest.Call(t, ask(), core.NoInput{}); err == nil || !strings.Contains(err.Error(), "nothing to choose from") {
		t.Fatalf("no choices: %v", err)
	}
	undecided := core.NewTool("undecided", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		return "", ev.InputRequired(askOrder)
	})
	_, err = coretest.Call(t, undecided, core.NoInput{}, coretest.AllowMisuse())
	if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32603 {
		t.Fatalf("a dynamic field without choices: %v", err)
	}
}

func TestDeclarationsPanic(t *testing.T) {
	type nested struct{ Inner struct{ X int } }
	handler := func(context.Context, *core.Event, core.NoInput) (string, error) { return "", nil }
	for label, declare := range map[string]func(){
		"nested form":    func() { core.Form[nested]("k", "m") },
		"map form":       func() { core.Form[map[string]string]("k", "m") },
		"empty key":      func() { core.Form[name]("", "m") },
		"long key":       func() { core.URL(strings.Repeat("k", 129), "m", "https://x.example") },
		"tool name":      func() { core.NewTool("no spaces", "", handler) },
		"long tool name": func() { core.NewTool(strings.Repeat("n", 129), "", handler) },
		"no handler":     func() { core.NewTool[core.NoInput, string]("t", "", nil) },
		"state name":     func() { core.NewState[int]("") },
		"state TTL":      func() { core.NewState[int]("s", core.StateTTL(0)) },
		"long state TTL": func() { core.NewState[int]("s", core.StateTTL(25*time.Hour)) },
		"relative URI": func() {
			core.NewResource("readme", "n", func(context.Context, *core.Event) (string, error) { return "", nil })
		},
		"prompt of ints": func() {
			core.NewPrompt("p", "", func(context.Context, *core.Event, struct{ N int }) (string, error) { return "", nil })
		},
		"prompt result": func() {
			core.NewPrompt("p", "", func(context.Context, *core.Event, core.NoInput) (int, error) { return 0, nil })
		},
		"template vars": func() {
			core.NewTemplate("x://{id}", "n", func(context.Context, *core.Event, struct{ Other string }) (string, error) { return "", nil })
		},
		"broken template": func() {
			core.NewTemplate("x://{id", "n", func(context.Context, *core.Event, struct{}) (string, error) { return "", nil })
		},
		"control in names": func() { core.NewPrompt("p\x00", "", handler) },
	} {
		t.Run(label, func(t *testing.T) {
			defer func() {
				if text, _ := recover().(string); !strings.HasPrefix(text, "parley: ") {
					t.Fatalf("got %q", text)
				}
			}()
			declare()
		})
	}
	core.NewState[int]("s", core.DangerouslyLongStateTTL(25*time.Hour)) // the control: saying so is enough
}
