package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/parleymcp/parley/interop/probes/peer"
)

func form(message, schema string) mcp.ElicitationParams {
	return mcp.ElicitationParams{Mode: mcp.ElicitationModeForm, Message: message, RequestedSchema: json.RawMessage(schema)}
}

// who says what became of the question "who", or asks it.
func who(responses mcp.InputResponses) (said string, ask *server.InputRequestBuilder) {
	a := server.ElicitationResponse(responses, "who")
	switch {
	case a == nil:
		return "", server.NewInputRequestBuilder("").Elicit("who", form("Who are you?", peer.WhoSchema))
	case a.Action == mcp.ElicitationResponseActionAccept:
		content, _ := a.Content.(map[string]any)
		return fmt.Sprintf("accepted %v, %v", content["name"], content["age"]), nil
	default:
		return "declined", nil
	}
}

// registerAsking adds the tools and the prompt that ask. A handler of a resource
// returns contents and has no way to ask.
func registerAsking(srv *server.MCPServer) {
	add(srv, "probe_ask", func(_ context.Context, req mcp.CallToolRequest, _ none) (*mcp.CallToolResult, error) {
		said, ask := who(req.Params.InputResponses)
		if ask != nil {
			return ask.ToolResult(), nil
		}
		return mcp.NewToolResultText(said), nil
	})
	srv.AddPrompt(mcp.NewPrompt("probe_ask"), func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		said, ask := who(req.Params.InputResponses)
		if ask != nil {
			return ask.PromptResult(), nil
		}
		return mcp.NewGetPromptResult("", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(said))}), nil
	})
	srv.AddResource(mcp.NewResource("probe://ask", "ask"), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: "probe://ask", MIMEType: "text/plain", Text: "cannot ask"}}, nil
	})
	add(srv, "probe_three", func(_ context.Context, req mcp.CallToolRequest, _ none) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) == 3 {
			return mcp.NewToolResultText("all there"), nil
		}
		return server.NewInputRequestBuilder("").
			Elicit("who", form("Who are you?", peer.WhoSchema)).
			Sample("greeting", mcp.CreateMessageParams{MaxTokens: 50, Messages: []mcp.SamplingMessage{
				{Role: mcp.RoleUser, Content: mcp.NewTextContent("Generate a greeting")},
			}}).
			Roots("client_roots").ToolResult(), nil
	})
	add(srv, "probe_state_only", func(_ context.Context, req mcp.CallToolRequest, _ none) (*mcp.CallToolResult, error) {
		if req.Params.RequestState != "" {
			return mcp.NewToolResultText("came back"), nil
		}
		return server.NewInputRequestBuilder("step=1").ToolResult(), nil
	})
	add(srv, "probe_chain", func(_ context.Context, req mcp.CallToolRequest, _ none) (*mcp.CallToolResult, error) {
		key := peer.NextLink(req.Params.RequestState)
		if a := server.ElicitationResponse(req.Params.InputResponses, key); a != nil && a.Action == mcp.ElicitationResponseActionAccept {
			key = peer.NextLink("answered=" + key)
		}
		if key == "" {
			return mcp.NewToolResultText("all three"), nil
		}
		return server.NewInputRequestBuilder("next="+key).Elicit(key, form(key+"?", peer.SureSchema)).ToolResult(), nil
	})
	add(srv, "probe_transfer", func(_ context.Context, req mcp.CallToolRequest, in peer.Transfer) (*mcp.CallToolResult, error) {
		if to, ok := strings.CutPrefix(req.Params.RequestState, "to="); ok {
			if a := server.ElicitationResponse(req.Params.InputResponses, "sure"); a != nil {
				content, _ := a.Content.(map[string]any)
				if ok, _ := content["ok"].(bool); ok && a.Action == mcp.ElicitationResponseActionAccept {
					return mcp.NewToolResultText(fmt.Sprintf("sent %d to %s", in.Cents, to)), nil
				}
				return mcp.NewToolResultText("not sent"), nil
			}
		}
		return server.NewInputRequestBuilder("to="+in.To).
			Elicit("sure", form(fmt.Sprintf("Send %d to %s?", in.Cents, in.To), peer.SureSchema)).ToolResult(), nil
	})
}
