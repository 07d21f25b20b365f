package gosdk_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	mcphttp "github.com/parleymcp/parley/adapters/stdlib"
	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

type nameForm struct {
	Name string `json:"name" title:"Your name"`
}

type colourForm struct {
	Colour string `json:"colour" enum:"red,blue"`
}

type sizeForm struct {
	Size int `json:"size" minimum:"1"`
}

var (
	askName   = core.Form[nameForm]("name", "What is your name?")
	askColour = core.Form[colourForm]("colour", "Which colour?")
	askSize   = core.Form[sizeForm]("size", "Which size?")
)

var threeAtOnce = core.NewTool("three_at_once", "Asks three things in one round.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if open := ev.Missing(askName, askColour, askSize); len(open) > 0 {
			return "", ev.InputRequired(open...)
		}
		name, _ := askName.Accepted(ev)
		colour, _ := askColour.Accepted(ev)
		size, _ := askSize.Accepted(ev)
		return fmt.Sprintf("%s likes %s in %d", name.Name, colour.Colour, size.Size), nil
	})

var goesOn = core.NewTool("goes_on", "Asks, is declined, and goes on.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		switch a := askName.Answer(ev); a.State {
		case core.Accepted:
			return "Hello, " + a.Value.Name + "!", nil
		case core.Declined, core.Cancelled:
			return "Carrying on without a name.", nil
		default:
			return "", ev.InputRequired(askName)
		}
	})

var straightLine = core.NewTool("straight_line", "Asks one thing after the other.",
	func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		name, err := askName.Require(ev)
		if err != nil {
			return "", err
		}
		colour, err := askColour.Require(ev)
		if err != nil {
			return "", err
		}
		if err := core.Confirm(ev, "sure", "Paint it "+colour.Colour+"?"); err != nil {
			return "", err
		}
		return core.Commit(ev, "paint", func(string) (string, error) {
			return "Painted " + colour.Colour + " for " + name.Name, nil
		})
	})

// user answers forms by what they ask for, as a person would; the client needs
// no code of ours.
type user struct {
	mu      sync.Mutex
	asked   []string
	decline bool
}

func (u *user) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, req.Params.Message)
	if u.decline {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	content := map[string]any{}
	schema, _ := req.Params.RequestedSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	for field := range properties {
		content[field] = map[string]any{"name": "Ada", "colour": "blue", "size": 3}[field]
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

func TestElicitation(t *testing.T) {
	srv, err := server.New(server.Config{
		Name: "interop", Version: "1.0.0", Keys: []seal.Key{seal.EphemeralKey()},
	}, threeAtOnce, goesOn, straightLine)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(mcphttp.Handler(srv))
	defer web.Close()

	for _, tc := range []struct {
		tool    string
		decline bool
		asked   int
		want    string
		isError bool
	}{
		{tool: "three_at_once", asked: 3, want: "Ada likes blue in 3"},
		{tool: "goes_on", asked: 1, want: "Hello, Ada!"},
		{tool: "goes_on", decline: true, asked: 1, want: "Carrying on without a name."},
		{tool: "straight_line", asked: 3, want: "Painted blue for Ada"},
		{tool: "straight_line", decline: true, asked: 1, want: "declined by the user", isError: true},
	} {
		t.Run(fmt.Sprintf("%s, declined %v", tc.tool, tc.decline), func(t *testing.T) {
			u := &user{decline: tc.decline}
			client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: u.answer})
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = session.Close() }()
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tc.tool, Arguments: map[string]any{}})
			if err != nil {
				t.Fatal(err)
			}
			text, ok := result.Content[0].(*mcp.TextContent)
			if !ok || !strings.Contains(text.Text, tc.want) || result.IsError != tc.isError || len(u.asked) != tc.asked {
				t.Fatalf("got %+v, asked %q", result.Content[0], u.asked)
			}
		})
	}
}
