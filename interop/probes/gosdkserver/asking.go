package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parleymcp/parley/interop/probes/peer"
)

func form(message, schema string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)}
}

// answered is the answer to a form, read with care; nil is none.
func answered(responses mcp.InputResponseMap, key string) *mcp.ElicitResult {
	answer, _ := responses[key].(*mcp.ElicitResult)
	return answer
}

// who says what became of the question "who", or asks it.
func who(responses mcp.InputResponseMap) (said string, ask mcp.InputRequestMap) {
	a := answered(responses, "who")
	switch {
	case a == nil:
		return "", mcp.InputRequestMap{"who": form("Who are you?", peer.WhoSchema)}
	case a.Action == "accept":
		return fmt.Sprintf("accepted %v, %v", a.Content["name"], a.Content["age"]), nil
	default:
		return "declined", nil
	}
}

// registerAsking adds the tools, the prompt and the resource that ask.
func registerAsking(srv *mcp.Server) {
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_ask"}, func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		said, ask := who(req.Params.InputResponses)
		if ask != nil {
			return &mcp.CallToolResult{InputRequests: ask}, nil, nil
		}
		return text("%s", said), nil, nil
	})
	srv.AddPrompt(&mcp.Prompt{Name: "probe_ask"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		said, ask := who(req.Params.InputResponses)
		if ask != nil {
			return &mcp.GetPromptResult{InputRequests: ask}, nil
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: said}}}}, nil
	})
	srv.AddResource(&mcp.Resource{URI: "probe://ask", Name: "ask"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		said, ask := who(req.Params.InputResponses)
		if ask != nil {
			return &mcp.ReadResourceResult{InputRequests: ask}, nil
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "probe://ask", MIMEType: "text/plain", Text: said}}}, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_three"}, func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		if len(req.Params.InputResponses) == 3 {
			return text("all there"), nil, nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{
			"who": form("Who are you?", peer.WhoSchema),
			"greeting": &mcp.CreateMessageParams{ //nolint:staticcheck // deprecated, and still to be asked for
				MaxTokens: 50,
				Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Generate a greeting"}}}, //nolint:staticcheck // as above
			},
			"client_roots": &mcp.ListRootsParams{}, //nolint:staticcheck // as above
		}}, nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_state_only"}, func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		if req.Params.RequestState != "" {
			return text("came back"), nil, nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: "step=1"}, nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_chain"}, func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		key := peer.NextLink(req.Params.RequestState)
		if a := answered(req.Params.InputResponses, key); a != nil && a.Action == "accept" {
			key = peer.NextLink("answered=" + key)
		}
		if key == "" {
			return text("all three"), nil, nil
		}
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{key: form(key+"?", peer.SureSchema)}, RequestState: "next=" + key,
		}, nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_transfer"}, func(_ context.Context, req *mcp.CallToolRequest, in peer.Transfer) (*mcp.CallToolResult, any, error) {
		if to, ok := strings.CutPrefix(req.Params.RequestState, "to="); ok {
			a := answered(req.Params.InputResponses, "sure")
			if a != nil && a.Action == "accept" && a.Content["ok"] == true {
				return text("sent %d to %s", in.Cents, to), nil, nil
			}
			if a != nil {
				return text("not sent"), nil, nil
			}
		}
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"sure": form(fmt.Sprintf("Send %d to %s?", in.Cents, in.To), peer.SureSchema)},
			RequestState:  "to=" + in.To,
		}, nil, nil
	})
}
